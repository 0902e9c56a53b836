import type { PlatformDb, TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { Guest } from '#kernel/http/context.ts'
import type { Profile } from '../domain/provider.ts'

export interface FlowRow {
  readonly source: string
  readonly verifier: string
  readonly redirectUri: string
}

export const countFlows = (
  db: TenantDb,
  of: { readonly ip: string; readonly browserHash: string },
  since: Date,
): Promise<{ readonly ofAddress: number; readonly ofBrowser: number }> =>
  db.one(sql<{ ofAddress: number; ofBrowser: number }>`
    select count(*)::int as "ofAddress", count(*) filter (where browser_hash = ${of.browserHash})::int as "ofBrowser"
    from login_flow where ip = ${of.ip} and created_at > ${since}`)

export const insertFlow = async (
  db: TenantDb,
  flow: FlowRow & { stateHash: string; browserHash: string; ip: string; until: Date; now: Date },
): Promise<void> => {
  await db.run(sql`
    insert into login_flow (tenant_id, state_hash, source, verifier, browser_hash, redirect_uri, ip, until, created_at)
    values (${db.actor.tenantId}, ${flow.stateHash}, ${flow.source}, ${flow.verifier}, ${flow.browserHash}, ${flow.redirectUri}, ${flow.ip}, ${flow.until}, ${flow.now})`)
}

/** Uses a flow up; undefined when it is unknown, over, used, or began in another browser. */
export const takeFlow = (db: TenantDb, given: { stateHash: string; browserHash: string }, now: Date): Promise<FlowRow | undefined> =>
  db.maybe(sql<FlowRow>`
    update login_flow set used_at = ${now}
    where state_hash = ${given.stateHash} and browser_hash = ${given.browserHash} and used_at is null and until > ${now}
    returning source, verifier, redirect_uri as "redirectUri"`)

export interface SocialRow {
  readonly id: string
  readonly userId: string | null
}

/** The row of a person at a provider, made at the first login and refreshed at each later one. */
export const keepSocial = (db: TenantDb, source: string, profile: Profile): Promise<SocialRow> =>
  db.one(sql<SocialRow>`
    insert into social_account (tenant_id, source, uuid, account, nick_name)
    values (${db.actor.tenantId}, ${source}, ${profile.uuid}, ${profile.account}, ${profile.nickName})
    on conflict (tenant_id, source, uuid) do update set account = excluded.account, nick_name = excluded.nick_name, updated_at = app_now()
    returning id::text as id, user_id::text as "userId"`)

export const bindSocial = async (db: TenantDb, id: string, userId: string | null): Promise<void> => {
  await db.run(sql`update social_account set user_id = ${userId}, updated_at = app_now() where id = ${id}`)
}
/** Lets go of a person whose registration was refused, so that they can ask again. */
export const unbindSocialOf = async (db: TenantDb, userId: string): Promise<void> => {
  await db.run(sql`update social_account set user_id = null, updated_at = app_now() where user_id = ${userId}`)
}
/** Locked, so that two registrations of one guest come one after the other. */
export const lockSocial = (db: TenantDb, id: string): Promise<SocialRow | undefined> =>
  db.maybe(sql<SocialRow>`select id::text as id, user_id::text as "userId" from social_account where id = ${id} for update`)

export const insertGuest = async (
  db: TenantDb,
  guest: { socialId: string; accessHash: string; until: Date; ip: string; userAgent: string; now: Date },
): Promise<void> => {
  await db.run(sql`
    insert into guest_session (tenant_id, social_id, access_hash, until, ip, user_agent, created_at)
    values (${db.actor.tenantId}, ${guest.socialId}, ${guest.accessHash}, ${guest.until}, ${guest.ip}, ${guest.userAgent}, ${guest.now})`)
}
export const findGuest = (db: PlatformDb, accessHash: string, now: Date): Promise<Guest | undefined> =>
  db.maybe(sql<Guest>`
    select g.id::text as id, g.tenant_id as "tenantId", g.social_id::text as "socialId", s.account, s.nick_name as "nickName"
    from guest_session g join social_account s on s.tenant_id = g.tenant_id and s.id = g.social_id
    join tenant t on t.tenant_id = g.tenant_id and t.status = 1 and not t.is_deleted
    where g.access_hash = ${accessHash} and g.ended_at is null and g.until > ${now}`)
export const endGuest = async (db: TenantDb, id: string, now: Date): Promise<void> => {
  await db.run(sql`update guest_session set ended_at = ${now} where id = ${id} and ended_at is null`)
}

export const purgeThirdParty = async (db: PlatformDb, before: Date): Promise<number> =>
  (await db.run(sql`delete from login_flow where until < ${before}`)) +
  (await db.run(sql`delete from guest_session where until < ${before}`))
