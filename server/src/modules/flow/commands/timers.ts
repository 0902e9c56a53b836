import type { Label } from '#contract/kernel/label.ts'
import { audit } from '#kernel/audit.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import { findDefinition } from '../data/definition.repo.ts'
import { findTask, lockInstance, readInstance } from '../data/instance.repo.ts'
import type { FlowDeps } from '../deps.ts'
import { goOn } from '../domain/engine.ts'
import { isOver, moveTo, note, openWork } from './move.ts'
import { closeOpen, startProcess } from './work-tasks.ts'

export interface TimerPayload {
  readonly tenantId: string
  readonly kind: 'due' | 'remind' | 'boundary' | 'start'
  readonly taskId?: string
  readonly instanceId?: string
  readonly definitionId?: string
  readonly token?: number
  readonly node?: string
}

const words: Readonly<Record<'due' | 'remind', Label>> = {
  due: { zh: '已到办理时限', en: 'This is due' },
  remind: { zh: '请及时办理', en: 'Please deal with this' },
}
const tellAssignee = async (deps: FlowDeps, db: TenantDb, taskId: string, kind: 'due' | 'remind'): Promise<void> => {
  const task = await findTask(db, taskId)
  const instance = task && (await readInstance(db, task.instanceId))
  if (!instance || task.state !== 'open' || task.assignee === null) return
  const { zh, en } = words[kind]
  await deps.message.notify(db, {
    ...{ userId: task.assignee, examId: null, kind: 7, link: '/work/todo', eventKey: `flow-${kind}-${taskId}` },
    title: { zh: `${zh}：${task.name}`, en: `${en}: ${task.name}` },
    content: { zh: instance.title, en: instance.title },
  })
}

/** The time of a step is up: it goes on by the line of its timer, if it still waits by the same token. */
const timeOut = async (deps: FlowDeps, db: TenantDb, instanceId: string, token: number, nodeId: string): Promise<void> => {
  const row = await lockInstance(db, instanceId)
  const waits = row?.place.tokens.some(({ id, wait }) => id === token && wait === 'task')
  if (!row || !waits || isOver(row)) return
  const work = await openWork(deps, db, undefined, row)
  const node = work.graph.nodes[nodeId]
  const task = node?.attachedTo ? work.graph.nodes[node.attachedTo] : undefined
  if (!node || !task) return
  await closeOpen(work, token)
  note(work, { node: task.id, name: task.name, type: 'userTask', action: 'timeout' })
  await audit(db, undefined, {
    action: 'flow-task.timed-out',
    entity: 'flow_instance',
    entityId: instanceId,
    after: { step: task.name, title: row.title },
  })
  await moveTo(work, goOn(work.graph, row.place, token, row.vars, node))
}

const startByTimer = async (deps: FlowDeps, db: TenantDb, definitionId: string): Promise<void> => {
  const definition = await findDefinition(db, definitionId)
  if (!definition || definition.isDeleted || definition.state === 'suspended') return
  await startProcess(deps, db, undefined, {
    ...{ processDefinitionId: definitionId, title: definition.name, values: {}, businessTable: '', businessId: null },
    ...{ startUser: definition.createdBy, canReturn: true },
  })
}

/** Whatever waits for a time. Each asks anew whether it is still waited for, so that it may run twice. */
export const timerTask = (deps: FlowDeps): Task =>
  ({
    name: 'flow.timer',
    run: async (payload: TimerPayload, { now }) => {
      const { kind, taskId, instanceId, definitionId, token, node } = payload
      await deps.services.scopes.tx(systemOf(payload.tenantId), now, async db => {
        if ((kind === 'due' || kind === 'remind') && taskId !== undefined) await tellAssignee(deps, db, taskId, kind)
        else if (kind === 'boundary' && instanceId !== undefined && token !== undefined && node !== undefined)
          await timeOut(deps, db, instanceId, token, node)
        else if (kind === 'start' && definitionId !== undefined) await startByTimer(deps, db, definitionId)
      })
    },
  }) satisfies Task<TimerPayload> as unknown as Task
