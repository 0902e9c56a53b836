import type { ApiOutput } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import { Facts } from '#web/ui/facts.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { workTexts } from '../work/texts.ts'

export type Leave = ApiOutput<'GET /blade-desk/process/leave/detail'>
export const useLeave = (businessId: string) =>
  useCall('GET /blade-desk/process/leave/detail', { businessId }, { quiet: true, staleTimeMs: 0 })

/** Who wants to be away, when and why. */
export const LeaveFacts = ({ businessId }: { readonly businessId: string }) => {
  const t = useT(workTexts)
  return (
    <Loaded query={useLeave(businessId)} skeletonRows={4}>
      {leave => (
        <Facts
          items={[
            { key: 'applicant', label: t('leave.applicant'), value: leave.flow.assigneeName },
            { key: 'taskUser', label: t('leave.taskUser'), value: leave.taskUserName },
            { key: 'startTime', label: t('leave.startTime'), value: minuteOf(leave.startTime) },
            { key: 'endTime', label: t('leave.endTime'), value: minuteOf(leave.endTime) },
            { key: 'days', label: t('leave.days'), value: t('leave.days.count', { days: leave.days }) },
            { key: 'reason', label: t('leave.reason'), value: leave.reason },
            { key: 'applyTime', label: t('leave.applyTime'), value: minuteOf(leave.applyTime) },
          ]}
        />
      )}
    </Loaded>
  )
}
