import { type Static, Type } from 'typebox'
import { systemRoles } from '../access/role.ts'
import { shows } from '../kernel/field-rule.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { day, flag, id, int, named, nullable, optional, strict, text, time } from '../kernel/schema.ts'
import { userNoun } from '../organisation/user.noun.ts'
import { measures, spans, subjectKinds } from './measure.ts'

const S = Type.String()
const I = Type.Integer()
const measure = Type.Enum(measures)
const span = named({ zh: '统计时段', en: 'Span' }, Type.Enum(spans))
const subject = named({ zh: '统计对象', en: 'Whose actions' }, Type.Enum(subjectKinds))

const alertRow = Type.Object({
  id: S,
  ruleId: S,
  ruleName: S,
  measure,
  span,
  subject,
  /** Of the person the alert is about; empty for a role or the whole tenant. */
  userId: S,
  account: S,
  realName: shows(userNoun, 'realName', S),
  /** Alias of the role the alert is about; empty otherwise. */
  roleAlias: S,
  roleName: S,
  /** Only what happened outside office hours was counted. */
  isOffHours: Type.Boolean(),
  /** The window that was counted: an hour or a day. */
  windowStart: S,
  windowEnd: S,
  amount: I,
  /** The limit that was reached. */
  limit: I,
  /** The median of the last fourteen working days. */
  usual: Type.Number(),
  state: I,
  raisedTime: S,
  /** When the amount last grew. */
  lastTime: S,
  /** Since when the person exports nothing, until the window ends or the alert turns out false; null when nothing is stopped. */
  stoppedTime: nullable(S),
  handler: nullable(S),
  handledTime: nullable(S),
})
export type AlertView = Static<typeof alertRow>

const alerts = defineRoute({
  method: 'GET',
  path: '/blade-watch/alert/list',
  access: { staff: 'alert_view' },
  input: strict({
    ...pageInput,
    state: optional(int(0, 3)),
    /** 1: what nobody has closed yet. */
    open: optional(flag()),
    measure: optional(measure),
    account: optional(text(60)),
    from: optional(time()),
    to: optional(time()),
  }),
  output: pageOf(alertRow),
  tx: 'read',
  means: 'alerts on unusual volume; those about the caller are not among them',
})

const alertDetail = defineRoute({
  method: 'GET',
  path: '/blade-watch/alert/detail',
  access: { staff: 'alert_view' },
  input: strict({ id: id() }),
  output: Type.Object({
    ...alertRow.properties,
    /** Why the limit was the limit, as the rule stood then; null where the rule had none of the kind. */
    threshold: nullable(I),
    factor: nullable(Type.Number()),
    floor: I,
    version: I,
    steps: Type.Array(
      Type.Object({ id: S, event: Type.Enum(['raise', 'stop', 'take', 'release', 'find', 'dismiss']), words: S, by: S, time: S }),
    ),
    /** Volume of the same subject: the hours of the day, or the days up to it. */
    series: Type.Array(Type.Object({ at: S, amount: I, isOff: Type.Boolean() })),
    /** The caller may take and close it. */
    mayHandle: Type.Boolean(),
  }),
  tx: 'read',
})
export type AlertDetail = Static<(typeof alertDetail)['output']>

const words = text(500)
const done = Type.Object({ id: S, state: I })
const takeAlert = defineRoute({
  method: 'POST',
  path: '/blade-watch/alert/take',
  access: { staff: 'alert_handle' },
  input: strict({ id: id(), version: optional(int(0, 2_147_483_647)), words: optional(words) }),
  output: done,
  means: 'the caller looks at it',
})
const closeAlert = defineRoute({
  method: 'POST',
  path: '/blade-watch/alert/close',
  access: { staff: 'alert_handle' },
  input: strict({
    id: id(),
    version: optional(int(0, 2_147_483_647)),
    outcome: Type.Enum(['finding', 'falseAlarm']),
    /** What was found. */
    words: text(500, { minLength: 1, 'x-label': { zh: '说明', en: 'Words' } }),
  }),
  output: done,
  means: 'says what it was and closes it for good',
})

