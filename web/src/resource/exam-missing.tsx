import { EmptyState, FailedState, PageSkeleton } from '../ui/states.tsx'
import { useExamRows } from './exams.ts'

/** Stands for a page about an examination while there is none to choose: they are on their way, did not come, or there are none. */
export const ExamMissing = ({ text }: { readonly text: string }) => {
  const { data, error, refetch } = useExamRows()
  if (data !== undefined) return <EmptyState text={text} />
  return error === null ? <PageSkeleton /> : <FailedState text={error.message} onRetry={() => void refetch()} />
}
