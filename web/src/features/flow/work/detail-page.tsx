import { usePage } from '#web/shell/page-context.tsx'
import { InstancePage } from './instance-page.tsx'

export const Page = () => {
  const { params } = usePage()
  return <InstancePage processInstanceId={params['processInstanceId'] ?? ''} />
}
