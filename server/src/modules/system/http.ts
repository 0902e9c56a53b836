import { refuse } from '#contract/kernel/errors.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import { systemResources } from '#contract/system/system.resources.ts'
import {
  auditPass,
  auditRefuse,
  authRoutes,
  dictionary,
  dictionaryBiz,
  externalRoutes,
  mainMenu,
  menuButtons,
  menuRoutes,
  register,
  registerGuest,
  resetBySms as resetBySmsRoute,
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
import { type Ctx, type Handler, handle, sessionOf } from '#kernel/http/context.ts'
import { clientHandlers } from './client/client.http.ts'
import { auditRegistrations } from './commands/audit-registration.ts'
import { changePassword } from './commands/change-password.ts'
import { registerCandidate } from './commands/register-candidate.ts'
import { registerGuestAccount } from './commands/register-guest.ts'
import { resetBySms } from './commands/reset-by-sms.ts'
import { updateOwnInfo } from './commands/update-own-info.ts'
import type { ListsOf } from './commands/view-as.ts'
import { listOffered } from './data/dict.repo.ts'
import { listGranted, listMenusAbove, type MenuRow } from './data/menu.repo.ts'
import { listNamesOfRoles } from './data/role.repo.ts'
import { findTenantByDomain, findTenantById } from './data/tenant.repo.ts'
import { listTopMenus } from './data/topmenu.repo.ts'
import { findUser } from './data/user.repo.ts'
import type { SystemDeps } from './deps.ts'
import { deptHandlers } from './dept.http.ts'
import { dictHandlers } from './dict.http.ts'
import { treeWithAncestors } from './domain/menu-tree.ts'
import { fieldRuleHandlers } from './field-rule.http.ts'
import { menuHandlers } from './menu.http.ts'
import { monitorHandlers } from './monitor.http.ts'
import { paramHandlers } from './param.http.ts'
import { regionHandlers } from './region.http.ts'
import { roleHandlers } from './role.http.ts'
import { scopeHandlers } from './scope.http.ts'
import { platformNounHandlers } from './tenant/package.http.ts'
import { pictureUrl } from './tenant/pictures.ts'
import { tenantHandlers } from './tenant/tenant.http.ts'
import { topMenuHandlers } from './topmenu.http.ts'
import { presentUser, userHandlers } from './user.http.ts'
import { viewAsHandlers } from './view-as.http.ts'

const presentMenu = ({ nameEn, roles, ...menu }: MenuRow) => ({ ...menu, meta: { i18n: { zh: menu.name, en: nameEn }, roles: [...roles] } })

/** What is granted, in its menus, granted or not. */
const grantedTree = async (db: TenantDb, granted: readonly MenuRow[]) =>
  treeWithAncestors(granted.map(presentMenu), (await listMenusAbove(db, granted)).map(presentMenu))

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
  handle(externalRoutes, async ({ ctx, db }) => {
    const menus = await listGranted(db, sessionOf(ctx).roleIds, 1)
    return grantedTree(
      db,
      menus.filter(menu => /^https?:/i.test(menu.path)),
    )
  }),
  handle(authRoutes, async ({ ctx, db }) => {
    const menus = await listGranted(db, sessionOf(ctx).roleIds, 1)
    return menus.filter(menu => menu.path !== '').map(menu => ({ [menu.path]: { authority: [...menu.roles] } }))
  }),
  handle(menuButtons, async ({ ctx, db }) => grantedTree(db, await listGranted(db, sessionOf(ctx).roleIds, 2))),
  handle(topMenus, ({ ctx, db }) => listTopMenus(db, sessionOf(ctx).roleIds)),
  handle(mainMenu, async ({ ctx, db }) => (await listTopMenus(db, sessionOf(ctx).roleIds)).find(top => top.isMain === 1) ?? {}),
  handle(roleList, ({ ctx, db }) => listNamesOfRoles(db, sessionOf(ctx).roleIds, ctx.language)),
  handle(dictionary, ({ db, input }) => listOffered(db, 'dict', input.code)),
  handle(dictionaryBiz, ({ db, input }) => listOffered(db, 'dict_biz', input.code)),
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
      domainUrl: tenant.domain ?? '',
      logoUrl: pictureUrl(tenant.tenantId, 'logo', tenant.logoAt),
      backgroundUrl: pictureUrl(tenant.tenantId, 'background', tenant.backgroundAt),
      title: { zh: tenant.titleZh, en: tenant.titleEn },
    }
  }),
  handle(userSelf, async ({ ctx, db }) => {
    const session = sessionOf(ctx)
    const passwordAsked = await ctx.asSystem('how the caller has logged in', system => deps.auth.isPasswordAsked(system, session))
    return { ...(await user(deps, ctx, db, session.userId)), passwordAsked }
  }),
  handle(register, ({ ctx, input }) => registerCandidate(deps, ctx, input)),
  handle(resetBySmsRoute, ({ ctx, input }) => resetBySms(deps, ctx, input)),
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
