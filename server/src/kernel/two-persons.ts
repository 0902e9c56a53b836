import { createHash } from 'node:crypto'
import { refuse } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { type TwoPersonKind, twoPersonActs } from '#contract/kernel/two-persons.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { noteHands, tiedTo, untiedHolders } from './account-hands.ts'
import { audit } from './audit.ts'
import { newId } from './db/new-id.ts'
import type { PlatformDb, TenantDb } from './db/scope.ts'
import { type RawBuilder, sql } from './db/sql.ts'
import { type Ctx, Refused, sessionOf } from './http/context.ts'
import type { Task } from './queue/outbox.ts'

/** An act that waits for its second person or for its time. */
export interface LiveAct {
  readonly id: string
  readonly state: 'begun' | 'agreed'
  readonly args: Readonly<Record<string, unknown>>
  readonly document: string | null
  readonly beganBy: string
  readonly beganName: string
  readonly beganAt: Date
  readonly secondBy: string | null
  readonly secondName: string | null
  readonly applyAt: Date | null
  /** What the first person entered, sealed for this row (`content_sealed`). */
  readonly content: Buffer | null
  /** Of what it was begun on (`digestOf`); null from before this was stored. */
  readonly digest: string | null
}

/**
 * What an act is about, as whoever began it could read it: what the effect follows from, and what it was asked for with. When any of it has changed, what was begun is over.
 * Personal data stands in it as a blind index or an id.
 */
export type Subject = Readonly<Record<string, string | number | boolean | null | undefined | Date | readonly string[]>>

/** One digest for the same subject, whatever the order of its names; absent and null are the same. */
export const digestOf = (kind: TwoPersonKind, entityId: string, subject: Subject): string =>
  createHash('sha256')
    .update(`${kind}|${entityId}|${canonical(subject)}`)
    .digest('hex')

/** How far an act has come by this call: `first` and `agreed` leave everything as it is, `go` brings the effect about now. */
export type Word =
  | { readonly kind: 'first' }
  | { readonly kind: 'agreed'; readonly applyAt: Date }
  | { readonly kind: 'go'; readonly firstBy: string; readonly firstName: string; readonly secondBy: string; readonly secondName: string }

/** What nobody has agreed to for so long is begun anew. */
const lapseMs = 7 * 24 * 3_600_000

const columns = sql`id::text as id, state, args, document, began_by::text as "beganBy", began_name as "beganName", began_at as "beganAt",
  second_by::text as "secondBy", second_name as "secondName", apply_at as "applyAt", content_sealed as content, subject_digest as digest`

type Db = TenantDb | PlatformDb
const passed = new WeakMap<Db, Set<TwoPersonKind>>()
const pass = (db: Db, kind: TwoPersonKind): void => {
  const kinds = passed.get(db) ?? new Set()
  passed.set(db, kinds.add(kind))
}

/** Why one person may bring an effect of the table about without a second one. */
export const withoutSecond = {
  notOpened: 'its owner has never opened the account: it is still its office’s',
  own: 'the owner of the account or the number does it, proven by what opens the account',
  belowLimit: 'the amount is not above the limit of the act',
  byRule: 'the office has approved it beforehand, by a rule',
  notReleased: 'nobody has been told of it yet',
  notWeaker: 'the value does not weaken a rule of two persons',
} as const

/** Opens the effect of an act to this transaction although there is no second person. */
export const passAlone = (db: Db, kind: TwoPersonKind, _because: keyof typeof withoutSecond): void => pass(db, kind)

/** The effect follows in another transaction than the one in which the second person agreed. */
export const passWith = (db: Db, kind: TwoPersonKind, _word: Word & { readonly kind: 'go' }): void => pass(db, kind)

/**
 * Stands in every function that brings an effect of the table about: a path that forgot the gate fails before it writes.
 * @throws Error when this transaction has passed the gate of none of these acts
 */
export const insistOnGate = (db: Db, ...kinds: readonly TwoPersonKind[]): void => {
  const open = passed.get(db)
  if (!kinds.some(kind => open?.has(kind))) throw new Error(`no two persons have agreed to this: ${kinds.join(', ')}`)
}

/** The act that is under way about a row, if any. */
export const findLiveAct = (db: TenantDb, kind: TwoPersonKind, entityId: string): Promise<LiveAct | undefined> =>
  db.maybe(sql<LiveAct>`
    select ${columns} from two_person_act where kind = ${kind} and entity_id = ${entityId} and state in ('begun', 'agreed') for update`)

