import { refuse, refuseField } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { fromWireTime } from '#contract/kernel/when.ts'
import type { tenant } from '#contract/system/tenant.routes.ts'
import { audit } from '#kernel/audit.ts'
import { type PlatformDb, systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { randomDigits } from '#kernel/random.ts'
import { oneTimeHours, oneTimePassword } from '../commands/one-time-password.ts'
import { forgetEverywhere, platformAudit } from '../data/platform-scope.ts'
import { holdPlatformRow, insertTenant, isNumberFree, type TenantValues, takenBy } from '../data/tenant-admin.repo.ts'
import type { SystemDeps } from '../deps.ts'

type Input = InputOf<(typeof tenant)['submit']>

export const valuesOf = (input: Input): TenantValues => ({
  tenantName: input.tenantName,
  linkman: input.linkman,
  contactNumber: input.contactNumber ?? '',
  address: input.address ?? '',
  domain: (input.domain ?? '').toLowerCase(),
  titleZh: input.titleZh ?? '',
  titleEn: input.titleEn ?? '',
})

const taken = {
  tenantName: { zh: '该租户名称已存在', en: 'There is a tenant of this name already' },
  domain: { zh: '该域名已属于另一个租户', en: 'Another tenant has this domain' },
} satisfies Readonly<Record<string, Label>>
export const refuseTaken = (field: keyof typeof taken): Refused => new Refused(refuseField(field, taken[field]))

/** Names, domains and numbers of tenants are given one after another: they are few and made by hand. */
export const lockTenantNames = async (db: PlatformDb): Promise<void> => {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended('tenant names', 0))`)
}

/** The account that administers the new tenant, in its first department and duty post. */
const insertAdministrator = async (
  deps: SystemDeps,
  db: TenantDb,
  input: { readonly account: string; readonly name: string; readonly hash: string },
): Promise<string> => {
  // What a tenant begins with names its first department after it.
  const until = new Date(deps.auth.now().getTime() + oneTimeHours * 3_600_000)
  const dept = await db.one(sql<{ id: string }>`select id::text as id from dept where parent_id = 0 and not is_deleted`)
  const post = await db.one(sql<{ id: string }>`
    insert into post (tenant_id, category, post_code, post_name, sort) values (${db.actor.tenantId}, '1', 'head', '负责人', 1) returning id::text as id`)
  const { id } = await db.one(sql<{ id: string }>`
    insert into account (tenant_id, account, account_key, password_hash, user_type, nick_name, real_name, dept_id, post_id, must_change_password, one_time_until)
    values (${db.actor.tenantId}, ${input.account}, ${deps.auth.accountKey(input.account)}, ${input.hash}, 1, ${input.name}, ${input.name}, ${dept.id}, ${post.id}, true, ${until})
    returning id::text as id`)
  await db.run(sql`
    insert into account_role (tenant_id, user_id, role_id) select ${db.actor.tenantId}, ${id}, id from role where role_alias = 'admin' and not is_deleted`)
  await audit(db, undefined, {
    action: 'account.added',
    entity: 'account',
    entityId: id,
    after: { account: input.account, roles: ['admin'], by: 'platform' },
  })
  return id
}

/**
 * A whole tenant out of one form: number, roles with their menus, dictionaries, parameters, libraries, schools, a department, a duty post
 * and the administrator, whose one-time password is in the answer and nowhere else. All of it is written in one transaction.
 */
export const createTenant = async (
  deps: SystemDeps,
  ctx: Ctx,
  input: Input,
): Promise<{ id: string; tenantId: string; account: string; password: string }> => {
  const { scopes, passwords } = deps.services
  const values = valuesOf(input)
  const account = input.adminAccount
  if (!account) throw new Refused(refuseField('adminAccount', { zh: '请输入管理员账号', en: 'Please enter the administrator’s account' }))
  const accountNumber = input.accountNumber === undefined || input.accountNumber <= 0 ? -1 : input.accountNumber
  const password = oneTimePassword()
  const hash = await passwords.hash(password)
  const userId = ctx.session?.userId ?? '0'
  return scopes.asPlatform('a new tenant begins above all tenants', ctx.arrivedAt, async db => {
    await lockTenantNames(db)
    const field = await takenBy(db, values, undefined)
    if (field) throw refuseTaken(field)
    if (input.packageId && !(await holdPlatformRow(db, 'tenant_package', input.packageId)))
      throw new Refused(refuse('kernel/not-found', {}))
    let tenantId = ''
    do tenantId = String(100_000 + (Number(randomDigits(6)) % 900_000))
    while (!(await isNumberFree(db, tenantId)))
    await forgetEverywhere(db)
    // Begun last and committed first: with it the tenant is there as a whole, its line in the platform's trail too, or not at all.
    const id = await scopes.tx(systemOf(tenantId), ctx.arrivedAt, async own => {
      const row = await insertTenant(own, userId, tenantId, {
        ...values,
        accountNumber,
        expireTime: input.expireTime ? (fromWireTime(input.expireTime) ?? null) : null,
        packageId: input.packageId || null,
      })
      await deps.fillTenant(own)
      await insertAdministrator(deps, own, { account, name: input.adminName || values.linkman, hash })
      await platformAudit(ctx, own, {
        action: 'tenant.added',
        entity: 'tenant',
        entityId: tenantId,
        after: { ...values, accountNumber, account },
      })
      return row.id
    })
    return { id, tenantId, account, password }
  })
}
