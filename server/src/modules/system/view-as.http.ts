import { refuse } from '#contract/kernel/errors.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { Resource } from '#contract/kernel/resource.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { resources, ruledNouns } from '#contract/registry.ts'
import { organisationTargets, unitTargets } from '#contract/system/data-scope.ts'
import { type AccessReport, type Right, viewAs } from '#contract/system/view-as.routes.ts'
import { audit } from '#kernel/audit.ts'
import { fileName, watermarkOf } from '#kernel/crud/export.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { likeText, sql } from '#kernel/db/sql.ts'
import { readingAs } from '#kernel/http/background.ts'
import { type Ctx, type Handler, handle, handleExport, Refused, type Session } from '#kernel/http/context.ts'
import { fieldGate } from '#kernel/http/field-rule.ts'
import { listGranted, listMenusAbove, type MenuRow } from './data/menu.repo.ts'
import { listAllMenus } from './data/menu-admin.repo.ts'
import type { SystemDeps } from './deps.ts'
import { treeWithAncestors } from './domain/menu-tree.ts'

/** How the composed application answers lists; bound when all modules are there. */
export type ListsOf = (place: string) => Handler | undefined

const shownRows = 20

/** Lists of plain nouns; they only read. */
const listed: readonly Resource[] = resources.filter(
  ({ scope, verbs }) => scope === 'tenant' && (verbs.includes('page') || verbs.includes('list')),
)
const placeOf = ({ basePath, verbs }: Resource): string => `GET ${basePath}/${verbs.includes('page') ? 'page' : 'list'}`
const labelOf = (code: string) =>
  [...listed.map(one => ({ code: one.permission, label: one.label })), ...organisationTargets, ...unitTargets].find(
    one => one.code === code,
  )?.label

interface Page {
  readonly total: number
  readonly records: readonly Readonly<Record<string, unknown>>[]
}