/** The same without holding it, to show. */
export const seeLiveAct = (db: TenantDb, kind: TwoPersonKind, entityId: string): Promise<LiveAct | undefined> =>
  db.maybe(sql<LiveAct>`
    select ${columns} from two_person_act where kind = ${kind} and entity_id = ${entityId} and state in ('begun', 'agreed')`)

/** Join of such an act to rows of a list: its first person and its time are `act.began_name`, `act.apply_at`. */
export const joinLiveAct = (kind: TwoPersonKind, entityId: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`left join two_person_act act on act.kind = ${kind} and act.entity_id = ${entityId} and act.state in ('begun', 'agreed')`

const end = (db: TenantDb, id: string, state: 'done' | 'ended', why: string | null): Promise<number> =>
  db.run(
    sql`update two_person_act set state = ${state}, ended_at = app_now(), end_reason = ${why}, content_sealed = null where id = ${id} and state in ('begun', 'agreed')`,
  )

/** Ends the act about a row without its effect: refused, taken back or objected to. @returns whether one was under way */
export const endAct = async (db: TenantDb, ctx: Ctx | undefined, kind: TwoPersonKind, entityId: string, why: string): Promise<boolean> => {
  const live = await findLiveAct(db, kind, entityId)
  if (!live) return false
  await end(db, live.id, 'ended', why)
  await audit(db, ctx, {
    action: 'two-persons.ended',
    entity: 'two_person_act',
    entityId: live.id,
    before: { kind, of: entityId, first: live.beganName, second: live.secondName },
    reason: why,
  })
  return true
}

const changedSince = 'what it was begun on has changed'

/** Ends what was begun on other content than there is now. @returns whether it was ended */
const endIfChanged = async (
  db: TenantDb,
  ctx: Ctx | undefined,
  kind: TwoPersonKind,
  entityId: string,
  live: LiveAct,
  subject: Subject,
): Promise<boolean> => live.digest !== digestOf(kind, entityId, subject) && (await endAct(db, ctx, kind, entityId, changedSince))

/** The act is done: who took part has set what the account is opened with, where that is what the act is about. */
const finish = async (db: TenantDb, kind: TwoPersonKind, entityId: string, persons: readonly (string | null)[]): Promise<void> => {
  if ('opensAccount' in twoPersonActs[kind]) await noteHands(db, entityId, persons)
  pass(db, kind)
}

/** Takes an act whose time has come out of the waiting ones. @returns undefined while there is none */
const takeDueAct = async (db: TenantDb, kind: TwoPersonKind, entityId: string): Promise<LiveAct | undefined> => {
  const live = await findLiveAct(db, kind, entityId)
  if (live?.state !== 'agreed' || live.applyAt === null || live.applyAt > db.now) return undefined
  await end(db, live.id, 'done', null)
  await finish(db, kind, entityId, [live.beganBy, live.secondBy])
  return live
}

const refuseWhoTookPart = (kind: TwoPersonKind, userId: string, tookPart: readonly (string | null)[]): void => {
  if (tookPart.includes(userId)) throw new Refused(refuse('kernel/two-persons-own', { what: twoPersonActs[kind].label }))
}
const isPerson = (id: string | null): id is string => id !== null && id !== '0'

/** Two accounts are two persons where neither made the other what it is. Refusals: kernel/two-persons-tied, which names who can do it. */
const refuseTied = async (db: TenantDb, kind: TwoPersonKind, userId: string, tookPart: readonly (string | null)[]): Promise<void> => {
  const { label: what, second } = twoPersonActs[kind]
  const others = [...new Set(tookPart.filter(isPerson))].filter(id => id !== userId)
  if ((await tiedTo(db, second, userId, others)).length === 0) return
  const names = await untiedHolders(db, second, others)
  const who: Label =
    names.length === 0
      ? {
          zh: '现无其他人员可以办理，请由运维人员在服务器上用 admin create 命令另建管理员账号',
          en: 'nobody else can: the operator adds an administrator by the command admin create on the server',
        }
      : { zh: `可由${names.join('、')}办理`, en: `it can be done by ${names.join(', ')}` }
  throw new Refused(refuse('kernel/two-persons-tied', { what, who }))
}

/**
 * The gate of an act that has a proposal: refuses whoever took part in what is now decided on, and whose account one of those made, or the other way round.
 * Refusals: kernel/two-persons-own, kernel/two-persons-tied.
 */
export const refuseSamePerson = async (
  db: TenantDb,
  kind: TwoPersonKind,
  userId: string,
  tookPart: readonly (string | null)[],
): Promise<void> => {
  refuseWhoTookPart(kind, userId, tookPart)
  await refuseTied(db, kind, userId, tookPart)
  pass(db, kind)
}

export interface Wanted {
  readonly kind: TwoPersonKind
  /** The row that the act is about. */
  readonly entityId: string
  /** What it is begun on, as it is now: the second person agrees to that. */
  readonly subject: Subject
  /** What is to be done, without personal data. */
  readonly args: Readonly<Record<string, unknown>>
  readonly reason?: string | undefined
  /** What the person concerned shows in person: nobody waits then. Both persons name it. */
  readonly document?: string | undefined
  /** When the owner was told; undefined: with the first word. Null: not yet, so that nobody can agree without a document. */
  readonly toldAt?: Date | null | undefined
  readonly waitHours?: number | undefined
  /** Others who took part in what is decided on. */
  readonly tookPart?: readonly (string | null)[]
  /** Seals what the second person need not type again, for the row of the act. */
  readonly content?: (actId: string) => Buffer
}

const canonical = (value: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(
    Object.entries(value)
      .filter(([, one]) => one !== undefined && one !== null)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

const begin = async (db: TenantDb, ctx: Ctx, wanted: Wanted, document: string | null): Promise<Word> => {
  const { userId, realName } = sessionOf(ctx)
  const id = await newId(db)
  await db.run(sql`
    insert into two_person_act (tenant_id, id, kind, entity_id, args, document, reason, began_by, began_name, content_sealed, subject_digest)
    values (${db.actor.tenantId}, ${id}, ${wanted.kind}, ${wanted.entityId}, ${JSON.stringify(wanted.args)}, ${document}, ${wanted.reason ?? null}, ${userId}, ${realName},
      ${wanted.content?.(id) ?? null}, ${digestOf(wanted.kind, wanted.entityId, wanted.subject)})`)
  await audit(db, ctx, {
    action: 'two-persons.begun',
    entity: 'two_person_act',
    entityId: id,
    after: { kind: wanted.kind, of: wanted.entityId, ...wanted.args, ...(document === null ? {} : { document }) },
    ...(wanted.reason === undefined ? {} : { reason: wanted.reason }),
  })
  return { kind: 'first' }
}

/** What was sent and not taken gives nobody the time to object. */
const refuseUntold = ({ kind, toldAt }: Pick<Wanted, 'kind' | 'toldAt'>, live: Pick<LiveAct, 'document'>): void => {
  if (toldAt === null && live.document === null && 'waits' in twoPersonActs[kind])
    throw new Refused(refuse('kernel/two-persons-untold', { what: twoPersonActs[kind].label }))
}

/**
 * The gate of every act of `twoPersonActs`. The first call writes that it was begun; the same call by another person agrees. Where the owner of an account has to
 * be given time, the effect follows after the waiting time, counted from when the owner was told; with a document shown in person at once.
 *
 * What was begun on other content than `wanted.subject` is over: the call begins it once more. Accounts of which one made the other are not two persons.
 *
 * Refusals: kernel/two-persons-own, kernel/two-persons-tied, kernel/two-persons-other, kernel/two-persons-waits, kernel/two-persons-untold.
 */
export const twoPersonsOn = async (db: TenantDb, ctx: Ctx, wanted: Wanted): Promise<Word> => {
  const { kind, entityId, args } = wanted
  const { userId, realName } = sessionOf(ctx)
  const what = twoPersonActs[kind].label
  const document = wanted.document?.trim() || null
  refuseWhoTookPart(kind, userId, wanted.tookPart ?? [])
  await refuseTied(db, kind, userId, wanted.tookPart ?? [])
  const live = await findLiveAct(db, kind, entityId)
  if (live && (await endIfChanged(db, ctx, kind, entityId, live, wanted.subject))) return begin(db, ctx, wanted, document)
  if (live && live.state === 'begun' && db.now.getTime() - live.beganAt.getTime() >= lapseMs) {
    await end(db, live.id, 'ended', 'lapsed')
    return begin(db, ctx, wanted, document)
  }
  if (!live) return begin(db, ctx, wanted, document)
  if (live.state === 'agreed') {
    if (live.applyAt !== null && live.applyAt > db.now)
      throw new Refused(refuse('kernel/two-persons-waits', { what, time: toWireTime(live.applyAt).slice(0, 16) }))
    refuseUntold(wanted, live)
    await end(db, live.id, 'done', null)
    await finish(db, kind, entityId, [live.beganBy, live.secondBy])
    return {
      kind: 'go',
      firstBy: live.beganBy,
      firstName: live.beganName,
      secondBy: live.secondBy ?? userId,
      secondName: live.secondName ?? realName,
    }
  }
  if (live.beganBy === userId) throw new Refused(refuse('kernel/two-persons-own', { what }))
  if (canonical(live.args) !== canonical(args) || live.document !== document)
    throw new Refused(refuse('kernel/two-persons-other', { what, name: live.beganName }))
  await refuseTied(db, kind, userId, [live.beganBy])
  refuseUntold(wanted, live)
  const waits = 'waits' in twoPersonActs[kind] && document === null
  const told = wanted.toldAt ?? live.beganAt
  const applyAt = waits ? new Date(told.getTime() + (wanted.waitHours ?? 24) * 3_600_000) : db.now
  const isNow = applyAt <= db.now
  await db.run(sql`
    update two_person_act set state = ${isNow ? 'done' : 'agreed'}, second_by = ${userId}, second_name = ${realName}, second_at = app_now(), apply_at = ${applyAt},
      ended_at = ${isNow ? db.now : null}, content_sealed = case when ${isNow} then null else content_sealed end where id = ${live.id}`)
  await audit(db, ctx, {
    action: 'two-persons.agreed',
    entity: 'two_person_act',
    entityId: live.id,
    before: { kind, of: entityId, first: live.beganName },
    after: { applyAt: toWireTime(applyAt), ...(document === null ? {} : { document }) },
  })
  if (isNow) await finish(db, kind, entityId, [live.beganBy, userId])
  return isNow
    ? { kind: 'go', firstBy: live.beganBy, firstName: live.beganName, secondBy: userId, secondName: realName }
    : { kind: 'agreed', applyAt }
}

/** An act whose effect follows by itself when the owner of an account had time to object. */
export interface DueEffect<Row> {
  readonly kind: TwoPersonKind
  /** Name of the queued task. */
  readonly task: string
  /** Holds what the act is about; undefined: it no longer waits for anything. */
  readonly hold: (db: TenantDb, entityId: string) => Promise<Row | undefined>
  /** As of `Wanted`: what has changed since it was begun is not carried out. */
  readonly subject: (row: Row, act: LiveAct) => Subject
  readonly carryOut: (db: TenantDb, row: Row, act: LiveAct) => Promise<void>
  /** As of `Wanted`: whoever turns out not to have been told had no time to object. */
  readonly toldAt: (db: TenantDb, entityId: string) => Promise<Date | null | undefined>
  /** Both persons hear that it could not take effect, and where to look. */
  readonly stopped: { readonly title: Label; readonly link: string }
  readonly notify: (
    db: TenantDb,
    notice: {
      readonly userId: string
      readonly examId: null
      readonly kind: 7
      readonly title: Label
      readonly content: Label
      readonly link: string
      readonly eventKey: string
    },
  ) => Promise<unknown>
  readonly tx: <T>(tenantId: string, work: (db: TenantDb) => Promise<T>) => Promise<T>
}

/** The task of such an act. What stands against the effect by then ends the act, leaves everything as it is, and both persons hear why. */
export const dueActTask = <Row>({ kind, task, hold, subject, carryOut, toldAt, stopped, notify, tx }: DueEffect<Row>): Task => {
  const run = async ({ tenantId, id = '0' }: { tenantId: string; id?: string }): Promise<void> => {
    try {
      await tx(tenantId, async db => {
        const row = await hold(db, id)
        const act = row === undefined ? undefined : await takeDueAct(db, kind, id)
        if (row === undefined || !act) return
        if (act.digest !== digestOf(kind, id, subject(row, act))) throw new Refused(refuse('kernel/changed-meanwhile', {}))
        refuseUntold({ kind, toldAt: await toldAt(db, id) }, act)
        await carryOut(db, row, act)
      })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const content = error.refusal.text
      await tx(tenantId, async db => {
        const act = await findLiveAct(db, kind, id)
        if (!act) return
        await endAct(db, undefined, kind, id, content.zh.slice(0, 200))
        for (const userId of [act.beganBy, act.secondBy])
          if (userId) await notify(db, { userId, examId: null, kind: 7, ...stopped, content, eventKey: `stopped:${kind}:${act.id}` })
      })
    }
  }
  return { name: task, run } satisfies Task<{ id?: string }> as Task
}
