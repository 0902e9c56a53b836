import { useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import type { Values } from '#web/resource/schema-form.tsx'
import { workTexts } from '../work/texts.ts'
import { daysIn } from './leave-form.ts'

/** The length of a leave beside its form; empty as long as there is none. */
export const useDaysText = (): ((values: Values) => string) => {
  const t = useT(workTexts)
  const hours = useCall('GET /blade-desk/process/leave/working-hours', {}, { quiet: true })
  return values => {
    const days = daysIn(values, hours.data)
    return days === null ? '' : t('leave.days.said', { days })
  }
}
