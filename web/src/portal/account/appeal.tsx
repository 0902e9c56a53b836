import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { heicAdvice } from '#contract/kernel/picture-name.ts'
import { mostAppealProofs } from '#contract/person/appeal.state.ts'
import { acceptOf } from '#web/kernel/accept.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { enterAt } from '#web/kernel/leave.ts'
import { notify } from '#web/kernel/notify.ts'
import { asSendable } from '#web/kernel/picture.ts'
import { useSaid } from '#web/kernel/said.ts'
import { useSearchParams } from '../kit/address.ts'
import { Field, TextArea, TextField } from '../kit/field.tsx'
import { CameraIcon } from '../kit/page-icons.tsx'
import { Callout, Facts, PageTitle } from '../kit/page-ui.tsx'
import { Button } from '../kit/ui.tsx'
import { Waiting } from '../waiting.tsx'
import { appealTexts } from './appeal-texts.ts'
import { accountTexts } from './texts.ts'

type Appeal = ApiOutput<'GET /blade-userappeal/userappeal/state'>
type Errors = Partial<Record<'realName' | 'reason' | 'proof', string>>
const proofBytes = 5 * 1024 * 1024
const stateKeys = ['appeal.state.0', 'appeal.state.1', 'appeal.state.2', 'appeal.state.3'] as const
const upheldKeys = {
  account: 'appeal.upheld.account',
  lostPhone: 'appeal.upheld.account',
  phone: 'appeal.upheld.phone',
  number: 'appeal.upheld.number',
} as const

interface PlaceProps {
  readonly place: { readonly no: string; readonly key: string }
  readonly onChange: (appeal: Appeal) => void
}

