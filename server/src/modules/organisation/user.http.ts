import { refuse } from '#contract/kernel/errors.ts'
import { markOf } from '#contract/kernel/field-rule.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import type { Label } from '#contract/kernel/label.ts'
import { stateOfWire } from '#contract/kernel/machine.ts'
import { countCap, sliceOf, toCappedPage } from '#contract/kernel/page.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { accountMachine } from '#contract/organisation/account.state.ts'
import { post } from '#contract/organisation/post.resource.ts'
import { refuseUser } from '#contract/organisation/user.errors.ts'
import { userNoun } from '#contract/organisation/user.noun.ts'
import { type UserLine, user } from '#contract/organisation/user.routes.ts'
import { audit } from '#kernel/audit.ts'
import { fileName, maxExportRows, watermarkOf } from '#kernel/crud/export.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type ExportPlan, type Handler, handle, handleExport, Refused } from '#kernel/http/context.ts'
import { rowScopeOf } from '#kernel/http/row-scope.ts'
import type { SheetLine } from '#kernel/sheet/write-sheet.ts'
import { listedUserScope, mayHandOut, staffRoles, userScope } from '#modules/access/index.ts'
import { decideOpening, proposedOpening } from './commands/account-change.ts'
import { inWholeTenant, showWork } from './commands/give-up-work.ts'
import { lockUsers, unlockUsers } from './commands/lock-users.ts'
import {
  changeUserStatus,
  granterOf,
  grantRoles,
  removeUsers,
  resetPasswords,
  resetSecondFactors,
  switchLeader,
  targetsOf,
} from './commands/manage-users.ts'
import { saveUser } from './commands/save-user.ts'
import { countUsers, findUser, leadersNamed, listUsers, type UserFilter, type UserRow } from './data/user.repo.ts'
import { findPlatformOf, listPostChoices, updateAccount } from './data/user-admin.repo.ts'
import type { OrganisationDeps } from './deps.ts'

const nobody = { zh: '', en: '' } satisfies Label
const userTypeLabels: Readonly<Record<number, Label>> = {
  1: { zh: '工作人员', en: 'Staff' },
  2: { zh: '考生', en: 'Candidate' },
  3: { zh: '服务账号', en: 'Service account' },
}

/** As the person themselves sees the account. */
export const presentUser = (deps: OrganisationDeps, ctx: Ctx, row: UserRow) => ({
  id: row.id,
  tenantId: row.tenantId,
  tenantName: row.tenantName,
  account: row.account,
  userType: row.userType,
  name: row.name,
  realName: row.realName,
  avatar:
    row.avatarFileId === null
      ? ''
      : deps.files.linkFor({ tenantId: ctx.tenantId, userId: ctx.session?.userId ?? '0' }, row.avatarFileId, ctx.arrivedAt),
  email: row.email ?? '',
  phone: row.phoneMask ?? '',
  idCard: row.idCardMask ?? '',
  sex: row.sex ?? -1,
  birthday: row.birthday ?? '',
  code: row.code ?? '',
  userCode: row.userCode ?? '',
  roleId: row.roleId ?? '',
  roleName: (ctx.language === 'en' ? row.roleNameEn : row.roleName) ?? '',
  deptId: row.deptId ?? '',
  deptName: row.deptName ?? '',
  postId: row.postId ?? '',
  postName: row.postName ?? '',
  leaderId: row.leaderId ?? '',
  isLeader: row.isLeader ? 1 : 0,
  status: row.status,
  userTypeName: ctx.say(userTypeLabels[row.userType] ?? nobody),
  statusName: ctx.say(accountMachine.label[stateOfWire(accountMachine, row.status) ?? 'closed']),
  sexName: (ctx.language === 'en' ? row.sexNameEn : row.sexName) ?? '',
  createTime: toWireTime(row.createdAt),
})
const presentLine = (deps: OrganisationDeps, ctx: Ctx, row: UserRow): UserLine => ({
  ...presentUser(deps, ctx, row),
  leaderName: row.leaderName ?? '',
  passwordDue: row.passwordDue ? 1 : 0,
  secondFactor: row.secondFactor ? 1 : 0,
  lockedUntil: row.lockedUntil && row.lockedUntil > deps.auth.now() ? toWireTime(row.lockedUntil) : '',
  // A lock that begins later has its reason too, and shuts nobody yet.
  lockReason: row.status === accountMachine.wire.locked ? (row.lockReason ?? '') : '',
  version: row.version,
})

