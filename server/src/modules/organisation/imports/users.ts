import { dayDoubts, dayProblem } from '#contract/kernel/date-facts.ts'
import { foldWidth } from '#contract/kernel/fold-width.ts'
import { toWireDay } from '#contract/kernel/when.ts'
import { organisationImports } from '#contract/organisation/import-kinds.ts'
import { isEmail } from '#contract/person/email.ts'
import { checkMobile, mobileMessages } from '#contract/person/mobile.ts'
import { checkName, nameMessages } from '#contract/person/person-name.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import type { SheetBook } from '#kernel/sheet/write-sheet.ts'
import {
  failRepeated,
  type HeaderSpec,
  type ImportDefinition,
  namesIn,
  openSheet,
  type RowReader,
  requiredReason,
  short,
  templateBook,
} from '#modules/transfer/index.ts'
import type { Services } from '#server/services.ts'
import { addStaff, type StaffNames, type StaffRow, staffNames } from '../commands/import-staff.ts'

/** The columns of template T0: accounts of staff. */
const userColumns = {
  account: { header: '账号', required: true, kind: 'code' },
  realName: { header: '姓名', required: true },
  name: { header: '昵称', required: false },
  phone: { header: '手机', required: false, kind: 'code' },
  email: { header: '邮箱', required: false },
  roles: { header: '角色', required: true, lines: true },
  depts: { header: '部门', required: false, lines: true },
  posts: { header: '职务', required: false, lines: true },
  code: { header: '用户编号', required: false, kind: 'code' },
  userCode: { header: '单位编码', required: false, kind: 'code' },
  birthday: { header: '出生日期', required: false, kind: 'day' },
} as const satisfies Record<string, HeaderSpec>
type Column = keyof typeof userColumns
type Reader = RowReader<Column>

const mostRows = 5_000

const placesOf = (reader: Reader, key: 'depts' | 'posts', known: ReadonlyMap<string, string>): readonly string[] =>
  namesIn(reader.text(key)).flatMap(name => {
    const id = known.get(name)
    if (id !== undefined) return [id]
    const what = key === 'depts' ? { zh: '部门', en: 'department' } : { zh: '职务', en: 'post' }
    reader.fail(key, 'unknown', { zh: `${what.zh}不存在或有重名: ${name}`, en: `There is no ${what.en} ${name}, or several` })
    return []
  })

const rolesOf = (reader: Reader, names: StaffNames): readonly string[] => {
  const wanted = namesIn(reader.text('roles'))
  if (wanted.length === 0) reader.fail('roles', 'required', requiredReason('角色'))
  const roles = wanted.flatMap(name => {
    const role = names.roles.get(name)
    if (!role) reader.fail('roles', 'unknown', { zh: `角色不存在: ${name}`, en: `There is no role ${name}` })
    else if (role.isApart)
      reader.fail('roles', 'kept-apart', {
        zh: `“${name}”与您的角色须由不同的人担任，请由系统运维人员用服务器上的命令 admin 办理`,
        en: `“${name}” is kept apart from your role; the operator of the server makes such people with its command admin`,
      })
    else if (!role.grantable)
      reader.fail('roles', 'beyond-own', { zh: `角色“${name}”含有您没有的权限`, en: `The role ${name} holds rights that you do not have` })
    return role ? [role] : []
  })
  if (names.isTorn(roles.map(role => role.id)))
    reader.fail('roles', 'apart', {
      zh: '租户管理员、安全管理员、审计监督三者及含有其权限的角色不能由同一人担任',
      en: 'Tenant administrator, security administrator and auditor, and roles with their rights, must be held by different people',
    })
  else if (names.isMixed(roles.map(role => role.id)))
    reader.fail('roles', 'not-alone', {
      zh: '平台管理员、租户管理员、安全管理员、审计监督，以及可授予他人权限的角色，不能与其他角色由同一账号担任',
      en: 'Administrators, auditors and roles that give rights to others go with no other role in one account',
    })
  return roles.map(role => role.id)
}

