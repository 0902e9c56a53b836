import { expect } from 'vitest'
import type { Answer, Person } from './app.ts'

/** What an answer carries, which has to be a good one. */
export const dataOf = (answer: Answer) => {
  expect([answer.status, answer.body?.msg]).toEqual([200, expect.anything()])
  return answer.body.data
}
export const refusalOf = ({ status, body }: Answer) => [status, body.reason]

/** Saves a drawing and deploys it. @returns the id of its definition */
export const deployDrawing = async (by: Person, modelEditorXml: string, category = 'flow_4'): Promise<string> => {
  const { id } = dataOf(await by.post('/blade-flow/model/submit', { json: { modelEditorXml } }))
  return dataOf(await by.post('/blade-flow/model/deploy', { json: { modelId: id, category } })).definitions[0].id
}
export const startDrawing = async (by: Person, processDefinitionId: string, values: object = {}, title = '采购申请'): Promise<string> =>
  dataOf(await by.post('/blade-flow/work/start-process', { json: { processDefinitionId, title, values } })).processInstanceId
export const workOf = async (kind: string, by: Person, instanceId: string): Promise<readonly Record<string, unknown>[]> =>
  dataOf(await by.get(`/blade-flow/work/${kind}-list`, { query: { size: 200 } })).records.filter(
    (row: { processInstanceId: string }) => row.processInstanceId === instanceId,
  )
/** The caller's open task of a process; empty where there is none. */
export const todoOf = async (by: Person, instanceId: string): Promise<string> =>
  String((await workOf('todo', by, instanceId))[0]?.['taskId'] ?? '')
export const finishTask = (by: Person, taskId: string, flag: string | undefined, comment = '') =>
  by.post('/blade-flow/work/complete-task', { json: { taskId, comment, ...(flag ? { flag } : {}) } })
