import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { toPage } from '#contract/kernel/page.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { checkPassword, passwordMessage, passwordPolicyOf } from '#contract/system/password-policy.ts'
import { systemResources } from '#contract/system/system.resources.ts'
import {
  dictionary,
  dictionaryBiz,
  menuButtons,
  menuRoutes,
  register,
  roleList,
  tenantInfo,
  topMenus,
  updatePassword,
  userDetail,
  userPage,
  userSelf,
} from '#contract/system/system.routes.ts'
import { audit } from '#kernel/audit.ts'
import { crud } from '#kernel/crud/crud.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Ctx, type Handler, handle, Refused, type Session } from '#kernel/http/context.ts'
import { registerCandidate } from './commands/register-candidate.ts'
import { listGranted, listMenus, type MenuRow } from './data/menu.repo.ts'
import { findTenantByDomain, findTenantById } from './data/tenant.repo.ts'
import { findUser, pageUsers, type UserRow } from './data/user.repo.ts'
import type { SystemDeps } from './deps.ts'
import { treeWithAncestors } from './domain/menu-tree.ts'

const sessionOf = (ctx: Ctx): Session => {
  if (!ctx.session) throw new Refused(refuse('kernel/no-token', {}))
  return ctx.session
}

const presentMenu = ({ nameEn, roles, ...menu }: MenuRow) => ({ ...menu, meta: { i18n: { zh: menu.name, en: nameEn }, roles: [...roles] } })

const presentUser = (row: UserRow) => ({
  id: row.id,
  tenantId: row.tenantId,
  account: row.account,
  userType: row.userType,
  name: row.name,
  realName: row.realName,
  avatar: row.avatarFileId ?? '',
  email: row.email ?? '',
  phone: row.phoneMask ?? '',
  idCard: row.idCardMask ?? '',
  sex: row.sex ?? -1,
  birthday: row.birthday ?? '',
  code: row.code ?? '',
  userCode: row.userCode ?? '',
  roleId: row.roleId ?? '',
  roleName: row.roleName ?? '',
  deptId: row.deptId ?? '',
  postId: row.postId ?? '',
  status: row.status,
  createTime: toWireTime(row.createdAt),
})

const readDictionary =
  (table: 'dict' | 'dict_biz') =>
  async ({ db, input }: { db: TenantDb; input: { code: string } }) =>
    db.all(sql<{ code: string; dictKey: string; dictValue: string; dictValueEn: string; sort: number; remark: string }>`
    select code, dict_key as "dictKey", dict_value as "dictValue", dict_value_en as "dictValueEn", sort, remark
    from ${sql.table(table)} where code = ${input.code} and dict_key <> '-1' and is_sealed = 0 and not is_deleted order by sort, id`)

const user = async (db: TenantDb, id: string) => {
  const row = await findUser(db, id)
  return row ? presentUser(row) : refuse('kernel/not-found', {})
}

export const systemHandlers = (deps: SystemDeps): Handler[] => [
  ...systemResources.flatMap(resource => crud(resource)),
  handle(menuRoutes, async ({ ctx, db, input }) => {
    const granted = await listGranted(db, sessionOf(ctx).roleIds, 1, input.topMenuId)
    return treeWithAncestors(granted.map(presentMenu), (await listMenus(db)).map(presentMenu)) as never
  }),
  handle(menuButtons, async ({ ctx, db }) => {
    const granted = await listGranted(db, sessionOf(ctx).roleIds, 2)
    return treeWithAncestors(granted.map(presentMenu), (await listMenus(db)).map(presentMenu)) as never
  }),
  handle(topMenus, async ({ ctx, db }) =>
    db.all(sql<{ id: string; code: string; name: string; nameEn: string; source: string; sort: number }>`
      select t.id::text as id, t.code, t.name, t.name_en as "nameEn", t.source, t.sort from top_menu t
      where not t.is_deleted and exists (
        select 1 from top_menu_menu tm join role_menu rm on rm.menu_id = tm.menu_id
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
      backgroundUrl: tenant.backgroundUrl ?? '',
      title: { zh: tenant.titleZh, en: tenant.titleEn },
    }
  }),
  handle(userDetail, ({ db, input }) => user(db, input.id)),
  handle(userSelf, ({ ctx, db }) => user(db, sessionOf(ctx).userId)),
  handle(userPage, async ({ db, input }) => {
    const { current = 1, size = 10, ...filter } = input
    const { rows, total } = await pageUsers(db, filter, size, (current - 1) * size)
    return toPage(rows.map(presentUser), total, current, size) as never
  }),
  handle(register, ({ ctx, input }) => registerCandidate(deps, ctx, input)),
  handle(updatePassword, async ({ ctx, input }) => {
    const session = sessionOf(ctx)
    const { passwords } = deps.services
    const because = 'the caller’s own password'
    const [old, next, again] = await ctx.asSystem(because, async db => [
      await deps.auth.openCipher(db, input.oldPassword),
      await deps.auth.openCipher(db, input.newPassword),
      await deps.auth.openCipher(db, input.newPassword1),
    ])
    if (next !== again) return refuseAuth('auth/password-mismatch', {})
    const policy = passwordPolicyOf(session.userType === 2 ? 'candidate' : 'staff')
    const [problem] = checkPassword({ password: next ?? '', ownWords: [session.account], isCommon: deps.isCommonPassword }, policy)
    if (problem) {
      const text = passwordMessage(problem, policy)
      return { ...refuseAuth('auth/password-weak', { detail: '' }), text, data: { fields: [{ field: 'newPassword', msg: ctx.say(text) }] } }
    }
    const stored = await ctx.asSystem(because, db =>
      db.maybe(sql<{ hash: string | null }>`select password_hash as hash from account where id = ${session.userId}`),
    )
    if (!stored?.hash || !(await passwords.verify(old ?? '', stored.hash))) return refuseAuth('auth/wrong-password', {})
    const hash = await passwords.hash(next ?? '')
    await ctx.asSystem(because, async db => {
      await db.run(
        sql`update account set password_hash = ${hash}, password_changed_at = app_now(), updated_at = app_now(), version = version + 1 where id = ${session.userId}`,
      )
      await deps.auth.endSessionsOf(db, session.userId, 'password-changed', session.id)
      await audit(db, ctx, { action: 'account.password-changed', entity: 'account', entityId: session.userId })
    })
    return null
  }),
]
