import { useState } from 'react'
import { heicAdvice } from '#contract/kernel/picture-name.ts'
import {
  type AccommodationKind,
  accommodationKinds,
  accommodationMachine,
  stateOfAccommodation,
} from '#contract/ticket/accommodation.state.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { acceptAttribute, asSendable, shrink } from '#web/kernel/picture.ts'
import { useSaid } from '#web/kernel/said.ts'
import { useRead } from '../calls.ts'
import { ask } from '../kit/ask.ts'
import { Tag } from '../kit/blocks.tsx'
import { Card } from '../kit/card.tsx'
import { CheckboxField, TextArea } from '../kit/field.tsx'
import { CameraIcon } from '../kit/page-icons.tsx'
import { Callout, Facts } from '../kit/page-ui.tsx'
import { toneOf } from '../kit/tone-of.ts'
import { Button } from '../kit/ui.tsx'
import { helpTexts } from './help-texts.ts'

type Own = ApiOutput<'GET /blade-ticket/accommodation/mine'>
type Asked = NonNullable<Own['asked']>

const maxBytes = 5 * 1024 * 1024
const kindLabels = Object.entries(accommodationKinds) as [AccommodationKind, { zh: string; en: string }][]

const HelpForm = ({
  examId,
  before,
  onClose,
  onDone,
}: {
  readonly examId: string
  readonly before: Asked | null
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const t = useT(helpTexts)
  const label = useLabel()
  const [kinds, setKinds] = useState<readonly string[]>(before?.kinds ?? [])
  const [reason, setReason] = useState(before?.reason ?? '')
  const [proof, setProof] = useState<File>()
  const [errors, setErrors] = useSaid<Readonly<Record<string, string>>>({})
  const [refusal, setRefusal] = useSaid<string | null>(null)
  const [busy, setBusy] = useState(false)
  const hasProof = before?.hasProof === true
  const take = async (picked: File) => {
    const wrong = (text: string) => {
      setProof(undefined)
      setErrors({ ...errors, proof: text })
    }
    try {
      const sendable = await asSendable(picked, maxBytes)
      if (sendable === undefined) return wrong(label(heicAdvice))
      const file = await shrink(sendable, maxBytes)
      if (file.size > maxBytes) return wrong(t('help.tooBig'))
      setProof(file)
      setErrors(({ proof: _, ...rest }) => rest)
    } catch {
      wrong(t('help.broken'))
    }
  }
  const send = async () => {
    const found = {
      ...(kinds.length === 0 ? { kinds: t('help.whatMissing') } : {}),
      ...([...reason.trim()].length < 5 ? { reason: t('help.reasonShort') } : {}),
      ...(proof === undefined && !hasProof ? { proof: t('help.proofMissing') } : {}),
    }
    setErrors(found)
    setRefusal(null)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    try {
      const body = async () => {
        const data = new FormData()
        for (const [name, value] of Object.entries({ examId, kinds: kinds.join(','), reason: reason.trim() })) data.set(name, value)
        if (proof !== undefined) data.set('proof', proof, proof.name)
        return data
      }
      await api.request({ method: 'POST', path: '/blade-ticket/accommodation/ask', quiet: true, timeoutMs: 120_000, body })
      notify('success', t('help.sent'))
      onDone()
    } catch (error) {
      if (!isApiError(error)) throw error
      const named = fieldTexts(error)
      if (Object.keys(named).length > 0) setErrors(named)
      else setRefusal(error.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className="p-stack p-gap-l"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void send()
      }}
    >
      <CheckboxField
        label={t('help.what')}
        required
        options={kindLabels.map(([value, text]) => ({ value, label: label(text) }))}
        value={kinds}
        error={errors.kinds ?? null}
        onChange={setKinds}
      />
      <TextArea
        label={t('help.reason')}
        help={t('help.reasonHelp')}
        required
        rows={4}
        maxLength={300}
        value={reason}
        error={errors.reason ?? null}
        onChange={event => setReason(event.target.value)}
      />
      <div className="p-stack p-gap-s">
        <strong>{t('help.proof')}</strong>
        <p className="p-help">
          {proof !== undefined ? t('help.chosen', { name: proof.name }) : hasProof ? t('help.proofKept') : t('help.proofRule')}
        </p>
        <label className="p-btn is-block">
          <CameraIcon size={20} />
          {t('help.choose')}
          <input
            type="file"
            className="p-hidden"
            aria-label={`${t('help.choose')} ${t('help.proof')}`}
            accept={acceptAttribute('jpg,jpeg,png,pdf')}
            onChange={event => {
              const [picked] = event.target.files ?? []
              event.target.value = ''
              if (picked !== undefined) void take(picked)
            }}
          />
        </label>
        {errors.proof !== undefined && (
          <p className="p-error" role="alert">
            {errors.proof}
          </p>
        )}
      </div>
      {refusal !== null && (
        <Callout tone="danger" live>
          {refusal}
        </Callout>
      )}
      <Button type="submit" look="primary" block busy={busy}>
        {t('help.send')}
      </Button>
      <Button block onClick={onClose}>
        {t('help.cancel')}
      </Button>
    </form>
  )
}

const AskedFacts = ({ asked }: { readonly asked: Asked }) => {
  const t = useT(helpTexts)
  const label = useLabel()
  const state = stateOfAccommodation(asked.state)
  return (
    <>
      <p>{state !== undefined && <Tag tone={toneOf(accommodationMachine, asked.state)}>{label(accommodationMachine.label[state])}</Tag>}</p>
      <Facts
        facts={[
          {
            name: t('help.what'),
            value: kindLabels
              .filter(([kind]) => asked.kinds.includes(kind))
              .map(([, text]) => label(text))
              .join(' · '),
          },
          { name: t('help.reason'), value: asked.reason },
          { name: t('help.minutes'), value: asked.extraMinutes !== null && t('help.minutesOf', { minutes: asked.extraMinutes }) },
          { name: t('help.remark'), value: asked.remark },
        ]}
      />
    </>
  )
}

/** What somebody needs because of a disability or illness: asked for here until seats are drawn, with what the office decided. */
export const HelpCard = ({ examId }: { readonly examId: string }) => {
  const t = useT(helpTexts)
  const own = useRead('accommodation', { examId }, { staleMs: 0 })
  const [isOpen, setOpen] = useState(false)
  if (own.data === undefined) return null
  const { mayAsk, asked } = own.data
  if (!mayAsk && asked === null) return null
  const done = () => {
    setOpen(false)
    void own.refetch()
  }
  const withdraw = async () => {
    if (!(await ask({ title: t('help.withdraw'), body: t('help.sure'), okText: t('help.withdraw'), danger: true }))) return
    try {
      await api.call('POST /blade-ticket/accommodation/withdraw', { examId })
      notify('success', t('help.withdrawn'))
    } catch {
      // The client has said why.
    }
    done()
  }
  return (
    <Card title={t('help.title')}>
      <div className="p-stack">
        {isOpen ? (
          <HelpForm examId={examId} before={asked} onClose={() => setOpen(false)} onDone={done} />
        ) : (
          <>
            {asked === null ? <p className="p-soft">{t('help.lead')}</p> : <AskedFacts asked={asked} />}
            {mayAsk && <Button onClick={() => setOpen(true)}>{t(asked === null ? 'help.ask' : 'help.again')}</Button>}
            {(asked?.state === 0 || asked?.state === 1) && <Button onClick={() => void withdraw()}>{t('help.withdraw')}</Button>}
          </>
        )}
      </div>
    </Card>
  )
}
