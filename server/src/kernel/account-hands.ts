import type { TenantDb } from './db/scope.ts'
import { type RawBuilder, sql } from './db/sql.ts'

/** A role that was given, or a password that was reset, ties two accounts for so many days, and until the owner has chosen a password since. */
const tiedDays = 90

/**
 * Accounts that these people brought under their hand, and those that such accounts did, to any depth: made or let in, given the right `code` by a role, or opened
 * with what they set. Whoever made an account stays tied to it: waiting costs an invented person nothing.
 */
const reach = (db: TenantDb, code: string, ids: readonly string[]): RawBuilder<unknown> => sql`
  with recursive reach(root, id) as (
    select p, p from unnest(${[...ids]}::bigint[]) p
    union
    select r.root, h.account_id from reach r join account_hand h on h.tenant_id = ${db.actor.tenantId} and h.by_id = r.id
      left join account k on k.tenant_id = h.tenant_id and k.id = h.account_id
    where h.how = 'made'
      or (h.noted_at > ${new Date(db.now.getTime() - tiedDays * 24 * 3_600_000)} or k.password_changed_at is null or k.password_changed_at <= h.noted_at)
        and (h.how = 'opening' or exists (
          select 1 from role_menu rm join menu m on m.id = rm.menu_id and not m.is_deleted where rm.role_id = h.of_role and m.code = ${code}))
  )`

/** Of `others`, the accounts that one of the two made for the other, in either direction, where the right `code` is in question. */
export const tiedTo = async (db: TenantDb, code: string, userId: string, others: readonly string[]): Promise<readonly string[]> =>
  others.length === 0
    ? []
    : (
        await db.all(sql<{ id: string }>`
          ${reach(db, code, [userId, ...others])}
          select distinct (case when root = ${userId} then id else root end)::text as id from reach
          where root <> id and (root = ${userId} and id = any(${[...others]}::bigint[]) or id = ${userId} and root = any(${[...others]}::bigint[]))`)
      ).map(row => row.id)

const mostNamed = 3

/** Names of people who may log in, have the right `code`, and are tied to none of these: who can be the other person. */
export const untiedHolders = async (db: TenantDb, code: string, ids: readonly string[]): Promise<readonly string[]> => {
  const holders = await db.all(sql<{ id: string; name: string }>`
    select distinct a.id::text as id, a.real_name as name from menu m join role_menu rm on rm.menu_id = m.id join role r on r.id = rm.role_id and not r.is_deleted
      join account_role ar on ar.role_id = rm.role_id join account a on a.id = ar.user_id and a.status = 1 and not a.is_deleted
    where m.code = ${code} and not m.is_deleted and a.id <> all(${[...ids]}::bigint[]) order by 2, 1 limit 50`)
  const tied = new Set<string>()
  const holderIds = holders.map(({ id }) => id)
  for (const id of ids) for (const one of await tiedTo(db, code, id, holderIds)) tied.add(one)
  return holders
    .filter(({ id }) => !tied.has(id))
    .map(({ name }) => name)
    .slice(0, mostNamed)
}

/** These people have set what an account is opened with, although another wrote it in their name. */
export const noteHands = async (db: TenantDb, accountId: string, byIds: readonly (string | null)[]): Promise<void> => {
  await db.run(sql`
    insert into account_hand (tenant_id, account_id, by_id, how, noted_at)
    select ${db.actor.tenantId}, ${accountId}, b, 'opening', app_now() from unnest(${byIds.filter(id => id !== null)}::bigint[]) b where b <> ${accountId}
    on conflict (tenant_id, account_id, by_id, how, of_role) do update set noted_at = excluded.noted_at`)
}