/** The list as this session would get it; undefined when it does not come without more to choose. */
const listAs = async (lists: ListsOf, asker: Session, reader: Ctx, resource: Resource, size: number): Promise<Page | undefined> => {
  const handler = lists(placeOf(resource))
  if (!handler || !reader.session?.permissions.has(`${resource.permission}_view`)) return undefined
  try {
    const page = await reader.tx(async db => handler.run({ ctx: reader, db, input: { current: 1, size } as never }))
    // What the person sees, and of that no more than who asks sees themselves.
    return isRefusal(page) ? undefined : (fieldGate(handler.route).show(asker, page) as Page)
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

/** Whether the one who asks sees every row of a noun themselves: only then may others' rows be shown to them. */
const seesAll = (session: Session, code: string): boolean =>
  session.departments === null &&
  session.permissions.has(`${code}_view`) &&
  (session.wideResources.includes(code) || session.rowRules.every(rule => rule.resource !== code))

const personOf = async (deps: SystemDeps, db: TenantDb, userId: string): Promise<Session> => {
  const session = await deps.auth.sessionOfUser(db, userId)
  if (!session) throw new Refused(refuse('kernel/not-found', {}))
  return session
}

/** Every menu and button of the person with its place and the roles it comes through. */
const rightsOf = async (ctx: Ctx, db: TenantDb, session: Session): Promise<Right[]> => {
  const menus = new Map((await listAllMenus(db)).map(menu => [menu.id, menu]))
  const rows = await db.all(sql<{ menuId: string; role: string }>`
    select rm.menu_id::text as "menuId", r.role_name as role from role_menu rm join role r on r.tenant_id = rm.tenant_id and r.id = rm.role_id and not r.is_deleted
    where rm.role_id = any(${[...session.roleIds]}::bigint[]) order by r.sort, r.id`)
  const nameOf = (menu: { name: string; nameEn: string }): string => ctx.say({ zh: menu.name, en: menu.nameEn })
  const placeOfMenu = (id: string): string => {
    const menu = menus.get(id)
    if (!menu) return ''
    const above = placeOfMenu(menu.parentId)
    return above === '' ? nameOf(menu) : `${above} › ${nameOf(menu)}`
  }
  const held = new Map<string, string[]>()
  for (const { menuId, role } of rows) held.set(menuId, [...(held.get(menuId) ?? []), role])
  return [...menus.values()]
    .filter(menu => held.has(menu.id))
    .map(menu => ({
      id: menu.id,
      kind: menu.category,
      place: placeOfMenu(menu.parentId),
      name: nameOf(menu),
      code: menu.code,
      roles: held.get(menu.id) ?? [],
    }))
    .sort((a, b) => (`${a.place} ${a.code}` < `${b.place} ${b.code}` ? -1 : 1))
}

const rulesOf = async (db: TenantDb, session: Session): Promise<AccessReport['rules']> => {
  const rows = await db.all(sql<{ resource: string; name: string }>`
    select distinct d.resource_code as resource, d.scope_name as name from data_scope d join role_data_scope h on h.tenant_id = d.tenant_id and h.scope_id = d.id
    where not d.is_deleted and h.role_id = any(${[...session.roleIds]}::bigint[]) order by 1, 2`)
  const codes = [...new Set(rows.map(row => row.resource))].filter(code => !session.wideResources.includes(code))
  return codes.map(code => ({
    resource: code,
    label: labelOf(code) ?? { zh: code, en: code },
    names: rows.filter(row => row.resource === code).map(row => row.name),
  }))
}

/** Fields that the person sees in part or not at all, by noun. */
const fieldsOf = (session: Session): AccessReport['fields'] =>
  ruledNouns.flatMap(({ code, label, fields }) => {
    const ruled = Object.entries(fields).flatMap(([name, field]) => {
      const level = session.fieldRules[`${code}.${name}`]
      return level === undefined ? [] : [{ name, label: field.label, level }]
    })
    return ruled.length === 0 ? [] : [{ resource: code, label, fields: ruled }]
  })

/** All of it but the rows. */
const aboutPerson = async (ctx: Ctx, db: TenantDb, session: Session): Promise<Omit<AccessReport, 'nouns'>> => {
  const { userId } = session
  const status = (await db.one(sql<{ status: number }>`select status from account where id = ${userId}`)).status
  const roles = await db.all(sql<{ id: string; roleName: string; roleAlias: string }>`
    select id::text as id, case when ${ctx.language === 'en'} and role_name_en <> '' then role_name_en else role_name end as "roleName", role_alias as "roleAlias"
    from role where not is_deleted and id = any(${[...session.roleIds]}::bigint[]) order by sort, id`)
  const present = ({ nameEn, roles: aliases, ...menu }: MenuRow) => ({
    ...menu,
    meta: { i18n: { zh: menu.name, en: nameEn }, roles: [...aliases] },
  })
  const granted = await listGranted(db, session.roleIds, 1)
  return {
    user: { id: session.userId, account: session.account, realName: session.realName, status },
    roles,
    codes: [...session.userCodes],
    menus: treeWithAncestors(granted.map(present), (await listMenusAbove(db, granted)).map(present)) as AccessReport['menus'],
    rights: await rightsOf(ctx, db, session),
    rules: await rulesOf(db, session),
    fields: fieldsOf(session),
    closed: [...session.closedCalls].sort(),
  }
}

/** What concerns the person is read by the one who asks; each list in a transaction of its own, as the person would. */
const reportOf = async (deps: SystemDeps, lists: ListsOf, ctx: Ctx, userId: string): Promise<AccessReport> => {
  const asker = ctx.session
  if (!asker) throw new Refused(refuse('kernel/no-token', {}))
  const { session, about } = await ctx.tx(async db => {
    const person = await personOf(deps, db, userId)
    return { session: person, about: await aboutPerson(ctx, db, person) }
  })
  const reader = readingAs(deps.services.scopes, ctx, session)
  const nouns: AccessReport['nouns'] = []
  for (const resource of listed) {
    const page = await listAs(lists, asker, reader, resource, 1)
    if (page)
      nouns.push({ resource: resource.permission, label: resource.label, total: page.total, mayShow: seesAll(asker, resource.permission) })
  }
  return { ...about, nouns }
}

const rowsOf = async (deps: SystemDeps, lists: ListsOf, ctx: Ctx, input: { userId: string; resource: string }) => {
  const resource = listed.find(one => one.permission === input.resource)
  if (!resource) return refuse('kernel/not-found', {})
  if (!ctx.session || !seesAll(ctx.session, resource.permission)) return refuse('kernel/forbidden', {})
  const session = await ctx.tx(db => personOf(deps, db, input.userId))
  const page = await listAs(lists, ctx.session, readingAs(deps.services.scopes, ctx, session), resource, shownRows)
  if (!page) return refuse('kernel/not-found', {})
  const columns = Object.entries(resource.fields).filter(([, field]) => field.list !== false && field.kind !== 'json')
  const after = { resource: resource.permission, rows: page.records.length }
  await ctx.tx(db => audit(db, ctx, { action: 'access.rows-viewed', entity: 'account', entityId: input.userId, after }))
  return {
    total: page.total,
    columns: columns.map(([key, field]) => ({ key, label: field.label })),
    records: page.records.map(row => columns.map(([key]) => String(row[key] ?? ''))),
  }
}

const texts = {
  sheet: { zh: '用户权限报告', en: 'Rights of a person' },
  kinds: [
    { zh: '菜单', en: 'Menu' },
    { zh: '按钮', en: 'Button' },
  ],
  headers: [
    { zh: '类型', en: 'Kind' },
    { zh: '位置', en: 'Place' },
    { zh: '名称', en: 'Name' },
    { zh: '权限编码', en: 'Code' },
    { zh: '来自角色', en: 'Through roles' },
  ],
  rules: { zh: '数据范围', en: 'Data scopes' },
  ruleHeaders: [
    { zh: '业务对象', en: 'Noun' },
    { zh: '范围', en: 'Rows' },
    { zh: '可见行数', en: 'Rows seen' },
  ],
  fields: { zh: '字段权限', en: 'Fields' },
  fieldHeaders: [
    { zh: '业务对象', en: 'Noun' },
    { zh: '字段', en: 'Field' },
    { zh: '显示', en: 'Seen' },
  ],
  levels: { full: { zh: '完整', en: 'In full' }, masked: { zh: '部分', en: 'Masked' }, hidden: { zh: '不显示', en: 'Hidden' } },
  all: { zh: '全部', en: 'All' },
  closed: { zh: '不能调用的接口', en: 'Calls that are closed' },
} as const

/** The workbook names its person by what who asks may see of the report. */
const gate = fieldGate(viewAs.report)

/** Seeing what somebody would see, without being them (issue: view as, permission report). Every call only reads. */
export const viewAsHandlers = (deps: SystemDeps, lists: ListsOf): Handler[] => [
  handle(viewAs.people, ({ ctx, db, input }) =>
    db.all(sql<{ id: string; account: string; realName: string; roleName: string }>`
      select a.id::text as id, a.account, a.real_name as "realName",
        coalesce((select string_agg(case when ${ctx.language === 'en'} and r.role_name_en <> '' then r.role_name_en else r.role_name end, ${ctx.say({ zh: '、', en: ', ' })} order by r.sort) from account_role ar join role r on r.tenant_id = ar.tenant_id and r.id = ar.role_id
          where ar.user_id = a.id and not r.is_deleted), '') as "roleName"
      from account a where a.user_type = 1 and not a.is_deleted
        and (a.account ilike ${likeText(input.name ?? '')} or a.real_name ilike ${likeText(input.name ?? '')})
      order by a.account, a.id limit 50`),
  ),
  handle(viewAs.report, async ({ ctx, input }): Promise<AccessReport | Refusal> => {
    const report = await reportOf(deps, lists, ctx, input.userId)
    await ctx.tx(db => audit(db, ctx, { action: 'access.viewed', entity: 'account', entityId: input.userId }))
    return report
  }),
  handle(viewAs.rows, ({ ctx, input }) => rowsOf(deps, lists, ctx, input)),
  handleExport(viewAs.export, async ({ ctx, input }) => {
    const report = await reportOf(deps, lists, ctx, input.userId)
    const { user } = gate.show(ctx.session, report) as AccessReport
    const what = `${ctx.say(texts.sheet)} ${user.realName}（${user.account}）`
    const namesOf = (code: string): string => report.rules.find(rule => rule.resource === code)?.names.join('、') ?? ctx.say(texts.all)
    const nounRows = [
      ...report.nouns.map(noun => [ctx.say(noun.label), namesOf(noun.resource), noun.total]),
      ...report.rules
        .filter(rule => report.nouns.every(noun => noun.resource !== rule.resource))
        .map(rule => [ctx.say(rule.label), rule.names.join('、'), '']),
    ]
    return {
      fileName: fileName(ctx.say(texts.sheet), report.user.account, toWireTime(ctx.arrivedAt).replace(/\D/g, '')),
      total: report.rights.length,
      audit: { action: 'access.exported', entity: 'account', entityId: input.userId, after: {} },
      book: {
        watermark: watermarkOf(ctx, what),
        sheets: [
          {
            name: ctx.say(texts.sheet),
            columns: texts.headers.map(header => ({ header: ctx.say(header) })),
            rows: report.rights.map(right => [
              ctx.say(texts.kinds[right.kind - 1] ?? texts.kinds[0]),
              right.place,
              right.name,
              right.code,
              right.roles.join('、'),
            ]),
          },
          {
            name: ctx.say(texts.rules),
            columns: texts.ruleHeaders.map(header => ({ header: ctx.say(header) })),
            rows: nounRows,
          },
          {
            name: ctx.say(texts.fields),
            columns: texts.fieldHeaders.map(header => ({ header: ctx.say(header) })),
            rows: report.fields.flatMap(noun =>
              noun.fields.map(field => [ctx.say(noun.label), ctx.say(field.label), ctx.say(texts.levels[field.level])]),
            ),
          },
          { name: ctx.say(texts.closed), columns: [{ header: ctx.say(texts.closed) }], rows: report.closed.map(call => [call]) },
        ],
      },
    }
  }),
]
