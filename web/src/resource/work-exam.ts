import { usePermissionStore } from '../kernel/permission.ts'
import { useCall } from '../kernel/query.ts'
import { useExamRows } from './exams.ts'

/**
 * The examination with work for the person: where the oldest of what waits for them waits, else the newest that runs, else the newest. A page that
 * is about one and was told none begins there.
 *
 * @param path - of the menu whose work counts first
 */
export const useWorkExam = (path?: string, enabled = true): { readonly examId: string | null; readonly isKnown: boolean } => {
  const isGranted = usePermissionStore(state => state.granted !== null)
  const home = useCall('GET /me/home', {}, { quiet: true, enabled: enabled && isGranted, staleTimeMs: 30_000 })
  const exams = useExamRows(enabled)
  const isKnown = (home.data !== undefined || home.isError) && exams.data !== undefined
  if (!isKnown) return { examId: null, isKnown }
  const rows = exams.data?.records ?? []
  const todos = (home.data?.todos ?? []).filter(todo => todo.count > 0 && todo.key !== 'drafts' && rows.some(row => row.id === todo.examId))
  const work = todos.find(todo => todo.path === path) ?? todos[0]
  return { examId: work?.examId ?? rows.find(row => row.state === 1)?.id ?? rows[0]?.id ?? null, isKnown }
}
