import { refuse, refuseField } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { fromWireTime } from '#contract/kernel/when.ts'
import type { tenant } from '#contract/tenancy/tenant.routes.ts'
import { audit } from '#kernel/audit.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { forgetEverywhere, platformAudit } from '#kernel/platform-audit.ts'
import { randomDigits } from '#kernel/random.ts'
import { accountKey, oneTimeHours, oneTimePassword } from '#modules/auth/index.ts'
import {
  holdPlatformRow,
  insertFirstStaff,
  insertTenant,
  isNumberFree,
  lockTenantNames,
  type TenantValues,
  takenBy,
} from '../data/tenant-admin.repo.ts'
import type { TenancyDeps } from '../deps.ts'

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

/** The account that administers the new tenant, in its first department and duty post. */
const insertAdministrator = async (
  deps: TenancyDeps,
  db: TenantDb,
  input: { readonly account: string; readonly name: string; readonly hash: string },
): Promise<string> => {
  const id = await insertFirstStaff(db, {
    account: input.account,
    accountKey: accountKey(input.account),
    passwordHash: input.hash,
    name: input.name,
    oneTimeUntil: new Date(deps.auth.now().getTime() + oneTimeHours * 3_600_000),
  })
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
  deps: TenancyDeps,
  ctx: Ctx,
  input: Input,
): Promise<{ id: string; tenantId: string; account: string; password: string }> => {
  const { scopes, passwords } = deps.services
  const values = valuesOf(input)
  // Clients of the framework ask for no name of it; there it is this one (framework-contract 3.1).
  const account = input.adminAccount || 'admin'
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
