import { type FormEvent, useEffect, useRef, useState } from 'react'
import { foldGroups } from '#contract/kernel/fold-width.ts'
import { tidyLine } from '#contract/kernel/tidy-text.ts'
import { checkMobile, mobileMessages } from '#contract/person/mobile.ts'
import { type PassportPart, readDocument } from '#contract/person/passport.ts'
import { maxProofs, type VerifiedField, verifiedChangeMachine, verifiedFields } from '#contract/person/verified-change.state.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { encrypt, prepareCipher } from '#web/kernel/cipher.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { useSmsCode } from '#web/kernel/use-sms-code.ts'
import { useRead } from '../calls.ts'
import { refresh } from '../data/answers.ts'
import { FileBox } from '../form/file-box.tsx'
import { todayOf } from '../form/model.ts'
import { newUploadQueue } from '../form/uploads.ts'
import { ask } from '../kit/ask.ts'
import { Tag } from '../kit/blocks.tsx'
import { RadioField, TextArea, TextField } from '../kit/field.tsx'
import { Load } from '../kit/load.tsx'
import { Callout } from '../kit/page-ui.tsx'
import { toneOf } from '../kit/tone-of.ts'
import { Button } from '../kit/ui.tsx'
import type { SignFile, UploadedFile } from '../wire.ts'
import { AppealNote, appealOf, type Refused } from './appeal-link.tsx'
import { changeTexts } from './change-texts.ts'
import { noPassport, PassportFields, passportInput, saidOf } from './passport-fields.tsx'

type Row = ApiOutput<'GET /blade-userupdateinfo/userupdateinfo/list'>['records'][number]
type Name = 'field' | 'value' | 'smsCode' | PassportPart | 'reason' | 'proofFileIds'

const stateKeys = ['change.state.0', 'change.state.1', 'change.state.2'] as const
const proofKey = 'proof'

const Request = ({ row }: { readonly row: Row }) => {
  const t = useT(changeTexts)
  const [busy, setBusy] = useState(false)
  const takeBack = async () => {
    if (!(await ask({ title: t('change.takeBack.ask'), okText: t('change.takeBack') }))) return
    setBusy(true)
    try {
      await api.call('POST /blade-userupdateinfo/userupdateinfo/remove', { ids: row.id })
      notify('success', t('change.takenBack'))
    } catch {
      // Said by the api client; what it is now is read again.
    }
    await refresh('verifiedChanges')
    setBusy(false)
  }
  return (
    <li>
      <div className="p-row-between">
        <span className="p-strong">{t(`change.field.${row.field}`)}</span>
        <Tag tone={toneOf(verifiedChangeMachine, row.state)}>{t(stateKeys[row.state] ?? 'change.state.0')}</Tag>
      </div>
      <span className="p-num">{t('change.to', { old: row.oldMask, new: row.newMask })}</span>
      <span className="p-small p-dim p-num">{t('change.time', { time: minuteOf(row.createTime) })}</span>
      {row.remark !== '' && <span>{t(row.state === 2 ? 'change.why' : 'change.note', { remark: row.remark })}</span>}
      {row.state === 0 && (
        <Button look="text" busy={busy} onClick={() => void takeBack()}>
          {t('change.takeBack')}
        </Button>
      )}
    </li>
  )
}

/** Proofs go up while the rest is typed; leaving cancels what is on its way. */
const useProofs = () => {
  const [files, setFiles] = useState<readonly UploadedFile[]>([])
  const [queue] = useState(() => newUploadQueue(file => setFiles(before => [...before, file])))
  useEffect(() => () => queue.dispose(), [queue])
  const onWay = queue.useUploads(state => state.uploads).length
  return { files, setFiles, queue, onWay }
}

