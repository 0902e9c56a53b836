import { usePage } from '#web/shell/page-context.tsx'
import { InstancePage } from '../work/instance-page.tsx'
import { LeaveFacts } from './leave-facts.tsx'

/** S2.17: a leave with its progress. */
export const Page = () => {
  const { params } = usePage()
  return (
    <InstancePage processInstanceId={params['processInstanceId'] ?? ''} facts={<LeaveFacts businessId={params['businessId'] ?? ''} />} />
  )
}
