import { leaveDays, type WorkingHours } from '#contract/flow/leave-days.ts'
import { instant, ref, text } from '#contract/kernel/field.ts'
import { fromWireTime } from '#contract/kernel/when.ts'
import type { NamedField } from '#web/resource/fields.ts'
import type { Values } from '#web/resource/schema-form.tsx'

export const leaveFields: readonly NamedField[] = [
  { name: 'taskUser', field: ref('user', { label: { zh: '审批人', en: 'Approver' }, required: true }) },
  { name: 'startTime', field: instant({ label: { zh: '开始时间', en: 'From' }, required: true }) },
  { name: 'endTime', field: instant({ label: { zh: '结束时间', en: 'To' }, required: true, after: 'startTime' }) },
  { name: 'reason', field: text(255, { label: { zh: '请假事由', en: 'Reason' }, required: true, widget: 'textarea' }) },
]

/** How many days what was entered comes to; null as long as it is no span, or the hours are not known. */
export const daysIn = ({ startTime, endTime }: Values, hours: WorkingHours | undefined): number | null => {
  const [from, to] = [fromWireTime(String(startTime ?? '')), fromWireTime(String(endTime ?? ''))]
  return from === undefined || to === undefined || to <= from || hours === undefined ? null : leaveDays(from, to, hours)
}

/** The form of a leave as its calls take it. */
export const leaveOf = (values: Values) => ({
  taskUser: String(values['taskUser'] ?? ''),
  startTime: String(values['startTime'] ?? ''),
  endTime: String(values['endTime'] ?? ''),
  reason: String(values['reason'] ?? '').trim(),
})
