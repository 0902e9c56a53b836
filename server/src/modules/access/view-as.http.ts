import { type AccessReport, viewAs } from '#contract/access/view-as.routes.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { audit } from '#kernel/audit.ts'
import { fileName, watermarkOf } from '#kernel/crud/export.ts'
import { type Handler, handle, handleExport } from '#kernel/http/context.ts'
import { fieldGate } from '#kernel/http/field-rule.ts'
import { type ListsOf, reportOn, rowsAs } from './commands/view-as.ts'
import { listedUserScope } from './data/organisation-scope.ts'
import { findPeople } from './data/view-as.repo.ts'
import type { AccessDeps } from './deps.ts'

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
export const viewAsHandlers = (deps: AccessDeps, lists: ListsOf): Handler[] => [
  handle(viewAs.people, ({ ctx, db, input }) => findPeople(db, input.name ?? '', ctx.language, listedUserScope(ctx.session))),
  handle(viewAs.report, async ({ ctx, input }): Promise<AccessReport | Refusal> => {
    const report = await reportOn(deps, lists, ctx, input.userId)
    await ctx.tx(db => audit(db, ctx, { action: 'access.viewed', entity: 'account', entityId: input.userId }))
    return report
  }),
  handle(viewAs.rows, ({ ctx, input }) => rowsAs(deps, lists, ctx, input)),
  handleExport(viewAs.export, async ({ ctx, input }) => {
    const report = await reportOn(deps, lists, ctx, input.userId)
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
