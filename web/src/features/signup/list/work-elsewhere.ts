import { useCall } from '#web/kernel/query.ts'

const listPath = '/examine/list'

/** Where reviews wait for the person when nothing waits in the examination at hand: the one whose oldest waits longest. */
export const useWorkElsewhere = (): ((examId: string) => { readonly examId: string; readonly examName: string } | null) => {
  const home = useCall('GET /me/home', {}, { quiet: true, staleTimeMs: 30_000 })
  return examId => {
    const todo = home.data?.todos.find(one => one.count > 0 && one.path === listPath && one.examId !== null && one.examId !== examId)
    return todo?.examId ? { examId: todo.examId, examName: todo.examName ?? '' } : null
  }
}
