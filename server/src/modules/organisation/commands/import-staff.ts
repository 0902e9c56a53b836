import { maskPhone } from '#contract/kernel/mask.ts'
import { audit } from '#kernel/audit.ts'
import { newId } from '#kernel/db/new-id.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { Refused } from '#kernel/http/context.ts'
import { isApart, isTorn, mayHandOut, menusOfRoles, mixedOf, rolesOfUsers, staffRoles } from '#modules/access/index.ts'
import { accountKey } from '#modules/auth/index.ts'
import type { Services } from '#server/services.ts'
import { insertAccount, placesByName, setRoles, takenAccounts } from '../data/user-admin.repo.ts'
import { refuseFull } from './staff-quota.ts'

/** One person of a workbook, checked. */
export interface StaffRow {
  readonly account: string
  readonly realName: string
  readonly name: string
  readonly phone: string
  readonly email: string
  readonly roleIds: readonly string[]
  readonly deptIds: readonly string[]
  readonly postIds: readonly string[]
  readonly code: string
  readonly userCode: string
  readonly birthday: string
}

/** What a workbook names its people's roles and places by. A name that stands for several is not among them. */
export interface StaffNames {
  readonly roles: ReadonlyMap<
    string,
    { readonly id: string; readonly alias: string; readonly grantable: boolean; readonly isApart: boolean }
  >
  /** Whether these roles, by their ids, must not be one person's (ADR 0116). */
  readonly isTorn: (roleIds: readonly string[]) => boolean
  readonly isMixed: (roleIds: readonly string[]) => boolean
  readonly depts: ReadonlyMap<string, string>
  readonly posts: ReadonlyMap<string, string>
  readonly unitCodes: ReadonlySet<string>
  /** Of these account names, the ones that are taken, in the spelling that is compared. */
  readonly taken: (accounts: readonly string[]) => Promise<ReadonlySet<string>>
  readonly keyOf: (account: string) => string
}

const byName = (rows: readonly { readonly name: string; readonly id: string }[]): ReadonlyMap<string, string> => {
  const found = new Map<string, string | undefined>()
  for (const { name, id } of rows) found.set(name, found.has(name) && found.get(name) !== id ? undefined : id)
  return new Map([...found].flatMap(([name, id]) => (id === undefined ? [] : [[name, id] as const])))
}

/** @param userId - who imports: roles beyond their own rights are marked */
export const staffNames = async (db: TenantDb, userId: string): Promise<StaffNames> => {
  const own = await rolesOfUsers(db, [userId])
  const granter = {
    aliases: new Set(own.map(role => role.roleAlias)),
    menuIds: await menusOfRoles(
      db,
      own.map(role => role.id),
    ),
  }
  const { depts, posts, unitCodes } = await placesByName(db)
  const roles = await staffRoles(db)
  return {
    isTorn: ids => isTorn(roles.filter(role => ids.includes(role.id))),
    isMixed: ids => mixedOf(roles.filter(role => ids.includes(role.id))) !== undefined,
    roles: new Map(
      roles.map(role => [
        role.roleName,
        {
          id: role.id,
          alias: role.roleAlias,
          grantable: mayHandOut(granter, role),
          isApart: isApart(granter, role),
        },
      ]),
    ),
    // Where two departments have a name, their full names tell them apart.
    depts: new Map([...byName(depts.map(dept => ({ id: dept.id, name: dept.full }))), ...byName(depts)]),
    posts: byName(posts),
    unitCodes: new Set(unitCodes),
    taken: accounts => takenAccounts(db, accounts.map(accountKey)),
    keyOf: accountKey,
  }
}

/** Writes people of a workbook as accounts without a password; all or none. */
export const addStaff = async (
  services: Services,
  db: TenantDb,
  rows: readonly StaffRow[],
  by: { readonly importId: string; readonly progress: (done: number) => Promise<void> },
): Promise<number> => {
  const full = await refuseFull(db, rows.length)
  if (full) throw new Refused(full)
  const { tenantId } = db.actor
  let done = 0
  for (const row of rows) {
    const id = await newId(db)
    await insertAccount(db, {
      id,
      account: row.account,
      account_key: accountKey(row.account),
      user_type: 1,
      status: 1,
      real_name: row.realName,
      nick_name: row.name || row.realName,
      email: row.email || null,
      code: row.code || null,
      user_code: row.userCode || null,
      birthday: row.birthday || null,
      dept_id: row.deptIds.join(',') || null,
      post_id: row.postIds.join(',') || null,
      must_change_password: true,
      ...(row.phone === ''
        ? {}
        : {
            phone_sealed: services.cipher.seal(tenantId, { table: 'account', column: 'phone_sealed', rowId: id }, row.phone),
            phone_index: services.cipher.blindIndex(tenantId, 'phone', row.phone),
            phone_mask: maskPhone(row.phone),
          }),
    })
    await setRoles(db, [id], row.roleIds)
    await audit(db, undefined, {
      action: 'account.added',
      entity: 'account',
      entityId: id,
      after: { account: row.account, real_name: row.realName, roleIds: row.roleIds, dept_id: row.deptIds.join(','), importId: by.importId },
    })
    done += 1
    await by.progress(done)
  }
  return done
}
