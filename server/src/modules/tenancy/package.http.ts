import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { datasource } from '#contract/tenancy/datasource.resource.ts'
import { datasourcePassword } from '#contract/tenancy/datasource.routes.ts'
import { tenantPackage } from '#contract/tenancy/tenant-package.resource.ts'
import { type CrudSeams, crud } from '#kernel/crud/crud.ts'
import { type Ctx, type Handler, handle, Refused } from '#kernel/http/context.ts'
import { forgetEverywhere } from '#kernel/platform-audit.ts'
import { countMenus } from '#modules/access/index.ts'
import { isSealed } from '#modules/auth/index.ts'
import { fromAddress, keepPassword } from './commands/write-datasource.ts'
import { lockDatasource } from './data/datasource.repo.ts'
import { expandPackages } from './data/package.repo.ts'
import { usersOf } from './data/tenant-admin.repo.ts'
import type { TenancyDeps } from './deps.ts'

/** Which of these rows tenants use. A second connection sees all tenants; the rows themselves are locked by the caller. */
const refuseUsed = async (
  deps: TenancyDeps,
  ctx: Ctx,
  column: 'package_id' | 'datasource_id',
  rows: readonly { id?: unknown }[],
): Promise<Refusal | undefined> => {
  const users = await deps.services.scopes.asPlatform('who uses it is known above the tenants only', ctx.arrivedAt, db =>
    usersOf(
      db,
      column,
      rows.map(row => String(row.id)),
    ),
  )
  return users.length === 0 ? undefined : refuse('kernel/in-use', { what: users.slice(0, 5).join('、') })
}

const packageSeams = (deps: TenancyDeps): CrudSeams => ({
  prepare: async ({ db, input }) => {
    if (input.menuId === undefined) return input
    const ids = idsOf(String(input.menuId ?? ''))
    if ((await countMenus(db, ids)) !== ids.length)
      throw new Refused(refuseField('menuId', { zh: '有菜单不存在，请重新选择', en: 'A menu does not exist; please choose again' }))
    return { ...input, menuId: ids.join(',') }
  },
  refuseRemove: ({ ctx, rows }) => refuseUsed(deps, ctx, 'package_id', rows),
  afterWrite: async ({ db, before, after }) => {
    const id = String((after ?? before)?.id)
    await expandPackages(db, [id])
    await forgetEverywhere(db)
  },
})

/** A database that somebody added to the dictionary has no driver here. */
const kinds: readonly unknown[] = ['postgresql', 'mysql', 'oracle', 'sqlserver', 'dameng', 'kingbase']
const addressParts = ['kind', 'host', 'port', 'username'] as const
const checkSource: CrudSeams['prepare'] = async ({ input, before }) => {
  if (input['kind'] !== undefined && !kinds.includes(input['kind']))
    return refuseField('kind', { zh: '程序不支持这种数据库', en: 'The program does not know this database' })
  // A stored password is for one account of one server: it is never sent to another address that somebody writes in.
  const hasMoved = before !== undefined && addressParts.some(name => input[name] !== undefined && input[name] !== before[name])
  if (hasMoved && before['passwordState'] === 1 && !input['password'])
    return refuseField('password', {
      zh: '更换类型、主机、端口或用户名时请重新输入密码',
      en: 'Enter the password again with another kind, host, port or user',
    })
  return input
}

/** Packages and data sources: plain nouns of the platform with a rule each. */
export const platformNounHandlers = (deps: TenancyDeps): Handler[] => [
  ...crud(tenantPackage, packageSeams(deps)),
  handle(datasourcePassword, async ({ ctx, db, input }) => {
    if (!(await lockDatasource(db, input.id))) return refuse('kernel/not-found', {})
    const password =
      input.password === '' ? '' : await ctx.asSystem('a cipher is used once', own => deps.auth.openSecret(own, input.password))
    return { passwordState: await keepPassword(deps, ctx, db, input.id, password) }
  }),
  ...crud(datasource, {
    complete: fromAddress,
    prepare: checkSource,
    refuseRemove: ({ ctx, rows }) => refuseUsed(deps, ctx, 'datasource_id', rows),
    afterWrite: async ({ ctx, db, after, input }) => {
      const given = input['password']
      if (!after || typeof given !== 'string' || given === '') return
      // Sealed, or as another client has it typed.
      const password = isSealed(given) ? await ctx.asSystem('a cipher is used once', own => deps.auth.openSecret(own, given)) : given
      await keepPassword(deps, ctx, db, String(after['id']), password)
    },
  }),
]
