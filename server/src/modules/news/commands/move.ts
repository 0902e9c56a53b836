import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { stateOfWire, step } from '#contract/kernel/machine.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { fromWireTime, toWireTime } from '#contract/kernel/when.ts'
import { refuseNews } from '#contract/news/news.errors.ts'
import { news } from '#contract/news/news.resource.ts'
import { notice } from '#contract/news/notice.resource.ts'
import { type NoticeEvent, noticeMachine } from '#contract/news/notice.state.ts'
import { type PeriodWarning, periodWarnings } from '#contract/news/periods.ts'
import { noticeScope, stateWords } from '#contract/news/words.ts'
import { audit } from '#kernel/audit.ts'
import { tellCaches } from '#kernel/db/changes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { rowScopeOf } from '#kernel/http/row-scope.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import { lockNews, type NewsFacts } from '../data/news.repo.ts'
import { lockNotice, type NoticeFacts, setState, setTop } from '../data/notice.repo.ts'
import { findExamFacts } from '../data/publicity.repo.ts'
import type { NewsKit } from '../deps.ts'
import { readPolicy } from './policy.ts'

/** Every process reads anew what is public of this tenant. */
export const tellBoards = (db: TenantDb): Promise<void> => tellCaches(db, `news:${db.actor.tenantId}`)

export interface Move {
  readonly id: string
  readonly event: NoticeEvent
  readonly reason?: string | undefined
  readonly version?: number | undefined
  readonly releaseTime?: string | undefined
}

const eventWords = {
  publish: { zh: '发布', en: 'published' },
  withdraw: { zh: '下架', en: 'withdrawn' },
  revise: { zh: '改为草稿', en: 'made a draft' },
} as const satisfies Readonly<Record<NoticeEvent, object>>
const trail = { publish: 'published', withdraw: 'withdrawn', revise: 'revised' } as const satisfies Readonly<Record<NoticeEvent, string>>

interface Moved {
  readonly state: number
  readonly releaseTime: Date | null
  readonly withdrawnAt: Date | null
  readonly reason: string | null
}

/** While somebody presses the button a minute may pass. */
const graceMs = 60_000
/** Where an event leads, with the times that go with it. Nothing is published for a time that has passed. */
const decide = (row: NoticeFacts | NewsFacts, move: Move, now: Date): Moved | Refusal => {
  const from = stateOfWire(noticeMachine, row.state)
  const to = from && step(noticeMachine, from, move.event)
  const isOut = row.releaseTime !== null && row.releaseTime <= now
  const refused = () => refuseNews('news/state', { title: row.title, state: stateWords[row.state] ?? '', event: eventWords[move.event] })
  if (to === undefined || (from === 'published' && move.event === 'revise' && isOut)) return refused()
  const state = noticeMachine.wire[to]
  if (move.event === 'publish') {
    const sent = move.releaseTime === undefined ? undefined : fromWireTime(move.releaseTime)
    if (sent && sent.getTime() < now.getTime() - graceMs)
      return refuseField('releaseTime', {
        zh: '发布时间已过，请改为以后的时间，或留空立即发布',
        en: 'This time has passed: choose a later one, or leave it empty to publish now',
      })
    const wanted = sent ?? row.releaseTime ?? now
    return { state, releaseTime: wanted < now ? now : wanted, withdrawnAt: null, reason: null }
  }
  if (move.event === 'withdraw') {
    const reason = move.reason?.trim() ?? ''
    if (reason === '') return refuseField('reason', { zh: '请填写下架原因', en: 'Say why it is withdrawn' })
    return { state, releaseTime: row.releaseTime, withdrawnAt: isOut ? now : null, reason }
  }
  return { state, releaseTime: null, withdrawnAt: row.withdrawnAt, reason: null }
}

const findForMove = async <T extends NoticeFacts | NewsFacts>(row: Promise<T | undefined>, move: Move): Promise<T> => {
  const found = await row
  if (!found) throw new Refused(refuse('kernel/not-found', {}))
  if (move.version !== undefined && move.version !== found.version) throw new Refused(refuse('kernel/changed-meanwhile', {}))
  return found
}
const accept = (moved: Moved | Refusal): Moved => {
  if ('refused' in moved) throw new Refused(moved)
  return moved
}

const store = async (ctx: Ctx, db: TenantDb, table: 'notice' | 'news', row: NoticeFacts | NewsFacts, move: Move, moved: Moved) => {
  await setState(db, table, row.id, moved)
  await audit(db, ctx, {
    action: `${table}.${trail[move.event]}`,
    entity: table,
    entityId: row.id,
    before: { title: row.title, state: row.state },
    after: { state: moved.state, releaseTime: moved.releaseTime && toWireTime(moved.releaseTime) },
    ...(moved.reason === null ? {} : { reason: moved.reason }),
  })
  await tellBoards(db)
}

export const isAddressed = ({ scope, needSure }: Pick<NoticeFacts, 'scope' | 'needSure'>): boolean =>
  scope !== noticeScope.everybody || needSure

const warningsOf = async (kit: NewsKit, db: TenantDb, row: NoticeFacts, releaseTime: Date): Promise<readonly PeriodWarning[]> => {
  const exam = row.examId === null ? undefined : await findExamFacts(db, row.examId)
  return periodWarnings({ ...row, releaseTime, exam: exam ?? null }, await readPolicy(kit, db))
}

/** Publishes, withdraws or revises a notice; a dry run says what publishing would be warned of. */
export const moveNotice = async (kit: NewsKit, ctx: Ctx, db: TenantDb, move: Move, isDry: boolean) => {
  const row = await findForMove(lockNotice(db, move.id, rowScopeOf(ctx.session, notice)), move)
  const moved = accept(decide(row, move, ctx.arrivedAt))
  const { releaseTime } = moved
  if (move.event === 'publish' && releaseTime && row.endTime && row.endTime <= releaseTime)
    throw new Refused(refuseField('releaseTime', { zh: '发布时间须早于结束时间', en: 'It must be published before it ends' }))
  const warnings = move.event === 'publish' && releaseTime ? await warningsOf(kit, db, row, releaseTime) : []
  if (!isDry) {
    await store(ctx, db, 'notice', row, move, moved)
    if (move.event === 'publish' && isAddressed(row)) await enqueue(db, 'news.address', { noticeId: row.id })
  }
  return {
    state: isDry ? row.state : moved.state,
    releaseTime: releaseTime && toWireTime(releaseTime),
    warnings: warnings.map(({ field, text }) => ({ field, text: ctx.say(text) })),
  }
}

export const moveNews = async (ctx: Ctx, db: TenantDb, move: Move) => {
  const row = await findForMove(lockNews(db, move.id, rowScopeOf(ctx.session, news)), move)
  const moved = accept(decide(row, move, ctx.arrivedAt))
  await store(ctx, db, 'news', row, move, moved)
  return { state: moved.state, releaseTime: moved.releaseTime && toWireTime(moved.releaseTime) }
}

export const putOnTop = async (ctx: Ctx, db: TenantDb, id: string, isTop: boolean): Promise<{ isTop: boolean } | Refusal> => {
  const row = await lockNotice(db, id, rowScopeOf(ctx.session, notice))
  if (!row) return refuse('kernel/not-found', {})
  if (row.isTop !== isTop) {
    await setTop(db, id, isTop)
    await audit(db, ctx, {
      action: isTop ? 'notice.put-on-top' : 'notice.taken-from-top',
      entity: 'notice',
      entityId: id,
      before: { isTop: row.isTop },
      after: { isTop },
    })
    await tellBoards(db)
  }
  return { isTop }
}
