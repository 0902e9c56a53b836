import type { Label } from '#contract/kernel/label.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import { settleRows } from '../data/balance.repo.ts'
import { insertNotice } from '../data/notify.repo.ts'
import {
  claimRows,
  countToday,
  deliverInApp,
  failRows,
  findTask,
  finishTask,
  hasWaiting,
  listClaimed,
  listRepeated,
  lockTask,
  noteOutcomes,
  type RowOutcome,
  setWaitReason,
  takeWaiting,
  type WaitingRow,
} from '../data/send.repo.ts'
import { takeParts } from '../data/sms.repo.ts'
import { inTenant, type MessageKit } from '../deps.ts'
import { nextMorning, quietUntil } from '../domain/quiet.ts'
import type { SmsService } from '../providers/accounts.ts'
import { problemText } from '../providers/problem-text.ts'
import type { SmsAnswer, SmsOrder } from '../providers/provider.ts'
import { raiseSmsAlarm } from './alarm.ts'
import { dailyBudget, tellOfBudget } from './budget-news.ts'
import { askAbout, firstReceipt } from './deliver.ts'

/** Rows of one turn: few enough that a crash leaves little to ask about, enough that the database is not what it waits for. */
const rowsAtOnce = 64
const callsAtOnce = 16
const retryMs = 30_000
const mostRetries = 4

export const orderRun = (db: TenantDb, sendId: string, runAt?: Date): Promise<void> =>
  enqueue(db, 'message.run-send', { sendId }, { jobKey: `send-${sendId}`, queue: `send-${sendId}`, ...(runAt ? { runAt } : {}) })

const waitFor = async (db: TenantDb, sendId: string, reason: string, until: Date): Promise<undefined> => {
  await setWaitReason(db, sendId, reason)
  await orderRun(db, sendId, until)
  return undefined
}

interface Turn {
  readonly service: SmsService
  readonly orders: readonly { readonly row: WaitingRow; readonly order: SmsOrder }[]
}

/** Rows for which there is room in the budget of the day, in their order. */
const withinBudget = async (kit: MessageKit, db: TenantDb, rows: readonly WaitingRow[]): Promise<readonly WaitingRow[]> => {
  const budget = await dailyBudget(kit.deps, db)
  let left = budget - (await countToday(db))
  const kept: WaitingRow[] = []
  let parts = 0
  for (const row of rows) {
    const needed = row.isCounted ? 0 : row.segments
    if (needed > left) break
    left -= needed
    parts += needed
    kept.push(row)
  }
  // Others count too: what was just read may be taken by now.
  if (parts > 0 && (await takeParts(db, parts, budget)) === undefined) return []
  return kept
}

/** Takes the next rows of a task: written as given before anybody is called. @returns undefined when the task is over or waits, else what is to be sent */
const takeTurn = async (kit: MessageKit, db: TenantDb, sendId: string): Promise<Turn | undefined> => {
  const task = await lockTask(db, sendId)
  if (task?.state !== 2 || task.waitReason === 'problem') return undefined
  if (task.scheduleTime && task.scheduleTime > db.now) {
    await orderRun(db, sendId, task.scheduleTime)
    return undefined
  }
  const hours = (await kit.deps.parametersOf(db, ['sms.quiet']))['sms.quiet']
  const until = task.channel === 2 ? undefined : quietUntil(hours, db.now)
  if (until) return waitFor(db, sendId, 'quiet', until)
  const waiting = await takeWaiting(db, sendId, rowsAtOnce)
  if (waiting.length === 0) {
    await finishTask(db, sendId)
    return undefined
  }
  const repeated = task.isRepeat
    ? new Set<string>()
    : await listRepeated(
        db,
        sendId,
        waiting.map(row => row.sentKey),
      )
  const again = waiting.filter(row => repeated.has(row.sentKey)).map(row => row.id)
  if (again.length > 0) {
    await failRows(db, again, 'person', '24 小时内已发过同一模板')
    await settleRows(db, sendId, again)
  }
  const open = waiting.filter(row => !repeated.has(row.sentKey))
  const bySms = open.filter(row => row.channel !== 2)
  const kept = await withinBudget(kit, db, bySms)
  if (kept.length === 0 && bySms.length > 0) {
    await tellOfBudget(kit.services, db, 'usedUp')
    return waitFor(db, sendId, 'budget', nextMorning(db.now))
  }
  await setWaitReason(db, sendId, null)
  const inApp = [...open.filter(row => row.channel === 2), ...kept.filter(row => row.channel === 3)].map(row => row.id)
  if (inApp.length > 0) await deliverInApp(db, sendId, inApp)
  const service = await kit.sms.current(db)
  await claimRows(
    db,
    kept.map(row => row.id),
    service.provider.name,
    service.rowId,
  )
  const { cipher } = kit.services
  return {
    service,
    orders: kept.map(row => ({
      row,
      order: {
        phone: cipher.open(
          db.actor.tenantId,
          { table: 'sms_message', column: 'phone_sealed', rowId: row.id },
          row.phone ?? Buffer.alloc(0),
        ),
        signName: /^【([^】]+)】/.exec(row.content)?.[1] ?? service.signName,
        templateId: row.templateId,
        params: Object.entries(row.params),
        requestId: row.id,
        content: row.content,
      },
    })),
  }
}