/** As selectors name somebody. */
const presentChoice = ({ id, account, realName, deptName }: UserRow) => ({ id, account, realName, deptName: deptName ?? '' })
/** Active members of staff. */
const choosable = { userType: 1, status: 1 } as const
const mostChoices = 200

const exportColumns = [
  ['account', { zh: '账号', en: 'Account' }],
  ['realName', { zh: '姓名', en: 'Name' }],
  ['name', { zh: '昵称', en: 'Nick name' }],
  ['roleName', { zh: '角色', en: 'Roles' }],
  ['deptName', { zh: '部门', en: 'Departments' }],
  ['postName', { zh: '职务', en: 'Posts' }],
  ['phone', { zh: '手机', en: 'Mobile' }],
  ['email', { zh: '邮箱', en: 'E-mail' }],
  ['code', { zh: '用户编号', en: 'Number' }],
  ['userCode', { zh: '单位编码', en: 'Unit code' }],
  ['birthday', { zh: '出生日期', en: 'Birth date' }],
  ['sexName', { zh: '性别', en: 'Sex' }],
  ['leaderName', { zh: '上级', en: 'Reports to' }],
  ['statusName', { zh: '状态', en: 'Status' }],
  ['createTime', { zh: '创建时间', en: 'Created' }],
] as const
const exportBatch = 1_000
/** Columns that say a field in other words. */
const alsoFields: Readonly<Record<string, string>> = { sexName: 'sex', leaderName: 'realName' }
const fieldOf = (column: string) => {
  const name = alsoFields[column] ?? column
  return Object.hasOwn(userNoun.fields, name) ? { field: markOf(userNoun, name as keyof typeof userNoun.fields) } : {}
}

/** What the caller's data scopes leave of the accounts. */
const scopeOf = (ctx: Ctx) => listedUserScope(ctx.session)

const planExport = async (deps: OrganisationDeps, ctx: Ctx, filter: UserFilter): Promise<ExportPlan> => {
  const total = await ctx.tx(db => countUsers(db, filter, scopeOf(ctx)))
  if (total > maxExportRows) throw new Refused(refuse('kernel/too-many', { limit: maxExportRows }))
  const what = ctx.say({ zh: '用户', en: 'Users' })
  async function* lines(): AsyncGenerator<SheetLine> {
    for (let done = 0; done < total; done += exportBatch) {
      const rows = await ctx.tx(db => listUsers(db, filter, scopeOf(ctx), exportBatch, done))
      for (const row of rows) {
        const line = presentLine(deps, ctx, row)
        yield exportColumns.map(([name]) => String(line[name]))
      }
      if (rows.length < exportBatch) return
    }
  }
  return {
    fileName: fileName(what, toWireTime(ctx.arrivedAt).replace(/\D/g, '')),
    total,
    audit: {
      action: 'account.exported',
      entity: 'account',
      entityId: null,
      after: { filter, columns: exportColumns.map(([name]) => name) },
    },
    book: {
      watermark: watermarkOf(ctx, what),
      sheets: [
        {
          name: what,
          columns: exportColumns.map(([name, label]) => ({ header: ctx.say(label), kind: 'text' as const, ...fieldOf(name) })),
          rows: lines(),
        },
      ],
    },
  }
}

const platformOf = (ctx: Ctx, db: TenantDb, id: string) => findPlatformOf(db, id, userScope(ctx.session))

type Paged = UserFilter & { readonly current?: number; readonly size?: number; readonly count?: 'exact' | 'capped' }
const page = async <Shown>(ctx: Ctx, db: TenantDb, input: Paged, present: (row: UserRow) => Shown) => {
  const { current, size, offset, count, ...filter } = sliceOf(input)
  const rows = (await listUsers(db, filter, scopeOf(ctx), size, offset)).map(present)
  const cap = count === 'capped' ? countCap(current, size) : undefined
  return toCappedPage(rows, await countUsers(db, filter, scopeOf(ctx), cap), cap, current, size)
}

