import { refuse } from '#contract/kernel/errors.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import { systemResources } from '#contract/system/system.resources.ts'
import {
  auditPass,
  auditRefuse,
  dictionary,
  dictionaryBiz,
  menuButtons,
  menuRoutes,
  register,
  registerGuest,
  roleList,
  tenantInfo,
  topMenus,
  updateInfo,
  updatePassword,
  userSelf,
  userUpdate,
} from '#contract/system/system.routes.ts'
import { crud } from '#kernel/crud/crud.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Ctx, type Handler, handle, sessionOf } from '#kernel/http/context.ts'
import { clientHandlers } from './client/client.http.ts'
import { auditRegistrations } from './commands/audit-registration.ts'
import { changePassword } from './commands/change-password.ts'
import { registerCandidate } from './commands/register-candidate.ts'
import { registerGuestAccount } from './commands/register-guest.ts'
import { updateOwnInfo } from './commands/update-own-info.ts'
import { listGranted, listMenusAbove, type MenuRow } from './data/menu.repo.ts'
import { findTenantByDomain, findTenantById } from './data/tenant.repo.ts'
import { findUser } from './data/user.repo.ts'
import type { SystemDeps } from './deps.ts'
import { deptHandlers } from './dept.http.ts'
import { dictHandlers } from './dict.http.ts'
import { treeWithAncestors } from './domain/menu-tree.ts'
import { fieldRuleHandlers } from './field-rule.http.ts'
import { menuHandlers } from './menu.http.ts'
import { monitorHandlers } from './monitor.http.ts'
import { paramHandlers } from './param.http.ts'
import { regionHandlers } from './region/region.http.ts'
import { roleHandlers } from './role.http.ts'
import { scopeHandlers } from './scope.http.ts'
import { platformNounHandlers } from './tenant/package.http.ts'
import { pictureUrl } from './tenant/pictures.ts'
import { tenantHandlers } from './tenant/tenant.http.ts'
import { topMenuHandlers } from './topmenu.http.ts'
import { presentUser, userHandlers } from './user.http.ts'
import { type ListsOf, viewAsHandlers } from './view-as.http.ts'

const presentMenu = ({ nameEn, roles, ...menu }: MenuRow) => ({ ...menu, meta: { i18n: { zh: menu.name, en: nameEn }, roles: [...roles] } })

/** What is granted, in its menus, granted or not. */
const grantedTree = async (db: TenantDb, granted: readonly MenuRow[]) =>
  treeWithAncestors(granted.map(presentMenu), (await listMenusAbove(db, granted)).map(presentMenu))

const readDictionary =
  (table: 'dict' | 'dict_biz') =>
  async ({ db, input }: { db: TenantDb; input: { code: string } }) =>
    db.all(sql<{ code: string; dictKey: string; dictValue: string; dictValueEn: string; sort: number; remark: string }>`
    select code, dict_key as "dictKey", dict_value as "dictValue", dict_value_en as "dictValueEn", sort, remark
    from ${sql.table(table)} where code = ${input.code} and dict_key <> '-1' and is_sealed = 0 and not is_deleted order by sort, id`)

const user = async (deps: SystemDeps, ctx: Ctx, db: TenantDb, id: string) => {
  const row = await findUser(db, id)
  return row ? presentUser(deps, ctx, row) : refuse('kernel/not-found', {})
}

