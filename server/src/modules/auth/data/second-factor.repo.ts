import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'

export interface FactorRow {
  readonly secretSealed: Buffer | null
  readonly confirmedAt: Date | null
  readonly pendingSealed: Buffer | null
  readonly pendingUntil: Date | null
  /** As text: a bigint. */
  readonly lastStep: string
  readonly recoveryLeft: number
}

export const findFactor = (db: TenantDb, userId: string): Promise<FactorRow | undefined> =>
  db.maybe(sql<FactorRow>`
    select secret_sealed as "secretSealed", confirmed_at as "confirmedAt", pending_sealed as "pendingSealed", pending_until as "pendingUntil",
      last_step::text as "lastStep",
      (select count(*)::int from recovery_code c where c.user_id = f.user_id and c.used_at is null) as "recoveryLeft"
    from second_factor f where user_id = ${userId}`)

/** A secret that waits for its first code; one that is on stays on until then. */
export const storePending = async (db: TenantDb, userId: string, sealed: Buffer, until: Date): Promise<void> => {
  await db.run(sql`
    insert into second_factor (tenant_id, user_id, pending_sealed, pending_until) values (${db.actor.tenantId}, ${userId}, ${sealed}, ${until})
    on conflict (tenant_id, user_id) do update set pending_sealed = excluded.pending_sealed, pending_until = excluded.pending_until`)
}

/** Turns the waiting secret on, together with the step of the code that proved it; false when it is no longer the one that waited. */
export const confirmPending = async (
  db: TenantDb,
  userId: string,
  of: { readonly pending: Buffer; readonly secret: Buffer; readonly step: number; readonly now: Date },
): Promise<boolean> =>
  (await db.run(sql`
    update second_factor set secret_sealed = ${of.secret}, confirmed_at = ${of.now}, pending_sealed = null, pending_until = null, last_step = ${of.step}
    where user_id = ${userId} and pending_sealed = ${of.pending} and pending_until > ${of.now}`)) === 1

/** Uses a time step up; false when it, or a later one, was used before. */
export const spendStep = async (db: TenantDb, userId: string, step: number): Promise<boolean> =>
  (await db.run(
    sql`update second_factor set last_step = ${step} where user_id = ${userId} and confirmed_at is not null and last_step < ${step}`,
  )) === 1

/** Uses a recovery code up; false when there is no such code left. */
export const spendRecoveryCode = async (db: TenantDb, userId: string, hashes: readonly string[], now: Date): Promise<boolean> =>
  (await db.run(
    sql`update recovery_code set used_at = ${now} where user_id = ${userId} and code_hash = any(${[...hashes]}) and used_at is null`,
  )) === 1

export const replaceRecoveryCodes = async (db: TenantDb, userId: string, hashes: readonly string[]): Promise<void> => {
  await db.run(sql`delete from recovery_code where user_id = ${userId}`)
  await db.run(sql`
    insert into recovery_code (tenant_id, user_id, code_hash) select ${db.actor.tenantId}, ${userId}, h from unnest(${[...hashes]}::text[]) h`)
}

/** With its recovery codes; false when there was none. */
/** Whether there is one, confirmed or not. */
export const hasFactor = async (db: TenantDb, userId: string): Promise<boolean> =>
  (await db.maybe(sql`select 1 from second_factor where user_id = ${userId}`)) !== undefined
export const removeFactor = async (db: TenantDb, userId: string): Promise<boolean> =>
  (await db.run(sql`delete from second_factor where user_id = ${userId}`)) === 1

export interface TicketRow {
  readonly userId: string
  readonly kind: 'code' | 'enrol'
  readonly grant: string
  readonly roleIds: readonly string[]
  readonly deptIds: readonly string[]
  readonly socialId: string | null
}

export const insertTicket = async (
  db: TenantDb,
  ticket: TicketRow & {
    readonly keyHash: string
    readonly clientId: string
    readonly fingerprint: string
    readonly until: Date
    readonly now: Date
  },
): Promise<void> => {
  await db.run(sql`
    insert into login_ticket (tenant_id, key_hash, user_id, client_id, fingerprint, kind, grant_type, role_ids, dept_ids, social_id, until, created_at)
    values (${db.actor.tenantId}, ${ticket.keyHash}, ${ticket.userId}, ${ticket.clientId}, ${ticket.fingerprint}, ${ticket.kind}, ${ticket.grant},
      ${JSON.stringify(ticket.roleIds)}, ${JSON.stringify(ticket.deptIds)}, ${ticket.socialId}, ${ticket.until}, ${ticket.now})`)
}

interface TicketKey {
  readonly keyHash: string
  /** Of client and browser. */
  readonly fingerprint: string
}
const openTicket = (key: TicketKey, now: Date) => sql`
  key_hash = ${key.keyHash} and fingerprint = ${key.fingerprint} and used_at is null and until > ${now}`

/** A ticket that is still good, for the client and browser it was given to. */
export const findTicket = (db: TenantDb, key: TicketKey, now: Date): Promise<TicketRow | undefined> =>
  db.maybe(sql<TicketRow>`
    select user_id::text as "userId", kind, grant_type as grant, role_ids as "roleIds", dept_ids as "deptIds", social_id::text as "socialId"
    from login_ticket where ${openTicket(key, now)}`)

/** Uses a ticket up; false when somebody else did so meanwhile. */
export const takeTicket = async (db: TenantDb, key: TicketKey, now: Date): Promise<boolean> =>
  (await db.run(sql`update login_ticket set used_at = ${now} where ${openTicket(key, now)}`)) === 1

export const purgeTickets = (db: PlatformDb, before: Date): Promise<number> => db.run(sql`delete from login_ticket where until < ${before}`)
