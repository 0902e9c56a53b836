import { useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCall } from '#web/kernel/query.ts'
import { useSaid } from '#web/kernel/said.ts'
import { useDict } from '#web/resource/use-dict.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { Dialog } from '#web/ui/modal.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { dayTexts } from './day-texts.ts'

type Violation = ApiOutput<'GET /blade-ticket/day/violation'>

const Form = ({
  of,
  mayDecide,
  onClose,
  onDone,
}: {
  readonly of: Violation
  readonly mayDecide: boolean
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const t = useT(dayTexts)
  const clauses = useDict('violation_clause')
  const [decision, setDecision] = useState('')
  const [wrong, setWrong] = useSaid<string>()
  const isOpen = of.state === 0 && mayDecide
  const send = (outcome: 1 | 2) => async () => {
    setWrong(decision.trim() === '' ? t('decisionMissing') : undefined)
    if (decision.trim() === '') return false
    try {
      const body = { id: of.id, outcome, decision: decision.trim(), version: of.version }
      await api.call('POST /blade-ticket/day/decideViolation', body, { quiet: 'fields' })
      notify('success', t('done'))
      onDone()
      return true
    } catch (error) {
      setWrong(fieldTexts(error)['decision'])
      return false
    }
  }
  const signers = [of.firstSigner, of.secondSigner]
  return (
    <ActionDialog
      title={t('vTitle')}
      size="two"
      onClose={onClose}
      hasChanges={() => decision !== ''}
      actions={
        isOpen
          ? [
              { label: t('dismiss'), tone: 'plain', run: send(2) },
              { label: t('confirm'), tone: 'danger', run: send(1) },
            ]
          : []
      }
    >
      <p>
        <b>{of.name}</b> · {of.ticketNo} · {of.itemName} · {of.siteName} {of.roomNo}-{of.seatNo} · {minuteOf(of.happenedTime)}
      </p>
      <p>{clauses.find(one => one.value === of.clause)?.label ?? of.clause}</p>
      <p>{of.facts}</p>
      <h3>{t('evidence')}</h3>
      {of.evidence.length === 0 ? <p>{t('noEvidence')}</p> : null}
      <div className="day-pictures">
        {of.evidence.map((link, i) => (
          <a key={link} href={link} target="_blank" rel="noreferrer">
            <img src={link} alt={t('evidenceOf', { nth: i + 1 })} />
          </a>
        ))}
      </div>
      <div className="day-pictures">
        {of.signatures.map((link, i) => (
          <figure key={link}>
            <img src={link} alt={t('signature', { name: signers[i] ?? '' })} />
            <figcaption>{signers[i]}</figcaption>
          </figure>
        ))}
      </div>
      {of.decision === null || of.decidedTime === null ? null : (
        <p>{t('decided', { name: of.decidedBy ?? '', time: minuteOf(of.decidedTime), text: of.decision })}</p>
      )}
      {isOpen ? (
        <>
          <p className="dialog-lead">{t('decideLead')}</p>
          <LabelledInput label={t('decision')} error={wrong} rows={3} maxLength={500} value={decision} onChange={setDecision} />
        </>
      ) : null}
    </ActionDialog>
  )
}

/** A form from the room with its pictures; who may, decides about it here. */
export const ViolationDialog = (props: {
  readonly id: string
  readonly mayDecide: boolean
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const t = useT(dayTexts)
  const detail = useCall('GET /blade-ticket/day/violation', { id: props.id }, { staleTimeMs: 0 })
  if (detail.data !== undefined && !detail.isFetching) return <Form of={detail.data} {...props} />
  return (
    <Dialog title={t('vTitle')} onClose={props.onClose}>
      <Loaded query={{ ...detail, data: undefined }} skeletonRows={4}>
        {() => null}
      </Loaded>
    </Dialog>
  )
}
