import type { TodoKey } from '#contract/person/home.routes.ts'
import type { WarningKey } from '#contract/statistics/overview.routes.ts'
import type { Person } from './app.ts'

/** How much of a kind waits for somebody: on the first page, and on that of the examination, where nothing is left out; undefined: the line is not theirs. */
export const waitingFor = async (
  person: Person,
  examId: string,
  key: TodoKey & WarningKey,
): Promise<readonly [home: number | undefined, examination: number | undefined]> => {
  const { todos } = (await person.get('/me/home')).body.data
  const { warnings } = (await person.get('/blade-exam/examination/overview', { query: { examId } })).body.data
  const countIn = (rows: readonly { key: string; count: number }[]) => rows.find(row => row.key === key)?.count
  return [countIn(todos), countIn(warnings)]
}