export const userHandlers = (deps: OrganisationDeps): Handler[] => [
  handle(user.page, ({ ctx, db, input }) => page(ctx, db, input, row => presentLine(deps, ctx, row))),
  handle(user.pick, ({ ctx, db, input: { name: realName, ...input } }) =>
    page(ctx, db, { ...input, ...choosable, ...(realName === undefined ? {} : { realName }) }, presentChoice),
  ),
  handle(user.detail, async ({ ctx, db, input }) => {
    const found = await findUser(db, input.id, scopeOf(ctx))
    if (!found) return refuse('kernel/not-found', {})
    // The person may ask who looked (P6).
    if (found.userType === 2) await audit(db, ctx, { action: 'account.read', entity: 'account', entityId: input.id })
    const change = ctx.session?.permissions.has('user_edit') ? await proposedOpening(deps, ctx, db, input.id) : undefined
    return { ...presentLine(deps, ctx, found), ...(change ? { change } : {}) }
  }),
  handle(user.decideChange, ({ ctx, input }) => inWholeTenant(deps, ctx, db => decideOpening(deps, ctx, db, input))),
  handle(user.choices, async ({ ctx, db, input }) =>
    (await listUsers(db, { ...input, ...choosable }, scopeOf(ctx), mostChoices, 0)).map(presentChoice),
  ),
  handle(user.leaders, async ({ ctx, db, input }) =>
    input.tenantId && input.tenantId !== ctx.tenantId ? [] : leadersNamed(db, input.realName, scopeOf(ctx)),
  ),
  handle(user.setLeader, ({ ctx, db, input }) => switchLeader(ctx, db, input.userId)),
  handle(user.roleChoices, async ({ ctx, db }) => {
    const granter = await granterOf(db, ctx)
    return (await staffRoles(db)).map(role => ({
      id: role.id,
      parentId: role.parentId,
      roleName: (ctx.language === 'en' && role.roleNameEn) || role.roleName,
      roleAlias: role.roleAlias,
      grantable: mayHandOut(granter, role),
    }))
  }),
  handle(user.postChoices, ({ ctx, db }) => listPostChoices(db, rowScopeOf(ctx.session, post))),
  handle(user.submit, ({ ctx, input }) => saveUser(deps, ctx, input)),
  handle(user.holdings, ({ ctx, input }) => showWork(deps, ctx, input)),
  handle(user.remove, ({ ctx, input }) => inWholeTenant(deps, ctx, db => removeUsers(deps, ctx, db, input))),
  handle(user.grant, ({ ctx, input }) => inWholeTenant(deps, ctx, db => grantRoles(deps, ctx, db, input))),
  handle(user.resetPassword, ({ ctx, input }) => resetPasswords(deps, ctx, input)),
  handle(user.resetSecondFactor, ({ ctx, db, input }) => resetSecondFactors(deps, ctx, db, input)),
  handle(user.lock, ({ ctx, db, input }) => lockUsers(deps, ctx, db, input)),
  handle(user.unlock, ({ ctx, db, input }) => unlockUsers(ctx, db, input)),
  handle(user.changeStatus, ({ ctx, input }) => inWholeTenant(deps, ctx, db => changeUserStatus(deps, ctx, db, input))),
  handle(user.platformDetail, async ({ ctx, db, input }) => (await platformOf(ctx, db, input.id)) ?? refuse('kernel/not-found', {})),
  handle(user.updatePlatform, async ({ ctx, db, input }) => {
    const before = await platformOf(ctx, db, input.userId)
    if (!before) return refuse('kernel/not-found', {})
    const [target] = await targetsOf(ctx, db, idsOf(input.userId))
    if (input.userType !== undefined && input.userType !== before.userType)
      return refuseUser('user/state', { account: target?.account ?? '', state: { zh: '平台不可更改', en: 'its platform does not change' } })
    await updateAccount(db, input.userId, { user_ext: input.userExt })
    await audit(db, ctx, {
      action: 'account.platform-updated',
      entity: 'account',
      entityId: input.userId,
      before: { userExt: before.userExt },
      after: { userExt: input.userExt },
    })
    return { changed: 1 }
  }),
  handleExport(user.exportUsers, ({ ctx, input }) => planExport(deps, ctx, input)),
]
