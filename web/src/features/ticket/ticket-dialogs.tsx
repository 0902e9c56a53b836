import { useState } from 'react'
import { endBeside } from '#contract/kernel/when.ts'
import { ticketMachine } from '#contract/ticket/ticket.state.ts'
import { api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { Dialog } from '#web/ui/modal.tsx'
import { ReasonDialog } from '#web/ui/reason-dialog.tsx'
import { useStateWord } from '#web/ui/state-tag.tsx'
import type { TicketRow } from './calls.ts'
import { ticketTexts } from './texts.ts'
import './ticket.css'
import { useSaid } from '#web/kernel/said.ts'

interface Props {
  readonly ticket: TicketRow
  readonly onClose: () => void
  readonly onDone: () => void
}

/** One ticket moved to another seat (2305 when it is taken). */
export const AdjustDialog = ({ ticket, onClose, onDone }: Props) => {
  const t = useT(ticketTexts)
  const [place, setPlace] = useState({ siteCode: ticket.siteCode, roomNo: ticket.roomNo, seatNo: ticket.seatNo })
  const [remark, setRemark] = useState(ticket.remark ?? '')
  const [wrong, setWrong] = useSaid<Readonly<Record<string, string>>>({})
  const forms = { siteCode: /^\d{2}$/, roomNo: /^\d{3}$/, seatNo: /^\d{1,2}$/ } as const
  const send = async (): Promise<boolean> => {
    const bad = Object.fromEntries(
      (Object.keys(forms) as (keyof typeof forms)[]).flatMap(name => (forms[name].test(place[name]) ? [] : [[name, t('adjust.bad')]])),
    )
    setWrong(bad)
    if (Object.keys(bad).length > 0) return false
    try {
      await api.call(
        'POST /blade-exam/examination/saveTicket',
        { id: ticket.id, version: ticket.version, ...place, remark: remark.trim() === '' ? null : remark.trim() },
        { quiet: 'fields' },
      )
    } catch (error) {
      setWrong(fieldTexts(error))
      return false
    }
    notify('success', t('adjust.done'))
    onDone()
    return true
  }
  const input = (name: keyof typeof forms, label: string, max: number) => (
    <LabelledInput
      label={label}
      error={wrong[name]}
      inputMode="numeric"
      maxLength={max}
      value={place[name]}
      onChange={value => setPlace({ ...place, [name]: value.trim() })}
    />
  )
  return (
    <ActionDialog title={t('adjust.title')} actions={[{ label: t('action.save'), run: send }]} onClose={onClose}>
      <p>
        {ticket.name} · {ticket.ticketNo}
      </p>
      <p className="dialog-lead">{t('adjust.lead')}</p>
      <div className="adjust-grid">
        {input('siteCode', t('adjust.site'), 2)}
        {input('roomNo', t('adjust.room'), 3)}
        {input('seatNo', t('adjust.seat'), 2)}
      </div>
      <LabelledInput label={t('adjust.remark')} error={wrong.remark} maxLength={200} value={remark} onChange={setRemark} />
    </ActionDialog>
  )
}

export const VoidDialog = ({ ticket, onClose, onDone }: Props) => {
  const t = useT(ticketTexts)
  const send = async (reason: string) => {
    await api.call('POST /blade-exam/examination/delTicket', { id: ticket.id, reason })
    notify('success', t('void.done'))
    onDone()
  }
  return (
    <ReasonDialog
      title={t('void.title')}
      lead={t('void.lead', { name: ticket.name, ticketNo: ticket.ticketNo })}
      label={t('void.reason')}
      missing={t('void.reason.bad')}
      ok={t('list.void')}
      send={send}
      onClose={onClose}
    />
  )
}

export const ReissueDialog = ({ ticket, onClose, onDone }: Props) => {
  const t = useT(ticketTexts)
  const send = async (reason: string) => {
    await api.call('POST /blade-exam/examination/reissueTicket', { id: ticket.id, reason })
    notify('success', t('reissue.done'))
    onDone()
  }
  return (
    <ReasonDialog
      title={t('reissue.title')}
      lead={t('reissue.lead', { name: ticket.name, ticketNo: ticket.ticketNo })}
      label={t('void.reason')}
      missing={t('void.reason.bad')}
      ok={t('list.reissue')}
      send={send}
      onClose={onClose}
    />
  )
}

/** What was marked and noted of somebody at the door, the newest first. */
const Door = ({ ticketId }: { readonly ticketId: string }) => {
  const t = useT(ticketTexts)
  const trail = useCall('GET /blade-ticket/day/trail', { ticketId }, { staleTimeMs: 0 })
  if (trail.data === undefined || trail.data.length === 0) return null
  return (
    <>
      <h3>{t('info.door')}</h3>
      <ul>
        {trail.data.toReversed().map(mark => (
          <li key={mark.markId}>
            {minuteOf(mark.madeTime)} · {mark.by} · {t(`door.${mark.kind as 0 | 1 | 2 | 3 | 4}`)}
            {mark.note === '' ? '' : `: ${mark.note}`}
            {mark.saidTime === '' ? '' : ` · ${t('door.clock', { time: mark.saidTime })}`}
          </li>
        ))}
      </ul>
    </>
  )
}

/** What stands on a ticket, with what can be done about it. */
export const TicketDialog = ({
  ticket,
  mayEdit,
  mayVoid,
  mayPrint,
  onAdjust,
  onVoid,
  onPrint,
  onClose,
}: {
  readonly ticket: TicketRow
  readonly mayEdit: boolean
  readonly mayVoid: boolean
  readonly mayPrint: boolean
  readonly onAdjust: () => void
  readonly onVoid: () => void
  readonly onPrint: () => void
  readonly onClose: () => void
}) => {
  const t = useT(ticketTexts)
  const stateWord = useStateWord()
  const can = useCan()
  const state = ticket.ticketState as 0 | 1 | 2 | 3
  return (
    <Dialog
      title={t('info.title')}
      onClose={onClose}
      footer={() =>
        state === 3 ? null : (
          <div className="form-footer">
            {mayPrint ? (
              <button type="button" className="button" onClick={onPrint}>
                {t('ticket.print')}
              </button>
            ) : null}
            {mayVoid ? (
              <button type="button" className="button button-danger" onClick={onVoid}>
                {t('list.void')}
              </button>
            ) : null}
            {mayEdit ? (
              <button type="button" className="button button-primary" onClick={onAdjust}>
                {t('list.adjust')}
              </button>
            ) : null}
          </div>
        )
      }
    >
      <Facts
        items={[
          { key: 'no', label: t('list.ticketNo'), value: ticket.ticketNo },
          { key: 'name', label: t('list.name'), value: `${ticket.name} ${ticket.idCardMask}` },
          { key: 'unit', label: t('info.unit'), value: ticket.unitName },
          { key: 'post', label: t('list.post'), value: `${ticket.code} ${ticket.codeName}` },
          {
            key: 'time',
            label: t('info.time'),
            value: `${ticket.itemName} ${minuteOf(ticket.startTime)} – ${endBeside(ticket.startTime, ticket.endTime)}`,
          },
          { key: 'site', label: t('info.site'), value: ticket.siteName },
          { key: 'address', label: t('info.address'), value: ticket.siteAddress },
          { key: 'room', label: t('list.room'), value: `${ticket.roomNo} ${ticket.roomName}` },
          { key: 'seat', label: t('list.seat'), value: ticket.seatNo },
          { key: 'state', label: t('list.state'), value: stateWord(ticketMachine, ticket.ticketState) },
          { key: 'down', label: t('info.firstDown'), value: ticket.firstDownTime === null ? '' : minuteOf(ticket.firstDownTime) },
          { key: 'remark', label: t('info.remark'), value: ticket.remark },
        ]}
      />
      {can('examday_view') ? <Door ticketId={ticket.id} /> : null}
    </Dialog>
  )
}