export const systemHandlers = (deps: SystemDeps, lists: ListsOf): Handler[] => [
  ...systemResources.flatMap(resource => crud(resource)),
  ...paramHandlers(deps),
  ...platformNounHandlers(deps),
  ...tenantHandlers(deps),
  ...topMenuHandlers,
  ...clientHandlers(deps.services),
  ...regionHandlers(deps.services),
  ...dictHandlers(deps.services),
  ...deptHandlers(),
  ...menuHandlers(),
  ...userHandlers(deps),
  ...monitorHandlers(deps),
  ...roleHandlers(),
  ...scopeHandlers(),
  ...fieldRuleHandlers(),
  ...viewAsHandlers(deps, lists),
  handle(menuRoutes, async ({ ctx, db, input }) => grantedTree(db, await listGranted(db, sessionOf(ctx).roleIds, 1, input.topMenuId))),
  handle(menuButtons, async ({ ctx, db }) => grantedTree(db, await listGranted(db, sessionOf(ctx).roleIds, 2))),
  handle(topMenus, async ({ ctx, db }) =>
    db.all(sql<{ id: string; code: string; name: string; nameEn: string; source: string; sort: number }>`
      select t.id::text as id, t.code, t.name, t.name_en as "nameEn", t.source, t.sort from top_menu t
      where not t.is_deleted and exists (
        select 1 from top_menu_menu tm join role_menu rm on rm.menu_id = tm.menu_id
        join menu m on m.id = tm.menu_id and m.category = 1 and not m.is_deleted
        where tm.top_menu_id = t.id and rm.role_id = any(${[...sessionOf(ctx).roleIds]}::bigint[]))
      order by t.sort, t.id`),
  ),
  handle(roleList, async ({ ctx, db }) =>
    db.all(sql<{ id: string; roleName: string; roleAlias: string }>`
      select id::text as id, case when ${ctx.language === 'en'} and role_name_en <> '' then role_name_en else role_name end as "roleName", role_alias as "roleAlias"
      from role
      where not is_deleted and id = any(${[...sessionOf(ctx).roleIds]}::bigint[]) order by sort, id`),
  ),
  handle(dictionary, readDictionary('dict')),
  handle(dictionaryBiz, readDictionary('dict_biz')),
  handle(tenantInfo, async ({ ctx, input }) => {
    const tenant = await deps.services.scopes.asPlatform(
      'the login page asks which tenant its address belongs to',
      ctx.arrivedAt,
      async db =>
        input.tenantId !== undefined
          ? findTenantById(db, input.tenantId)
          : input.domain !== undefined
            ? findTenantByDomain(db, input.domain)
            : findTenantById(db, ctx.tenantId),
    )
    if (!tenant) return {}
    return {
      tenantId: tenant.tenantId,
      domain: tenant.domain ?? '',
      logoUrl: pictureUrl(tenant.tenantId, 'logo', tenant.logoAt),
      backgroundUrl: pictureUrl(tenant.tenantId, 'background', tenant.backgroundAt),
      title: { zh: tenant.titleZh, en: tenant.titleEn },
    }
  }),
  handle(userSelf, ({ ctx, db }) => user(deps, ctx, db, sessionOf(ctx).userId)),
  handle(register, ({ ctx, input }) => registerCandidate(deps, ctx, input)),
  handle(updatePassword, ({ ctx, input }) => changePassword(deps, ctx, input)),
  handle(registerGuest, ({ ctx, input }) => registerGuestAccount(deps, ctx, input)),
  handle(auditPass, ({ ctx, db, input }) => auditRegistrations(deps, ctx, db, 'pass', input)),
  handle(auditRefuse, ({ ctx, db, input }) => auditRegistrations(deps, ctx, db, 'refuse', input)),
  handle(userUpdate, async ({ ctx, input }) => {
    const avatar = ctx.files.length === 0 ? input.avatar : await deps.files.receiveAvatar(ctx, userUpdate.path)
    if (isRefusal(avatar)) return avatar
    await updateOwnInfo(deps, ctx, { ...input, ...(avatar === undefined ? {} : { avatar }) })
    return ctx.tx(db => user(deps, ctx, db, sessionOf(ctx).userId))
  }),
  handle(updateInfo, async ({ ctx, input }) => {
    await updateOwnInfo(deps, ctx, input)
    return ctx.tx(db => user(deps, ctx, db, sessionOf(ctx).userId))
  }),
]