/** Reasons and proofs, sent once. */
const AppealForm = ({ appeal, place, onChange }: PlaceProps & { readonly appeal: Appeal }) => {
  const [t, r] = [useT(appealTexts), useT(accountTexts)]
  const form = useRef<HTMLFormElement>(null)
  const [name, setName] = useState('')
  const [reason, setReason] = useState('')
  const [files, setFiles] = useState<readonly File[]>([])
  const [errors, setErrors] = useSaid<Errors>({})
  const [refusal, setRefusal] = useSaid<string | null>(null)
  const [busy, setBusy] = useState(false)
  const show = (found: Errors) => {
    setErrors(found)
    const [first] = Object.keys(found)
    if (first !== undefined) requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus())
  }
  const say = useLabel()
  const choose = async (chosen: FileList | null) => {
    const made = await Promise.all([...(chosen ?? [])].map(file => asSendable(file, proofBytes)))
    const next = made.filter(file => file !== undefined)
    if (next.length < made.length) {
      setFiles([])
      return setErrors(before => ({ ...before, proof: say(heicAdvice) }))
    }
    const isFine = next.length <= mostAppealProofs && next.every(file => /^image\/(jpeg|png)$/.test(file.type) && file.size <= proofBytes)
    setFiles(isFine ? next : [])
    setErrors(before => ({ ...before, proof: isFine ? undefined : t('appeal.proof.wrong') }))
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setRefusal(null)
    const found: Errors = {
      ...(reason.trim() === '' ? { reason: t('appeal.reason.need') } : {}),
      ...(files.length === 0 ? { proof: errors.proof ?? t('appeal.proof.need') } : {}),
    }
    show(found)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    try {
      const body = async () => {
        const data = new FormData()
        for (const [key, value] of Object.entries({ ...place, reason: reason.trim() })) data.set(key, value)
        if (appeal.needsName) data.set('realName', name.trim())
        for (const file of files) data.append('proof', file, file.name)
        return data
      }
      const sent = await api.request<Appeal>({ method: 'POST', path: '/blade-userappeal/userappeal/send', quiet: true, body })
      notify('success', t('appeal.sent'))
      onChange(sent)
      scrollTo(0, 0)
    } catch (error) {
      if (!isApiError(error)) throw error
      const named = fieldTexts(error) as Errors
      if (Object.keys(named).length > 0) show(named)
      else setRefusal(error.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form ref={form} className="p-stack p-gap-l" noValidate onSubmit={event => void send(event)}>
      <section className="p-card p-stack p-gap-l">
        {appeal.needsName && (
          <TextField
            label={t('appeal.name')}
            name="realName"
            required
            autoComplete="name"
            value={name}
            error={errors.realName}
            onChange={event => setName(event.target.value)}
          />
        )}
        <TextArea
          label={t('appeal.reason')}
          name="reason"
          required
          rows={4}
          maxLength={500}
          value={reason}
          error={errors.reason ?? null}
          onChange={event => {
            setReason(event.target.value)
            setErrors(before => ({ ...before, reason: undefined }))
          }}
        />
        <Field
          label={t('appeal.proof')}
          help={files.length === 0 ? t('appeal.proof.help') : files.map(file => file.name).join(' ')}
          error={errors.proof}
        >
          {ids => (
            <span className="p-btn is-block p-file-btn">
              <CameraIcon size={20} />
              <span aria-hidden="true">{r(files.length === 0 ? 'reg.choose' : 'reg.replace')}</span>
              <input
                {...ids}
                type="file"
                className="p-file-over"
                name="proof"
                multiple
                accept={acceptOf(['jpg', 'png'])}
                onChange={event => void choose(event.target.files)}
              />
            </span>
          )}
        </Field>
      </section>
      {refusal !== null && (
        <Callout tone="danger" live>
          {refusal}
        </Callout>
      )}
      <div className="p-actions">
        <Button type="submit" look="primary" block busy={busy}>
          {t('appeal.send')}
        </Button>
      </div>
    </form>
  )
}

/** An appeal about a number, opened by its key: what it is about, how it stands, and what is still to be sent. */
export const AppealPage = () => {
  const t = useT(appealTexts)
  const [params] = useSearchParams()
  const [no, key] = [params.get('no') ?? '', params.get('key') ?? '']
  const [appeal, setAppeal] = useState<Appeal | null | 'none'>(null)
  const read = useCallback(async () => {
    try {
      setAppeal(await api.call('GET /blade-userappeal/userappeal/state', { no, key }, { quiet: true }))
    } catch {
      setAppeal('none')
    }
  }, [no, key])
  useEffect(() => void read(), [read])
  if (appeal === null) return <Waiting />
  if (appeal === 'none')
    return (
      <>
        <PageTitle title={t('appeal.title')} />
        <Callout tone="warning">{t('appeal.none')}</Callout>
      </>
    )
  return (
    <>
      <PageTitle title={t('appeal.title')} />
      <div className="p-stack p-gap-l">
        <section className="p-card p-stack">
          <Facts
            facts={[
              { name: t('appeal.no'), value: <strong className="p-num">{appeal.no}</strong> },
              { name: t('appeal.kind'), value: t(`appeal.kind.${appeal.kind}`) },
              { name: t('appeal.idCard'), value: <span className="p-num">{appeal.idCardMask}</span> },
              { name: t('appeal.phone'), value: <span className="p-num">{appeal.phoneMask}</span> },
              { name: t('appeal.state'), value: t(stateKeys[appeal.state] ?? 'appeal.state.0') },
              appeal.remark !== '' && { name: t('appeal.remark'), value: appeal.remark },
            ]}
          />
          <p className="p-help">{t('appeal.keep')}</p>
        </section>
        {appeal.state === 0 && <AppealForm appeal={appeal} place={{ no, key }} onChange={setAppeal} />}
        {appeal.state === 2 && (
          <section className="p-card p-stack">
            <p>{t(upheldKeys[appeal.kind])}</p>
            <div className="p-row">
              {upheldKeys[appeal.kind] === 'appeal.upheld.account' && (
                <Button look="primary" onClick={() => enterAt('/register/forgot')}>
                  {t('appeal.toForgot')}
                </Button>
              )}
              <Button onClick={() => enterAt('/login')}>{t('appeal.toLogin')}</Button>
            </div>
          </section>
        )}
      </div>
    </>
  )
}
