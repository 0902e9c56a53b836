import { randomModel, randomSteps } from './random-models.ts'

// A real Flowable 7.2.0 over its REST interface: what its engine makes of the same drawings.

export interface Flowable {
  readonly url: string
}
const call = async <T>({ url }: Flowable, method: string, path: string, body?: FormData | object): Promise<T> => {
  const isForm = body instanceof FormData
  const response = await fetch(`${url}/process-api${path}`, {
    method,
    headers: body === undefined || isForm ? {} : { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (response.status >= 300) throw new Error(`Flowable: ${method} ${path} ${response.status} ${text.slice(0, 300)}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}
const variablesOf = (values: Readonly<Record<string, unknown>>) => Object.entries(values).map(([name, value]) => ({ name, value }))

/** The open steps of a random process before each of its completions, as Flowable has them; the last is empty. */
export const stepsOnFlowable = async (flowable: Flowable, seed: number): Promise<readonly string[]> => {
  const { xml, variables } = randomModel(seed)
  const form = new FormData()
  form.append('file', new Blob([xml]), 'p.bpmn20.xml')
  const { id } = await call<{ id: string }>(flowable, 'POST', '/repository/deployments', form)
  const { data } = await call<{ data: readonly { id: string }[] }>(flowable, 'GET', `/repository/process-definitions?deploymentId=${id}`)
  const choose = randomSteps(seed, variables)
  const started = await call<{ id: string }>(flowable, 'POST', '/runtime/process-instances', {
    processDefinitionId: data[0]?.id,
    variables: variablesOf({ starter: '1', ...choose.values() }),
  })
  const seen: string[] = []
  for (;;) {
    const tasks = await call<{ data: readonly { id: string; taskDefinitionKey: string }[] }>(
      flowable,
      'GET',
      `/runtime/tasks?size=200&processInstanceId=${started.id}`,
    )
    const open = tasks.data.map(({ taskDefinitionKey }) => taskDefinitionKey).sort()
    seen.push(open.join(','))
    if (open.length === 0) return seen
    const next = choose.pick(open)
    const task = tasks.data.find(({ taskDefinitionKey }) => taskDefinitionKey === next)
    await call(flowable, 'POST', `/runtime/tasks/${task?.id}`, { action: 'complete', variables: variablesOf(choose.values()) })
  }
}
