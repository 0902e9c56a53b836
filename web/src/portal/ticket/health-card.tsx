import { useState } from 'react'
import { heicAdvice } from '#contract/kernel/picture-name.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { acceptAttribute, asSendable, shrink } from '#web/kernel/picture.ts'
import { useSaid } from '#web/kernel/said.ts'
import { useRead } from '../calls.ts'
import { Card } from '../kit/card.tsx'
import { TextField } from '../kit/field.tsx'
import { Load } from '../kit/load.tsx'
import { CameraIcon } from '../kit/page-icons.tsx'
import { Callout } from '../kit/page-ui.tsx'
import { Button } from '../kit/ui.tsx'
import type { TicketItem } from '../wire.ts'
import { healthTexts } from './health-texts.ts'

type Demands = ApiOutput<'GET /blade-ticketNotice/ticketnotice/getTicketNoticeIsUpload'>
type Kind = 'jkm' | 'xcm' | 'hsjcbg'

const accept = 'jpg,jpeg,png'
/** As domain 5.8 wants pictures to travel; the server would take more. */
const maxBytes = 800 * 1024

const PictureBox = ({
  kind,
  file,
  error,
  onChange,
}: {
  readonly kind: Kind
  readonly file: File | undefined
  readonly error: string | undefined
  readonly onChange: (file: File | undefined, error?: string) => void
}) => {
  const t = useT(healthTexts)
  const label = useLabel()
  const take = async (picked: File) => {
    try {
      const sendable = await asSendable(picked, maxBytes)
      if (sendable === undefined) return onChange(undefined, label(heicAdvice))
      onChange(await shrink(sendable, maxBytes))
    } catch {
      onChange(undefined, t('health.broken'))
    }
  }
  return (
    <div className="p-stack p-gap-s">
      <strong>{t(`health.${kind}`)}</strong>
      <p className="p-help">{file === undefined ? t('health.rule') : t('health.chosen', { name: file.name })}</p>
      <label className="p-btn is-block">
        <CameraIcon size={20} />
        {file === undefined ? t('health.choose') : t('health.again')}
        <input
          type="file"
          className="p-hidden"
          aria-label={`${t('health.choose')} ${t(`health.${kind}`)}`}
          accept={acceptAttribute(accept)}
          onChange={event => {
            const [picked] = event.target.files ?? []
            event.target.value = ''
            if (picked !== undefined) void take(picked)
          }}
        />
      </label>
      {error !== undefined && (
        <p className="p-error" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

const HealthForm = ({
  examId,
  item,
  demands,
  onDone,
}: {
  readonly examId: string
  readonly item: TicketItem
  readonly demands: Demands
  readonly onDone: () => void
}) => {
  const t = useT(healthTexts)
  const kinds = demands.kinds as readonly Kind[]
  const [files, setFiles] = useState<Partial<Record<Kind, File>>>({})
  const [errors, setErrors] = useSaid<Partial<Record<Kind | 'issued', string>>>({})
  const [issued, setIssued] = useState('')
  const [refusal, setRefusal] = useSaid<string | null>(null)
  const [busy, setBusy] = useState(false)
  const send = async () => {
    const missing = kinds.filter(kind => files[kind] === undefined)
    const found = {
      ...Object.fromEntries(missing.map(kind => [kind, t('health.missing', { name: t(`health.${kind}`) })])),
      ...(issued === '' ? { issued: t('health.issuedMissing') } : {}),
    }
    setErrors(found)
    setRefusal(null)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    try {
      const body = async () => {
        const data = new FormData()
        const type = item.itemType === 2 ? '2' : '1'
        for (const [name, value] of Object.entries({ examId, itemId: item.itemId, type, reportTime: `${issued.replace('T', ' ')}:00` }))
          data.set(name, value)
        for (const kind of kinds) {
          const file = files[kind]
          if (file !== undefined) data.set(kind, file, file.name)
        }
        return data
      }
      const path = '/blade-ticketNotice/ticketnotice/savePicAndDownInfo'
      await api.request({ method: 'POST', path, quiet: true, timeoutMs: 120_000, body })
      notify('success', t('health.sent'))
      onDone()
    } catch (error) {
      setRefusal(isApiError(error) ? error.message : String(error))
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
      <p>{t('health.lead', { hours: demands.uploadHours })}</p>
      {kinds.map(kind => (
        <PictureBox
          key={kind}
          kind={kind}
          file={files[kind]}
          error={errors[kind]}
          onChange={(file, error) => {
            setFiles(({ [kind]: _, ...rest }) => (file === undefined ? rest : { ...rest, [kind]: file }))
            setErrors(({ [kind]: _, ...rest }) => (error === undefined ? rest : { ...rest, [kind]: error }))
          }}
        />
      ))}
      <TextField
        type="datetime-local"
        label={t('health.issued')}
        help={t('health.issuedHelp')}
        required
        value={issued}
        error={errors.issued}
        onChange={event => setIssued(event.target.value)}
      />
      {refusal !== null && (
        <Callout tone="danger" live>
          {refusal}
        </Callout>
      )}
      <Button type="submit" look="primary" block busy={busy}>
        {t('health.send')}
      </Button>
    </form>
  )
}

/** What a notice asks to be sent before the ticket can be had; nothing where it was sent. */
export const HealthCard = ({
  examId,
  item,
  onDone,
}: {
  readonly examId: string
  readonly item: TicketItem
  readonly onDone: () => void
}) => {
  const t = useT(healthTexts)
  const demands = useRead('healthDemands', { examId }, { staleMs: 0 })
  if (demands.data?.isUpload === false || demands.data?.done === true) return null
  return (
    <Card title={t('health.title')}>
      <Load query={demands} skeleton={[180]}>
        {asked => <HealthForm examId={examId} item={item} demands={asked} onDone={onDone} />}
      </Load>
    </Card>
  )
}