const outcomeOf = (row: WaitingRow, answer: SmsAnswer, service: SmsService, now: Date, retries: number): RowOutcome => {
  const none = { id: row.id, providerId: null, failKind: null, failReason: null, askAt: null, isFreed: false }
  if (answer.ok) return { ...none, state: 1, providerId: answer.id, askAt: service.rowId === null ? null : firstReceipt(now) }
  if (answer.kind === 'unknown') return { ...none, state: 0, askAt: new Date(now.getTime() + 60_000) }
  if (answer.kind === 'retry' && retries < mostRetries) return { ...none, state: 0, isFreed: true }
  return {
    ...none,
    state: 3,
    failKind: answer.kind === 'retry' ? 'lost' : answer.kind,
    failReason: problemText(answer).zh,
  }
}

const sendAll = async ({ service, orders }: Turn): Promise<readonly { readonly row: WaitingRow; readonly answer: SmsAnswer }[]> => {
  const left = [...orders]
  const answers: { row: WaitingRow; answer: SmsAnswer }[] = []
  await Promise.all(
    Array.from({ length: callsAtOnce }, async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift())
        answers.push({ row: next.row, answer: await service.provider.send(next.order) })
    }),
  )
  return answers
}

/** Whoever sent it hears that it stands still, why, and what to do. */
const tellSender = async (db: TenantDb, sendId: string, why: Label): Promise<void> => {
  const task = await findTask(db, sendId)
  if (!task) return
  await insertNotice(db, {
    userId: task.createdBy,
    examId: null,
    kind: 7,
    title: { zh: '短信发送已暂停', en: 'Your task of messages is paused' },
    content: {
      zh: `“${task.title}”已暂停：${why.zh}。请联系管理员处理，然后在发送任务中点“继续发送”。`,
      en: `“${task.title}” is paused: ${why.en}. Ask an administrator to mend it, then choose “Go on” in the list of tasks.`,
    },
    link: '/send/send',
    eventKey: `send-paused:${sendId}:${db.now.getTime()}`,
  })
}

/** What became of one turn. @returns whether the next may follow at once */
const noteTurn = async (
  kit: MessageKit,
  db: TenantDb,
  sendId: string,
  { service }: Turn,
  answers: Awaited<ReturnType<typeof sendAll>>,
  retries: number,
): Promise<boolean> => {
  const outcomes = answers.map(({ row, answer }) => outcomeOf(row, answer, service, db.now, retries))
  await noteOutcomes(db, outcomes)
  await settleRows(
    db,
    sendId,
    outcomes.filter(one => one.state !== 0).map(one => one.id),
  )
  const bad = answers.flatMap(({ answer }) => (!answer.ok && (answer.kind === 'ours' || answer.kind === 'account') ? [answer] : []))
  const [first] = bad
  if (first) {
    // The next would fail like this one: somebody has to look first.
    await raiseSmsAlarm(kit, db, first, service)
    if (await hasWaiting(db, sendId)) {
      await setWaitReason(db, sendId, 'problem')
      await tellSender(db, sendId, problemText(first))
      return false
    }
  }
  if (outcomes.some(one => one.isFreed)) {
    await enqueue(
      db,
      'message.run-send',
      { sendId, retries: retries + 1 },
      { jobKey: `send-${sendId}`, queue: `send-${sendId}`, runAt: new Date(db.now.getTime() + retryMs) },
    )
    return false
  }
  return true
}

/**
 * Sends a task to its end, or until it has to wait. It may be run again at any time, also after its process was killed: a row that was given to the provider
 * is asked about and never sent again.
 */
export const runSend = async (kit: MessageKit, tenantId: string, sendId: string, retries: number): Promise<void> => {
  const left = await inTenant(kit, tenantId, db => listClaimed(db, sendId))
  for (const { id } of left) await askAbout(kit, tenantId, id)
  for (;;) {
    const turn = await inTenant(kit, tenantId, db => takeTurn(kit, db, sendId))
    if (!turn) return
    const answers = await sendAll(turn)
    const goesOn = await inTenant(kit, tenantId, db => noteTurn(kit, db, sendId, turn, answers, retries))
    if (!goesOn) return
  }
}
