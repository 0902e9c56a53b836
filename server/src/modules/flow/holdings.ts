import { applicantStep } from '#contract/flow/process-graph.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Holding, LetGo, Worker } from '#kernel/holding.ts'
import { note, openWork, poolOf, save, stop, type Work } from './commands/move.ts'
import { candidateRows, delegatedTaskRows, openTaskRows } from './data/holding.repo.ts'
import {
  barredFrom,
  candidatesOf,
  dropCandidate,
  findTask,
  giveTask,
  insertCandidates,
  lockInstanceOfTask,
  returnTask,
  setOwner,
  type TaskRow,
  tasksOf,
} from './data/instance.repo.ts'
import { firstActive, membersOf, superiorOf } from './data/people.repo.ts'
import type { FlowDeps } from './deps.ts'

const lockOpenTask = async (db: TenantDb, id: string) => {
  const row = await lockInstanceOfTask(db, id)
  const task = row && (await findTask(db, id))
  return row && task?.state === 'open' ? { row, task } : undefined
}
/** Whether somebody can still claim it. */
const isClaimable = async (db: TenantDb, task: TaskRow): Promise<boolean> => {
  const barred = await barredFrom(db, task)
  return (await membersOf(db, await candidatesOf(db, task.id), barred.size + 1)).some(id => !barred.has(id))
}

const line = (task: TaskRow, action: string, target: string) => ({
  ...{ node: task.node, name: task.name, type: 'userTask', action, taskId: task.id, assignee: task.assignee, startedAt: task.createdAt },
  target,
})

/** The first of these who may have the task: it is not their own request, nothing bars them, and they have no other part of the same step. */
const firstFor = async (
  { db }: Work,
  task: TaskRow,
  from: Worker,
  people: readonly (Worker | undefined)[],
): Promise<Worker | undefined> => {
  const beside = (await tasksOf(db, task.instanceId)).filter(one => one.state === 'open' && one.token === task.token)
  const barred = await barredFrom(db, task)
  return people.find(
    one =>
      one !== undefined &&
      one.id !== from.id &&
      !barred.has(one.id) &&
      !beside.some(({ assignee, owner }) => assignee === one.id || owner === one.id),
  )
}
/** Who gets what nobody else could take: the superior of whoever leaves, whoever acts, the superior of the applicant, an administrator. */
const inStead = async (work: Work, task: TaskRow, { from, stead }: LetGo): Promise<Worker | undefined> => {
  const named = async (id: string | undefined) => (id === undefined ? undefined : { id, name: '' })
  return firstFor(work, task, from, [
    await named(await superiorOf(work.db, from.id)),
    stead,
    await named(await superiorOf(work.db, work.now.startUser)),
    ...(await firstActive(work.db, ['admin', 'administrator'])),
  ])
}

const passTask = async (work: Work, task: TaskRow, call: LetGo): Promise<void> => {
  const { db } = work
  const next = call.to && (await firstFor(work, task, call.from, [call.to]))
  const pool = next === undefined && task.sign === null ? await poolOf(work, task.node) : []
  const barred = await barredFrom(db, task)
  const others = pool.length === 0 ? [] : (await membersOf(db, pool, barred.size + 2)).filter(id => id !== call.from.id && !barred.has(id))
  if (others.length > 0) {
    await returnTask(db, task.id)
    insertCandidates(db, task.id, pool)
    note(work, line(task, 'unclaim', ''))
    return
  }
  const person = next ?? (await inStead(work, task, call))
  if (person === undefined) return
  await giveTask(db, task.id, person.id, task.owner)
  note(work, line(task, 'assign', person.name))
}

/** Work that processes ask of people by name. What a role, a duty post or a department is asked for goes to whoever can act when it is asked. */
export const flowHoldings = (deps: FlowDeps): readonly Holding[] => [
  {
    name: 'flow.tasks',
    label: { zh: '流程待办', en: 'Tasks of processes' },
    columns: ['flow_task.assignee'],
    pool: { zh: '退回待签；无人可签的转给其上级', en: 'Back to whoever may claim it; else to their superior' },
    rows: openTaskRows,
    letGo: async call => {
      for (const id of call.ids) {
        const held = await lockOpenTask(call.db, id)
        if (!held || held.task.assignee !== call.from.id) continue
        const work = await openWork(deps, call.db, call.ctx, held.row)
        // Nobody else can change what somebody asked for.
        if (held.task.node === applicantStep) await stop(work, 'cancel', '')
        else {
          await passTask(work, held.task, call)
          await save(work, undefined)
        }
      }
    },
  },
  {
    name: 'flow.delegated',
    label: { zh: '委派给他人、完成后回到本人的待办', en: 'Tasks delegated to others that come back' },
    columns: ['flow_task.owner'],
    pool: { zh: '由受托人直接办结', en: 'Whoever has it completes it' },
    rows: delegatedTaskRows,
    letGo: async call => {
      for (const id of call.ids) {
        const held = await lockOpenTask(call.db, id)
        if (!held || held.task.owner !== call.from.id) continue
        const work = await openWork(deps, call.db, call.ctx, held.row)
        const next = call.to && (await firstFor(work, held.task, call.from, [call.to]))
        await setOwner(call.db, id, next?.id ?? null)
        note(work, line(held.task, 'assign', next?.name ?? ''))
        await save(work, undefined)
      }
    },
  },
  {
    name: 'flow.candidates',
    label: { zh: '点名待签的任务', en: 'Tasks to claim, asked of the person by name' },
    columns: ['flow_candidate.ref'],
    pool: { zh: '由其他候选人签收；没有的转给其上级', en: 'The others may claim it; else their superior' },
    rows: candidateRows,
    letGo: async call => {
      for (const id of call.ids) {
        const held = await lockOpenTask(call.db, id)
        if (!held || held.task.assignee !== null) continue
        const work = await openWork(deps, call.db, call.ctx, held.row)
        await dropCandidate(call.db, id, call.from.id)
        const next = call.to && (await firstFor(work, held.task, call.from, [call.to]))
        const person = next ?? ((await isClaimable(call.db, held.task)) ? undefined : await inStead(work, held.task, call))
        if (person) insertCandidates(call.db, id, [{ kind: 'user', ref: person.id }])
      }
    },
  },
]
