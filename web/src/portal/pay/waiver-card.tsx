import { useState } from 'react'
import { heicAdvice } from '#contract/kernel/picture-name.ts'
import { stateOfWaiver, type WaiverKind, waiverKinds, waiverMachine } from '#contract/pay/waiver.state.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { endMinuteOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { acceptAttribute, asSendable, shrink } from '#web/kernel/picture.ts'
import { useSaid } from '#web/kernel/said.ts'
import { useRead } from '../calls.ts'
import { refresh } from '../data/answers.ts'
import { ask } from '../kit/ask.ts'
import { Tag } from '../kit/blocks.tsx'
import { Card } from '../kit/card.tsx'
import { SelectField, TextArea } from '../kit/field.tsx'
import { CameraIcon } from '../kit/page-icons.tsx'
import { Callout, Facts } from '../kit/page-ui.tsx'
import { Sheet } from '../kit/sheet.tsx'
import { toneOf } from '../kit/tone-of.ts'
import { Button } from '../kit/ui.tsx'
import { waiverTexts } from './waiver-texts.ts'

type Own = ApiOutput<'GET /blade-feeWaiver/feewaiver/mine'>[number]

const maxBytes = 5 * 1024 * 1024
const kinds = Object.keys(waiverKinds) as readonly WaiverKind[]

const WaiverSheet = ({ of, onClose }: { readonly of: Own; readonly onClose: (sent: boolean) => void }) => {
  const t = useT(waiverTexts)
  const label = useLabel()
  const [kind, setKind] = useState<string>(of.asked?.kind ?? '')
  const [reason, setReason] = useState(of.asked?.reason ?? '')
  const [proof, setProof] = useState<File>()
  const [errors, setErrors] = useSaid<Readonly<Record<string, string>>>({})
  const [refusal, setRefusal] = useSaid<string | null>(null)
  const [busy, setBusy] = useState(false)
  const hasProof = of.asked !== null
  const take = async (picked: File) => {
    const wrong = (text: string) => {
      setProof(undefined)
      setErrors({ ...errors, proof: text })
    }
    try {
      const sendable = await asSendable(picked, maxBytes)
      if (sendable === undefined) return wrong(label(heicAdvice))
      const file = await shrink(sendable, maxBytes)
      if (file.size > maxBytes) return wrong(t('waiver.tooBig'))
      setProof(file)
      setErrors(({ proof: _, ...rest }) => rest)
    } catch {
      wrong(t('waiver.broken'))
    }
  }
  const send = async () => {
    const found = {
      ...(kind === '' ? { kind: t('waiver.kindMissing') } : {}),
      ...([...reason.trim()].length < 5 ? { reason: t('waiver.reasonShort') } : {}),
      ...(proof === undefined && !hasProof ? { proof: t('waiver.proofMissing') } : {}),
    }
    setErrors(found)
    setRefusal(null)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    try {
      const body = async () => {
        const data = new FormData()
        for (const [name, value] of Object.entries({ examId: of.examId, kind, reason: reason.trim() })) data.set(name, value)
        if (proof !== undefined) data.set('proof', proof, proof.name)
        return data
      }
      await api.request({ method: 'POST', path: '/blade-feeWaiver/feewaiver/ask', quiet: true, timeoutMs: 120_000, body })
      notify('success', t('waiver.sent'))
      onClose(true)
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
    <Sheet
      title={t('waiver.ask')}
      firm
      onClose={() => onClose(false)}
      foot={
        <Button look="primary" busy={busy} onClick={() => void send()}>
          {t('waiver.send')}
        </Button>
      }
    >
      <p>{of.examName}</p>
      <SelectField
        label={t('waiver.kind')}
        required
        options={kinds.map(value => ({ value, label: label(waiverKinds[value]) }))}
        value={kind}
        error={errors.kind ?? null}
        onChange={value => {
          setKind(value)
          setErrors(({ kind: _, ...rest }) => rest)
        }}
      />
      <TextArea
        label={t('waiver.reason')}
        help={t('waiver.reasonHelp')}
        required
        rows={4}
        maxLength={300}
        value={reason}
        error={errors.reason ?? null}
        onChange={event => {
          setReason(event.target.value)
          setErrors(({ reason: _, ...rest }) => rest)
        }}
      />
      <div className="p-stack p-gap-s">
        <strong>{t('waiver.proof')}</strong>
        <p className="p-help">
          {proof !== undefined ? t('waiver.chosen', { name: proof.name }) : t(hasProof ? 'waiver.proofKept' : 'waiver.proofRule')}
        </p>
        <label className="p-btn is-block">
          <CameraIcon size={20} />
          {t('waiver.choose')}
          <input
            type="file"
            className="p-hidden"
            aria-label={`${t('waiver.choose')} ${t('waiver.proof')}`}
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
    </Sheet>
  )
}

const WaiverCard = ({ of }: { readonly of: Own }) => {
  const t = useT(waiverTexts)
  const label = useLabel()
  const [isOpen, setOpen] = useState(false)
  const { asked, mayAsk, until } = of
  const withdraw = async () => {
    if (!(await ask({ title: t('waiver.withdraw'), body: t('waiver.sure'), okText: t('waiver.withdraw'), danger: true }))) return
    try {
      await api.call('POST /blade-feeWaiver/feewaiver/withdraw', { examId: of.examId })
      notify('success', t('waiver.withdrawn'))
    } catch {
      // The client has said why.
    }
    await refresh()
  }
  const state = asked === null ? undefined : stateOfWaiver(asked.state)
  return (
    <Card title={t('waiver.title')}>
      <div className="p-stack">
        <p className="p-soft">{of.examName}</p>
        {asked === null || state === undefined ? (
          <p>{until === null ? t('waiver.leadOpen') : t('waiver.lead', { until: endMinuteOf(until) })}</p>
        ) : (
          <>
            <p>
              <Tag tone={toneOf(waiverMachine, asked.state)}>{label(waiverMachine.label[state])}</Tag>
            </p>
            <Facts
              facts={[
                { name: t('waiver.kind'), value: label(waiverKinds[asked.kind]) },
                { name: t('waiver.percent'), value: asked.percent !== null && `${asked.percent}%` },
                { name: t('waiver.remark'), value: asked.remark },
              ]}
            />
            {state === 'asked' && <p className="p-small p-dim">{t('waiver.waits')}</p>}
          </>
        )}
        {mayAsk && <Button onClick={() => setOpen(true)}>{t(asked === null ? 'waiver.ask' : 'waiver.again')}</Button>}
        {state === 'asked' && <Button onClick={() => void withdraw()}>{t('waiver.withdraw')}</Button>}
      </div>
      {isOpen && (
        <WaiverSheet
          of={of}
          onClose={sent => {
            setOpen(false)
            if (sent) void refresh()
          }}
        />
      )}
    </Card>
  )
}

/** Where fees are let off for those who cannot bear them, and what became of the request (amendment A11). */
export const WaiverCards = () => {
  const own = useRead('waivers', {}, { staleMs: 0 })
  return (
    <>
      {own.data?.map(of => (
        <WaiverCard key={of.examId} of={of} />
      ))}
    </>
  )
}
