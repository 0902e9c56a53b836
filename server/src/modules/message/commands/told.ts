import { refuse } from '#contract/kernel/errors.ts'
import { kindOfSubject, proposalKinds, type Subject } from '#contract/kernel/proposals.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refuseMessage } from '#contract/message/message.errors.ts'
import type { ToldSms } from '#contract/message/told.routes.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { listPersonNotices, type PersonNotice, storeCall } from '../data/told.repo.ts'
import { failureText } from '../providers/problem-text.ts'

const smsOf = ({ smsState }: PersonNotice): ToldSms => {
  if (smsState === null) return 'none'
  return smsState === 1 ? 'accepted' : smsState === 2 ? 'delivered' : smsState === 0 ? 'waiting' : 'failed'
}

/** When one person was first reached by a way that counts; undefined while they were not. */
const reachedAt = (row: PersonNotice, byReading: boolean): Date | undefined => {
  const sms = smsOf(row)
  const ways = [sms === 'accepted' || sms === 'delivered' ? row.sentAt : null, row.calledAt, byReading ? row.readAt : null]
  const [first] = ways.filter(at => at !== null).sort((a, b) => a.getTime() - b.getTime())
  return first
}

const kindOf = (subject: Subject) => {
  const kind = kindOfSubject(subject)
  if (kind === undefined) throw new Error(`no proposal is named ${subject}`)
  return proposalKinds[kind]
}

const lastOf = (rows: readonly PersonNotice[], byReading: boolean): Date | null => {
  const reached = rows.map(row => reachedAt(row, byReading))
  if (reached.some(at => at === undefined)) return null
  return reached.filter(at => at !== undefined).reduce((last, at) => (at > last ? at : last), new Date(0))
}

/**
 * Since when everybody concerned knows of a proposal: a text message counts once the provider has taken it, and no longer when it was not delivered.
 *
 * @returns null while somebody was not reached; undefined where nothing was noted, as before this was
 */
export const toldAt = async (db: TenantDb, subject: Subject): Promise<Date | null | undefined> => {
  const rows = await listPersonNotices(db, subject)
  return rows.length === 0 ? undefined : lastOf(rows, kindOf(subject).byReading)
}

const presented = async (ctx: Ctx, db: TenantDb, subject: Subject) => {
  const { byReading } = kindOf(subject)
  const rows = await listPersonNotices(db, subject)
  const at = rows.length === 0 ? null : lastOf(rows, byReading)
  const time = (one: Date | null) => one && toWireTime(one)
  return {
    toldTime: time(at),
    persons: rows.map(row => {
      const sms = smsOf(row)
      return {
        ...{ noticeId: row.id, sms, sentTime: sms === 'waiting' ? null : time(row.sentAt), deliveredTime: time(row.deliveredAt) },
        failReason: sms === 'failed' ? ctx.say(failureText(row.failKind ?? 'ours', row.failReason ?? '')) : null,
        ...{ readTime: time(row.readAt), calledTime: time(row.calledAt), calledBy: row.calledName, callNote: row.callNote },
        mayCall: reachedAt(row, byReading) === undefined && sms !== 'waiting',
      }
    }),
  }
}

/** The proposal that a caller may look at. Refusals: kernel/not-found. */
const opened = (ctx: Ctx, of: string): Subject => {
  const kind = kindOfSubject(of)
  if (kind === undefined || !sessionOf(ctx).permissions.has(proposalKinds[kind].right)) throw new Refused(refuse('kernel/not-found', {}))
  return of as Subject
}

export const readTold = (ctx: Ctx, db: TenantDb, of: string) => presented(ctx, db, opened(ctx, of))

/**
 * The office has told the person by telephone, where the text message did not arrive. Refusals: kernel/not-found, told/reached, told/waiting.
 */
export const noteToldByCall = async (ctx: Ctx, db: TenantDb, of: string, note: string) => {
  const subject = opened(ctx, of)
  const { byReading } = kindOf(subject)
  const rows = await listPersonNotices(db, subject)
  if (rows.length === 0) throw new Refused(refuse('kernel/not-found', {}))
  const open = rows.filter(row => reachedAt(row, byReading) === undefined)
  if (open.length === 0) throw new Refused(refuseMessage('told/reached', {}))
  if (open.some(row => smsOf(row) === 'waiting')) throw new Refused(refuseMessage('told/waiting', {}))
  await storeCall(
    db,
    open.map(({ id }) => id),
    { name: sessionOf(ctx).realName, note: note.trim() },
  )
  await audit(db, ctx, {
    action: 'told.called',
    entity: 'person_notice',
    entityId: open[0]?.id ?? null,
    after: { of: subject },
    reason: note.trim(),
  })
  return presented(ctx, db, subject)
}
