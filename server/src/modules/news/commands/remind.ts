import { refuse } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { toWireDay } from '#contract/kernel/when.ts'
import { refuseNews } from '#contract/news/news.errors.ts'
import { notice } from '#contract/news/notice.resource.ts'
import { noticeMachine } from '#contract/news/notice.state.ts'
import { stateWords } from '#contract/news/words.ts'
import { audit } from '#kernel/audit.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { rowScopeOf } from '#kernel/http/row-scope.ts'
import { enqueue, type Task } from '#kernel/queue/outbox.ts'
import { listedUserScope } from '#modules/access/index.ts'
import { lockNotice, noteReminded } from '../data/notice.repo.ts'
import { addressNotice, countNoticeReads, listNotifyReads, listWaiting } from '../data/read.repo.ts'
import type { NewsKit } from '../deps.ts'
import { isAddressed } from './move.ts'

const system = 7
const batch = 1_000
/** A title of a message has a length. */
const cut = (text: string, length: number): string => {
  const chars = [...text]
  return chars.length <= length ? text : `${chars.slice(0, length - 1).join('')}…`
}

/** Everybody who has not read a notice, or not confirmed one that must be, is told once more; once a day. */
export const remindNotice = async (ctx: Ctx, db: TenantDb, noticeId: string): Promise<{ people: number } | Refusal> => {
  const row = await lockNotice(db, noticeId, rowScopeOf(ctx.session, notice))
  if (!row) return refuse('kernel/not-found', {})
  if (row.state !== noticeMachine.wire.published || !row.releaseTime || row.releaseTime > ctx.arrivedAt)
    return refuseNews('news/state', {
      title: row.title,
      state: stateWords[row.state] ?? '',
      event: { zh: '提醒', en: 'reminded of' },
    })
  if (!isAddressed(row)) return refuseNews('news/not-addressed', {})
  if (row.remindedAt && toWireDay(row.remindedAt) === toWireDay(ctx.arrivedAt)) return refuseNews('news/reminded', {})
  await addressNotice(db, noticeId)
  const people = await countNoticeReads(db, { noticeId, formerVersion: undefined, state: row.needSure ? 3 : 1 })
  await noteReminded(db, noticeId)
  await enqueue(db, 'news.remind', { noticeId, day: toWireDay(ctx.arrivedAt) })
  await audit(db, ctx, { action: 'notice.reminded', entity: 'notice', entityId: noticeId, after: { title: row.title, people } })
  return { people }
}

/** Of messages: those of them that have not been read, or not confirmed though they must be. */
export const remindNotify = async (kit: NewsKit, ctx: Ctx, db: TenantDb, ids: readonly string[]): Promise<{ people: number }> => {
  const rows = await listNotifyReads(db, { ids, people: listedUserScope(ctx.session) }, { size: ids.length, offset: 0 })
  let people = 0
  for (const row of rows.filter(({ needSure, readAt, sureAt }) => (needSure ? sureAt === null : readAt === null))) {
    people += await kit.message.notifyAll(db, [row.userId], {
      examId: row.examId,
      kind: system,
      title: row.needSure
        ? { zh: cut(`请确认：${row.titleZh}`, 120), en: cut(`Please confirm: ${row.titleEn}`, 200) }
        : { zh: cut(`请查看：${row.titleZh}`, 120), en: cut(`Please read: ${row.titleEn}`, 200) },
      content: row.needSure
        ? { zh: '您有一条消息尚未确认，请打开查看并确认。', en: 'A message waits for your confirmation: open and confirm it.' }
        : { zh: '您有一条消息尚未阅读，请打开查看。', en: 'A message has not been read: open it.' },
      link: `/notice/index?id=${row.id}`,
      eventKey: `notify-remind:${row.id}:${toWireDay(ctx.arrivedAt)}`,
    })
  }
  await audit(db, ctx, { action: 'notify-read.reminded', entity: 'notify', entityId: null, after: { ids, people } })
  return { people }
}

export const readerTasks = (kit: NewsKit): readonly Task[] => {
  const { scopes, clock } = kit.services
  const asSystem = <T>(tenantId: string, work: (db: TenantDb) => Promise<T>): Promise<T> => scopes.tx(systemOf(tenantId), clock.now(), work)
  return [
    {
      name: 'news.address',
      run: async (payload: { tenantId: string; noticeId?: string }) => {
        const { noticeId } = payload
        if (noticeId !== undefined) await asSystem(payload.tenantId, db => addressNotice(db, noticeId))
      },
    } satisfies Task<{ noticeId?: string }> as Task,
    {
      name: 'news.remind',
      run: async (payload: { tenantId: string; noticeId?: string; day?: string }) => {
        const { tenantId, noticeId, day } = payload
        if (noticeId === undefined || day === undefined) return
        for (let after = '0'; ; ) {
          const last = await asSystem(tenantId, async db => {
            const row = await lockNotice(db, noticeId, undefined)
            if (row?.state !== noticeMachine.wire.published) return undefined
            const people = await listWaiting(db, noticeId, row.needSure, after, batch)
            await kit.message.notifyAll(
              db,
              people.map(({ userId }) => userId),
              {
                examId: row.examId,
                kind: system,
                title: row.needSure
                  ? { zh: cut(`请阅读并确认：${row.title}`, 120), en: cut(`Please read and confirm: ${row.title}`, 200) }
                  : { zh: cut(`请阅读：${row.title}`, 120), en: cut(`Please read: ${row.title}`, 200) },
                content: row.needSure
                  ? { zh: '该公告需要您阅读并确认，请打开公告办理。', en: 'This notice has to be read and confirmed: open it.' }
                  : { zh: '该公告您尚未阅读，请打开查看。', en: 'You have not read this notice: open it.' },
                link: `/notices/${noticeId}`,
                eventKey: `notice-remind:${noticeId}:${day}:${row.textVersion}`,
              },
            )
            return people.length < batch ? undefined : people.at(-1)?.id
          })
          if (last === undefined) return
          after = last
        }
      },
    } satisfies Task<{ noticeId?: string; day?: string }> as Task,
  ]
}
