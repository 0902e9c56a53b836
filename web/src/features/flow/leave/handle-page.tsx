import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { usePage } from '#web/shell/page-context.tsx'
import { sendAsking } from '#web/ui/ask-doubts.ts'
import { Loaded } from '#web/ui/states.tsx'
import { WorkPeople } from '../work/people.tsx'
import { refreshWork } from '../work/refresh.ts'
import { RequestForm } from '../work/request-form.tsx'
import { TaskPage } from '../work/task-page.tsx'
import { workTexts } from '../work/texts.ts'
import { LeaveFacts, useLeave } from './leave-facts.tsx'
import { leaveFields, leaveOf } from './leave-form.ts'
import { useDaysText } from './use-days-text.ts'

const Resubmit = ({
  taskId,
  businessId,
  beside,
  onDone,
}: {
  readonly taskId: string
  readonly businessId: string
  readonly beside: ReactNode
  readonly onDone: () => void
}) => {
  const t = useT(workTexts)
  const client = useQueryClient()
  const daysText = useDaysText()
  return (
    <Loaded query={useLeave(businessId)} skeletonRows={4}>
      {({ taskUser, startTime, endTime, reason }) => (
        <RequestForm
          fields={leaveFields}
          initial={{ taskUser, startTime, endTime, reason }}
          slots={{ taskUser: props => <WorkPeople {...props} single /> }}
          said={daysText}
          beside={beside}
          submit={t('task.resubmit')}
          send={async values => {
            const input = { taskId, ...leaveOf(values) }
            await sendAsking((sure, options) => api.call('POST /blade-desk/process/leave/resubmit', { ...input, ...sure }, options))
            notify('success', t('task.done.resubmit'))
            await refreshWork(client)
            onDone()
          }}
        />
      )}
    </Loaded>
  )
}

/** S2.16: decides on leave, or mends what was returned. */
export const Page = () => {
  const { params } = usePage()
  const businessId = params['businessId'] ?? ''
  return (
    <TaskPage
      taskId={params['taskId'] ?? ''}
      facts={<LeaveFacts businessId={businessId} />}
      resubmit={(task, beside, onDone) => <Resubmit taskId={task.taskId} businessId={businessId} beside={beside} onDone={onDone} />}
    />
  )
}
