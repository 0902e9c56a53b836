import { useQueryClient } from '@tanstack/react-query'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCall } from '#web/kernel/query.ts'
import { moveOn } from '#web/shell/move-on.ts'
import { usePage } from '#web/shell/page-context.tsx'
import { sendAsking } from '#web/ui/ask-doubts.ts'
import { WorkPeople } from '../work/people.tsx'
import { refreshWork } from '../work/refresh.ts'
import { RequestForm } from '../work/request-form.tsx'
import { StepWarnings } from '../work/step-warnings.tsx'
import { workTexts } from '../work/texts.ts'
import { leaveFields, leaveOf } from './leave-form.ts'
import { useDaysText } from './use-days-text.ts'
import '../flow.css'

/** S2.15: asks for leave. */
export const Page = () => {
  const t = useT(workTexts)
  const { path, params } = usePage()
  const client = useQueryClient()
  const daysText = useDaysText()
  const processDefinitionId = params['processDefinitionId'] ?? ''
  const form = useCall('GET /blade-flow/work/start-form', { processDefinitionId }, { quiet: true })
  return (
    <div className="flow-page">
      <div className="page-head">
        <h1>{t('leave.form')}</h1>
      </div>
      <div className="card">
        <StepWarnings warnings={form.data?.warnings ?? []} />
        <RequestForm
          fields={leaveFields}
          initial={{}}
          slots={{ taskUser: props => <WorkPeople {...props} single /> }}
          said={daysText}
          submit={t('form.submit')}
          send={async values => {
            const input = { processDefinitionId, ...leaveOf(values) }
            await sendAsking((sure, options) => api.call('POST /blade-desk/process/leave/start-process', { ...input, ...sure }, options))
            notify('success', t('leave.sent'))
            await refreshWork(client)
            moveOn(path, '/work/start')
          }}
        />
      </div>
    </div>
  )
}