const ruleRow = Type.Object({
  id: S,
  name: S,
  nameZh: S,
  nameEn: S,
  measure,
  span,
  subject,
  /** Aliases of the roles whose holders are counted; empty for everybody. */
  roles: Type.Array(S),
  isOffHours: Type.Boolean(),
  threshold: nullable(I),
  factor: nullable(Type.Number()),
  floor: I,
  /** From so many times the limit on the person exports nothing more; null where nothing is stopped. */
  brake: nullable(I),
  isOn: Type.Boolean(),
  /** The tenant's own, which it may rename and remove. */
  isOwn: Type.Boolean(),
  /** Watches the rules themselves; it is changed by nobody. */
  isFixed: Type.Boolean(),
  /** Why it was last changed. */
  reason: S,
  updateUser: S,
  updateTime: S,
  version: I,
})
export type RuleView = Static<typeof ruleRow>
/** Days that do not follow the week: holidays, and weekends that are worked in exchange. */
const calendarDays = Type.Array(day(), { maxItems: 400 })
const office = Type.Object({ from: I, to: I, days: I, daysOff: Type.Array(S), workDays: Type.Array(S) })
const rules = defineRoute({
  method: 'GET',
  path: '/blade-watch/rule/list',
  access: { staff: 'watchrule_view' },
  input: strict({}),
  output: Type.Object({
    rules: Type.Array(ruleRow),
    office,
    /** Roles that a rule can be narrowed to. */
    roles: Type.Array(Type.Object({ alias: S, name: S })),
  }),
  tx: 'read',
  means: 'the rules of the tenant, all of them, and its office hours',
})
const reason = Type.String({ minLength: 1, maxLength: 200 })
const saveRule = defineRoute({
  method: 'POST',
  path: '/blade-watch/rule/submit',
  access: { staff: 'watchrule_edit' },
  input: strict({
    /** Absent or empty for a rule of the tenant's own that is added; it needs its names, measure, span and subject. */
    id: optional(Type.Union([id(), Type.Literal('')])),
    version: optional(int(0, 2_147_483_647)),
    nameZh: optional(text(60, { minLength: 1 })),
    nameEn: optional(text(100, { minLength: 1 })),
    /** These three stay as they were when the rule was added. */
    measure: optional(measure),
    span: optional(span),
    subject: optional(subject),
    /** From so many on; absent for no such limit. */
    threshold: optional(int(1, 10_000_000)),
    /** More than so many times what is usual; absent for no such limit. */
    factor: optional(Type.Number({ minimum: 1, maximum: 1_000 })),
    /** Below so many nothing is unusual. */
    floor: optional(int(1, 10_000_000)),
    roles: optional(Type.Array(Type.Enum(systemRoles), { maxItems: systemRoles.length })),
    isOffHours: optional(Type.Boolean()),
    /** From so many times the limit on the person's exports stop; null takes the brake away. */
    brake: optional(nullable(int(1, 1_000))),
    reason,
  }),
  output: Type.Object({ id: S }),
  means: 'adds a rule of the tenant’s own, or changes the limits of one',
})
const removeRule = defineRoute({
  method: 'POST',
  path: '/blade-watch/rule/remove',
  access: { staff: 'watchrule_edit' },
  input: strict({ id: id(), reason }),
  output: Type.Object({ id: S }),
  means: 'removes a rule of the tenant’s own; its alerts stay',
})
const switchRule = defineRoute({
  method: 'POST',
  path: '/blade-watch/rule/switch',
  access: { staff: 'watchrule_edit' },
  input: strict({ id: id(), isOn: Type.Boolean(), reason }),
  output: Type.Object({ id: S }),
  means: 'switches a rule on or off',
})
const saveOffice = defineRoute({
  method: 'POST',
  path: '/blade-watch/rule/office',
  access: { staff: 'watchrule_edit' },
  input: strict({
    /** Whole hours of the day in Asia/Shanghai. */
    from: int(0, 23),
    to: int(1, 24),
    /** Of the week, from Monday on. */
    days: int(1, 7),
    /** Absent: as they are. */
    daysOff: optional(calendarDays),
    workDays: optional(calendarDays),
    reason,
  }),
  output: office,
  means: 'sets the office hours and the days that do not follow the week; what happens outside them is counted by rules that ask for it',
})

export const watch = { alerts, alertDetail, takeAlert, closeAlert, rules, saveRule, removeRule, switchRule, saveOffice } as const
export const watchRoutes = Object.values(watch)