const Form = ({ free }: { readonly free: readonly VerifiedField[] }) => {
  const t = useT(changeTexts)
  const lang = useLang()
  const form = useRef<HTMLFormElement>(null)
  const [chosen, setChosen] = useState<VerifiedField | undefined>(free[0])
  const field = chosen !== undefined && free.includes(chosen) ? chosen : free[0]
  const [value, setValue] = useState('')
  const sms = useSmsCode(value)
  const [smsCode, setSmsCode] = useState('')
  const [passport, setPassport] = useState(noPassport)
  const [reason, setReason] = useState('')
  const [errors, setErrors] = useSaid<Partial<Record<Name, string>>>({})
  const [refusal, setRefusal] = useSaid<string | null>(null)
  const [taken, setTaken] = useState<Refused | null>(null)
  const [busy, setBusy] = useState(false)
  const { files, setFiles, queue, onWay } = useProofs()
  if (field === undefined) return <Callout>{t('change.allWait')}</Callout>
  const rule: SignFile = {
    fileKey: proofKey,
    fileLabel: t('change.proof'),
    kind: 4,
    required: true,
    maxCount: maxProofs,
    accept: 'jpg,jpeg,png,pdf',
    maxKb: 2048,
    help: t('change.proof.help'),
  }
  const clear = (name: Name) => setErrors(before => ({ ...before, [name]: undefined }))
  const show = (found: Partial<Record<Name, string>>) => {
    setErrors(found)
    const [first] = Object.keys(found)
    const at = first === 'proofFileIds' ? `file:${proofKey}` : first
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(`[name="${at}"]`)?.focus())
  }
  /** What is wrong with a number of a document. */
  const documentProblems = (): Partial<Record<Name, string>> => {
    const read = field === 'idCard' ? readDocument(saidOf(value, passport), todayOf(serverNow())) : undefined
    if (read === undefined || read.ok) return {}
    return Object.fromEntries(read.problems.map(one => [one.field === 'idCard' ? 'value' : one.field, one.message[lang]]))
  }
  const problems = (): Partial<Record<Name, string>> => ({
    ...documentProblems(),
    ...(tidyLine(value) === '' ? { value: t('change.value.need', { field: t(`change.field.${field}`) }) } : {}),
    ...(field !== 'phone' || tidyLine(value) === ''
      ? {}
      : sms.smsId === null
        ? { smsCode: sms.first }
        : /^\d{6}$/.test(foldGroups(smsCode))
          ? {}
          : { smsCode: t('change.sms.need') }),
    ...(reason.trim() === '' ? { reason: t('change.reason.need') } : {}),
    ...(onWay > 0 ? { proofFileIds: t('change.proof.wait') } : files.length === 0 ? { proofFileIds: t('change.proof.need') } : {}),
  })
  const sendCode = () => {
    const phone = checkMobile(value)
    if (!phone.ok) return show({ ...errors, value: mobileMessages[phone.problem][lang] })
    void sms.send()
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setRefusal(null)
    setTaken(null)
    const found = problems()
    if (Object.keys(found).length > 0) return show(found)
    setBusy(true)
    try {
      const proofFileIds = files.map(file => file.fileId).join(',')
      await api.call(
        'POST /blade-userupdateinfo/userupdateinfo/submit',
        async () => ({
          field,
          value: await encrypt(tidyLine(value)),
          reason: reason.trim(),
          proofFileIds,
          ...(field === 'phone' ? { smsId: sms.smsId ?? '', smsCode: foldGroups(smsCode) } : {}),
          ...(field === 'idCard' ? passportInput(value, passport) : {}),
        }),
        { quiet: true },
      )
      setValue('')
      setSmsCode('')
      setPassport(noPassport)
      setReason('')
      setFiles([])
      setErrors({})
      notify('success', t('change.sent'))
      await refresh('verifiedChanges')
    } catch (error) {
      if (!isApiError(error)) throw error
      const named = fieldTexts(error) as Partial<Record<Name, string>>
      setTaken(appealOf(error))
      if (Object.keys(named).length > 0) show(named)
      else if (appealOf(error) === null) setRefusal(error.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form ref={form} className="p-stack p-gap-l" noValidate onFocus={prepareCipher} onSubmit={event => void send(event)}>
      <RadioField
        label={t('change.field')}
        name="field"
        required
        error={errors.field ?? null}
        options={free.map(one => ({ value: one, label: t(`change.field.${one}`) }))}
        value={field}
        onChange={next => {
          setChosen(next as VerifiedField)
          setValue('')
          setErrors({})
        }}
      />
      <TextField
        label={t('change.value')}
        name="value"
        required
        autoComplete="off"
        maxLength={50}
        inputMode={field === 'phone' ? 'numeric' : 'text'}
        help={t(`change.value.${field}`)}
        value={value}
        error={errors.value ?? null}
        onChange={event => {
          setValue(event.target.value)
          clear('value')
        }}
        side={
          field === 'phone' ? (
            <Button busy={sms.sending} disabled={sms.isWaiting} onClick={sendCode}>
              {sms.label}
            </Button>
          ) : undefined
        }
      />
      {field === 'idCard' && (
        <PassportFields
          idCard={value}
          values={passport}
          errors={errors}
          onChange={(key, next) => {
            setPassport(before => ({ ...before, [key]: next }))
            clear(key === 'idCardType' ? 'value' : key)
          }}
        />
      )}
      {field === 'phone' && (
        <TextField
          label={t('change.sms')}
          name="smsCode"
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          help={sms.note ?? t('change.sms.help')}
          value={smsCode}
          error={errors.smsCode ?? null}
          onChange={event => {
            setSmsCode(event.target.value)
            clear('smsCode')
          }}
        />
      )}
      <TextArea
        label={t('change.reason')}
        name="reason"
        required
        rows={3}
        maxLength={200}
        help={t('change.reason.help')}
        value={reason}
        error={errors.reason ?? null}
        onChange={event => {
          setReason(event.target.value)
          clear('reason')
        }}
      />
      <FileBox
        rule={rule}
        files={files}
        queue={queue}
        problem={errors.proofFileIds}
        locked={false}
        onRemove={fileId => setFiles(before => before.filter(file => file.fileId !== fileId))}
      />
      {taken !== null && <AppealNote refused={taken} />}
      {refusal !== null && (
        <Callout tone="danger" live>
          {refusal}
        </Callout>
      )}
      <Button type="submit" look="primary" block busy={busy}>
        {t('change.send')}
      </Button>
    </form>
  )
}

/** Asking to change what was verified at the registration (domain 6.3), and what became of it. */
export const VerifiedChange = () => {
  const t = useT(changeTexts)
  const requests = useRead('verifiedChanges', { current: 1, size: 50 }, { staleMs: 0, keep: true })
  return (
    <>
      <p>{t('change.intro')}</p>
      <Load query={requests} skeleton={[120, 240]}>
        {({ records }) => {
          const waiting = new Set(records.filter(row => row.state === 0).map(row => row.field))
          return (
            <>
              {records.length > 0 && (
                <section className="p-stack p-gap-s">
                  <h3>{t('change.mine')}</h3>
                  <ul className="p-seen" aria-label={t('change.mine')}>
                    {records.map(row => (
                      <Request key={row.id} row={row} />
                    ))}
                  </ul>
                  <h3>{t('change.new')}</h3>
                </section>
              )}
              <Form free={verifiedFields.filter(field => !waiting.has(field))} />
            </>
          )
        }}
      </Load>
    </>
  )
}
