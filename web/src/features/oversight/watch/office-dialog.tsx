import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useSaid } from '#web/kernel/said.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledInput, LabelledSelect } from '#web/ui/labelled.tsx'
import { daysOf, daysText } from './calendar.ts'
import { watchTexts } from './texts.ts'
import type { Days, Office } from './wire.ts'

interface Props {
  readonly office: Office
  readonly onDone: () => Promise<unknown>
  readonly onClose: () => void
}
const allDays: readonly Days[] = [1, 2, 3, 4, 5, 6, 7]
const hoursFrom = (first: number) =>
  Array.from({ length: 24 }, (_, index) => ({ value: first + index, label: `${String(first + index).padStart(2, '0')}:00` }))

/** When the tenant works; a change needs its reason, as it changes what rules see. */
export const OfficeDialog = ({ office, onDone, onClose }: Props) => {
  const t = useT(watchTexts)
  const [from, setFrom] = useState(office.from)
  const [to, setTo] = useState(office.to)
  const [days, setDays] = useState(office.days)
  const [off, setOff] = useState(daysText(office.daysOff))
  const [work, setWork] = useState(daysText(office.workDays))
  const [reason, setReason] = useState('')
  const [wrong, setWrong] = useSaid<Partial<Record<'to' | 'off' | 'work' | 'reason', string>>>({})
  const run = async (): Promise<boolean> => {
    const [daysOff, workDays] = [daysOf(off), daysOf(work)]
    const found = {
      ...(to <= from ? { to: t('rule.office.order') } : {}),
      ...('wrong' in daysOff ? { off: t('rule.office.wrong', { part: daysOff.wrong }) } : {}),
      ...('wrong' in workDays ? { work: t('rule.office.wrong', { part: workDays.wrong }) } : {}),
      ...(reason.trim() === '' ? { reason: t('rule.reason.need') } : {}),
    }
    setWrong(found)
    if (Object.keys(found).length > 0 || 'wrong' in daysOff || 'wrong' in workDays) return false
    try {
      await api.call('POST /blade-watch/rule/office', {
        ...{ from, to, days, reason: reason.trim() },
        daysOff: [...daysOff.days],
        workDays: [...workDays.days],
      })
      await onDone()
      return true
    } catch {
      return false // The api client has said why.
    }
  }
  return (
    <ActionDialog
      title={t('rule.office.edit')}
      actions={[{ label: t('rule.save'), run }]}
      hasChanges={() => reason !== '' || off !== daysText(office.daysOff) || work !== daysText(office.workDays)}
      onClose={onClose}
    >
      <p>{t('rule.edit.lead')}</p>
      <LabelledSelect
        label={t('rule.office.days')}
        value={days}
        options={allDays.map(value => ({ value: value as number, label: t(`rule.days.${value}`) }))}
        onChange={setDays}
      />
      <LabelledSelect label={t('rule.office.from')} value={from} options={hoursFrom(0)} onChange={setFrom} />
      <LabelledSelect label={t('rule.office.to')} error={wrong.to} value={to} options={hoursFrom(1)} onChange={setTo} />
      <LabelledInput label={t('rule.office.off')} rows={4} maxLength={5000} error={wrong.off} value={off} onChange={setOff} />
      <LabelledInput label={t('rule.office.work')} rows={3} maxLength={5000} error={wrong.work} value={work} onChange={setWork} />
      <LabelledInput label={t('rule.reason')} maxLength={200} error={wrong.reason} value={reason} onChange={setReason} />
    </ActionDialog>
  )
}
