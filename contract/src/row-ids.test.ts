import { expect, test } from 'vitest'
import { allRoutes } from './registry.ts'

type Schema = Readonly<Record<string, unknown>>
const propertiesOf = (schema: unknown): Schema => ((schema as Schema | undefined)?.['properties'] ?? {}) as Schema
const baseOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/**
 * Which call takes the id of a row of these lists, where none beside the list takes one called `id` or `ids`. An id is a text of digits wherever it
 * is taken, so what it is of is not read from the declarations: a new list names its call here, or has one beside it.
 */
const takenBy: Readonly<Record<string, readonly [route: string, field: string]>> = {
  '/blade-flow/manager/list': ['POST /blade-flow/manager/change-state', 'processId'],
  '/blade-flow/work/start-list': ['POST /blade-flow/work/start-process', 'processDefinitionId'],
  '/blade-flow/work/people': ['POST /blade-flow/work/transfer-task', 'userId'],
  '/blade-flow/follow/list': ['POST /blade-flow/follow/delete-process-instance', 'processInstanceId'],
  '/blade-signup/examine/getExamineList': ['POST /blade-signup/examine/open', 'signUpId'],
  '/blade-signup/statistics/getExamItemByExamId': ['GET /blade-signup/statistics/getPayByGW', 'itemId'],
  '/me/messages': ['POST /blade-exam/examination/readNotify', 'ids'],
  // A difference is settled where its day is compared again.
  '/blade-reconciliation/difference/list': ['POST /blade-reconciliation/reconciliation/submit', 'id'],
}
/** Lists whose rows are read and nothing more, each with why their ids are answered. */
const readOnly: ReadonlySet<string> = new Set([
  // The way of an instance: ids tell its lines apart in a client's table.
  '/blade-flow/process/history-flow-list',
])

test('the ids of every list are taken by a call', () => {
  const routes = allRoutes()
  const withId = new Set(
    routes.flatMap(route => {
      const taken = propertiesOf(route.input)
      return 'id' in taken || 'ids' in taken ? [baseOf(route.path)] : []
    }),
  )
  const lists = routes.flatMap(({ method, path, output }) => {
    const rows = (output as Schema)['items'] ?? (propertiesOf(output)['records'] as Schema | undefined)?.['items']
    return method === 'GET' && 'id' in propertiesOf(rows) && !withId.has(baseOf(path)) ? [path] : []
  })
  expect(lists.filter(path => !(path in takenBy) && !readOnly.has(path))).toEqual([])
  const missing = Object.values(takenBy).filter(([call, field]) => {
    const found = routes.find(({ method, path }) => `${method} ${path}` === call)
    return found === undefined || !(field in propertiesOf(found.input))
  })
  expect(missing).toEqual([])
  // None is named that is no list any more, or has a call beside it by now.
  expect([...Object.keys(takenBy), ...readOnly].filter(path => !lists.includes(path))).toEqual([])
})