const readRow = (reader: Reader, names: StaffNames & { readonly today: string }): StaffRow => {
  const account = reader.code('account')
  if (!/^[A-Za-z0-9_.@-]{4,60}$/.test(account))
    reader.fail('account', 'account', { zh: '账号须为 4 至 60 位字母、数字或 _ . @ -', en: '4 to 60 letters, digits or _ . @ -' })
  const name = checkName(reader.text('realName'))
  if (!name.ok) reader.fail('realName', 'name', nameMessages[name.problem])
  const typed = reader.code('phone')
  const phone = typed === '' ? undefined : checkMobile(typed)
  if (phone && !phone.ok) reader.fail('phone', 'mobile', mobileMessages[phone.problem])
  const email = foldWidth(short(reader, 'email', 120))
  if (email !== '' && !isEmail(email)) reader.fail('email', 'email', { zh: '邮箱格式不正确', en: 'This is no e-mail address' })
  const birthday = reader.text('birthday')
  const wrong = dayProblem('birthday', birthday, { now: names.today })
  if (wrong) reader.fail('birthday', 'date', wrong)
  else for (const doubt of dayDoubts('birthday', 'birthday', birthday, { now: names.today })) reader.ask('birthday', doubt)
  const userCode = reader.code('userCode')
  if (userCode !== '' && !names.unitCodes.has(userCode))
    reader.fail('userCode', 'unknown', { zh: `单位编码不存在: ${userCode}`, en: `There is no unit code ${userCode}` })
  return {
    account,
    realName: name.ok ? name.name : '',
    name: short(reader, 'name', 60),
    phone: phone?.ok ? phone.mobile : '',
    email,
    roleIds: rolesOf(reader, names),
    deptIds: placesOf(reader, 'depts', names.depts),
    postIds: placesOf(reader, 'posts', names.posts),
    code: short(reader, 'code', 40),
    userCode,
    birthday,
  }
}

/** The empty workbook, with the roles that its reader may give. */
const emptyBook = async (db: TenantDb, ctx: Pick<Ctx, 'say' | 'session'>): Promise<SheetBook> => {
  const names = await staffNames(db, ctx.session?.userId ?? '0')
  return templateBook(ctx.say, organisationImports.users.label, userColumns, {
    account: {
      note: { zh: '4 至 60 位字母、数字或 _ . @ -，本租户内唯一', en: '4 to 60 letters, digits or _ . @ -, unique in the tenant' },
      sample: 'zhangsan',
    },
    realName: { note: { zh: '真实姓名', en: 'The real name' }, sample: '张三' },
    name: { note: { zh: '留空即姓名', en: 'Empty: the name' }, sample: '' },
    phone: { note: { zh: '11 位手机号，单元格须为文本格式', en: '11 digits; the cell must be text' }, sample: '13800000000' },
    email: { note: { zh: '可留空', en: 'May be empty' }, sample: '' },
    roles: {
      note: { zh: '角色名称，多个用逗号分隔', en: 'Names of roles, divided by commas' },
      sample: '初审员',
      choices: [...names.roles].filter(([, role]) => role.grantable).map(([name]) => name),
    },
    depts: {
      note: { zh: '部门名称；重名时填全称，多个用逗号分隔', en: 'Names of departments, in full where two share one; divided by commas' },
      sample: '',
    },
    posts: { note: { zh: '职务名称，多个用逗号分隔', en: 'Names of posts, divided by commas' }, sample: '' },
    code: { note: { zh: '工号等，可留空', en: 'A staff number; may be empty' }, sample: '' },
    userCode: {
      note: { zh: '用人单位、考点、院校人员填写已登记的编码', en: 'A registered code, for people of hiring units, sites and schools' },
      sample: '',
    },
    birthday: { note: { zh: 'YYYY-MM-DD，可留空', en: 'YYYY-MM-DD; may be empty' }, sample: '1990-02-28' },
  })
}
/** T0: accounts of staff of one's own tenant; an account that exists is never changed by an import. */
export const userImport = (services: Services): ImportDefinition<StaffRow> => ({
  ...organisationImports.users,
  columns: userColumns,
  maxRows: mostRows,
  check: async (db, sheet, { job }) => {
    const opened = openSheet(userColumns, sheet.header)
    const readers = opened.readers(sheet.rows)
    const names = { ...(await staffNames(db, job.createdBy)), today: toWireDay(db.now) }
    const taken = await names.taken(readers.map(reader => reader.code('account')))
    const first = new Map<string, number>()
    const rows = readers.map(reader => {
      const value = readRow(reader, names)
      const key = names.keyOf(value.account)
      failRepeated(reader, 'account', key, first)
      if (taken.has(key)) reader.fail('account', 'taken', { zh: '该账号已被使用', en: 'This account name is taken' })
      return { row: reader.row, value }
    })
    return opened.checked(rows)
  },
  write: async (db, rows, { job, progress }) => ({
    inserted: await addStaff(
      services,
      db,
      rows.map(({ value }) => value),
      { importId: job.id, progress },
    ),
    updated: 0,
    skipped: 0,
  }),
  template: (db, { ctx }) => emptyBook(db, ctx),
})
