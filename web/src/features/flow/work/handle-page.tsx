import { usePage } from '#web/shell/page-context.tsx'
import { TaskPage } from './task-page.tsx'

export const Page = () => {
  const { params } = usePage()
  return <TaskPage taskId={params['taskId'] ?? ''} />
}
