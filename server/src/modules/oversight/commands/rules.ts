import { refuse } from '#contract/kernel/errors.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { brakedMeasures } from '#contract/oversight/measure.ts'
import { refuseWatch } from '#contract/oversight/watch.errors.ts'
import type { watch } from '#contract/oversight/watch.routes.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import {
  countOwnRules,
  insertRule,
  lockRule,
  type NewRule,
  type RuleChange,
  type RuleRow,
  retireRule,
  setRuleOn,
  updateRule,
} from '../data/rule.repo.ts'
import { readOffice, saveOfficeHours } from '../data/tally.repo.ts'
import type { OfficeHours } from '../domain/volume.ts'

type Input = Omit<InputOf<(typeof watch)['saveRule']>, 'id'>

/** Every rule is looked at whenever something is counted. */
const mostOwnRules = 40

const told = ({ nameZh, nameEn: _, ...limits }: RuleChange): object => ({ rule: nameZh, ...limits })
const changeOf = ({ nameZh, nameEn, threshold, factor, floor, roles, isOffHours, brake }: RuleRow): RuleChange => ({
  ...{ nameZh, nameEn, threshold, factor, floor, roles, isOffHours, brake },
})

/** A rule that may be changed, held until the commit. */
const changeable = async (db: TenantDb, id: string): Promise<RuleRow | Refusal> => {
  const rule = await lockRule(db, id)
  if (!rule) return refuse('kernel/not-found', {})
  return rule.isFixed ? refuseWatch('watch/fixed-rule', { rule: { zh: rule.nameZh, en: rule.nameEn } }) : rule
}

const wrongWith = (to: NewRule): Refusal | undefined => {
  if (to.threshold === null && to.factor === null) return refuseWatch('watch/no-limit', {})
  const mayStop = to.subject === 'person' && brakedMeasures.includes(to.measure)
  return to.brake !== null && !mayStop ? refuseWatch('watch/brake', {}) : undefined
}

/** Adds a rule of the tenant's own. Like every change it is an alert to the others. */
export const addRule = async (ctx: Ctx, db: TenantDb, input: Input): Promise<{ id: string } | Refusal> => {
  const { nameZh = '', nameEn = '', measure, span, subject } = input
  if (nameZh.trim() === '' || nameEn.trim() === '' || !measure || !span || !subject) return refuseWatch('watch/incomplete', {})
  const rule: NewRule = {
    ...{ nameZh: nameZh.trim(), nameEn: nameEn.trim(), measure, span, subject },
    threshold: input.threshold ?? null,
    factor: input.factor ?? null,
    floor: input.floor ?? 1,
    roles: input.roles ?? [],
    isOffHours: input.isOffHours ?? false,
    brake: input.brake ?? null,
  }
  const wrong = wrongWith(rule)
  if (wrong) return wrong
  await lock(db, 'watch-rules')
  if ((await countOwnRules(db)) >= mostOwnRules) return refuseWatch('watch/too-many-rules', { limit: mostOwnRules })
  const reason = input.reason.trim()
  const id = await insertRule(db, rule, reason)
  const after = { ...told(rule), measure, span, subject }
  await audit(db, ctx, { action: 'watch-rule.added', entity: 'watch_rule', entityId: id, after, reason })
  return { id }
}

/** Changes the limits of a rule. Its line in the trail raises an alert of its own: nobody blinds the watch unseen. */
export const changeRule = async (ctx: Ctx, db: TenantDb, input: Input & { readonly id: string }): Promise<{ id: string } | Refusal> => {
  const rule = await changeable(db, input.id)
  if (isRefusal(rule)) return rule
  if (input.version !== undefined && input.version !== rule.version) return refuse('kernel/changed-meanwhile', {})
  const to: RuleChange = {
    nameZh: input.nameZh?.trim() || rule.nameZh,
    nameEn: input.nameEn?.trim() || rule.nameEn,
    threshold: input.threshold ?? null,
    factor: input.factor ?? null,
    floor: input.floor ?? rule.floor,
    roles: input.roles ?? rule.roles,
    isOffHours: input.isOffHours ?? rule.isOffHours,
    brake: input.brake === undefined ? rule.brake : input.brake,
  }
  if (!rule.isOwn && (to.nameZh !== rule.nameZh || to.nameEn !== rule.nameEn))
    return refuseWatch('watch/not-own', { rule: { zh: rule.nameZh, en: rule.nameEn } })
  const wrong = wrongWith({ ...rule, ...to })
  if (wrong) return wrong
  await updateRule(db, rule.id, to, input.reason.trim())
  await audit(db, ctx, {
    action: 'watch-rule.updated',
    entity: 'watch_rule',
    entityId: rule.id,
    before: told(changeOf(rule)),
    after: told(to),
    reason: input.reason.trim(),
  })
  return { id: rule.id }
}

/** Removes a rule of the tenant's own; its alerts stay. */
export const removeRule = async (
  ctx: Ctx,
  db: TenantDb,
  input: InputOf<(typeof watch)['removeRule']>,
): Promise<{ id: string } | Refusal> => {
  const rule = await changeable(db, input.id)
  if (isRefusal(rule)) return rule
  if (!rule.isOwn) return refuseWatch('watch/not-own', { rule: { zh: rule.nameZh, en: rule.nameEn } })
  const reason = input.reason.trim()
  await retireRule(db, rule.id, reason)
  const { measure, span, subject } = rule
  const before = { ...told(changeOf(rule)), measure, span, subject }
  await audit(db, ctx, { action: 'watch-rule.removed', entity: 'watch_rule', entityId: rule.id, before, reason })
  return { id: rule.id }
}

/** Switches a rule on or off, with its reason. */
export const switchRule = async (
  ctx: Ctx,
  db: TenantDb,
  input: InputOf<(typeof watch)['switchRule']>,
): Promise<{ id: string } | Refusal> => {
  const rule = await changeable(db, input.id)
  if (isRefusal(rule)) return rule
  const { isOn } = input
  if (isOn === rule.isOn) return { id: rule.id }
  await setRuleOn(db, rule.id, isOn, input.reason.trim())
  await audit(db, ctx, {
    action: isOn ? 'watch-rule.switched-on' : 'watch-rule.switched-off',
    entity: 'watch_rule',
    entityId: rule.id,
    before: { rule: rule.nameZh, isOn: rule.isOn },
    after: { rule: rule.nameZh, isOn },
    reason: input.reason.trim(),
  })
  return { id: rule.id }
}

export const officeView = ({ daysOff, workDays, ...hours }: OfficeHours) => ({
  ...hours,
  daysOff: [...daysOff].sort(),
  workDays: [...workDays].sort(),
})

/** Sets the office hours and the calendar's own days; a change of them changes what rules see, so it is watched as they are. */
export const changeOffice = async (
  ctx: Ctx,
  db: TenantDb,
  { reason, daysOff, workDays, ...hours }: InputOf<(typeof watch)['saveOffice']>,
): Promise<OfficeHours | Refusal> => {
  if (hours.to <= hours.from) return refuseWatch('watch/office-hours', {})
  const before = await readOffice(db)
  const office: OfficeHours = {
    ...hours,
    daysOff: daysOff ? new Set(daysOff) : before.daysOff,
    workDays: workDays ? new Set(workDays) : before.workDays,
  }
  const [twice] = [...office.daysOff].filter(day => office.workDays.has(day))
  if (twice !== undefined) return refuseWatch('watch/day-twice', { day: twice })
  await saveOfficeHours(db, office)
  await audit(db, ctx, {
    action: 'watch-rule.hours-set',
    entity: 'watch_office',
    entityId: null,
    before: officeView(before),
    after: officeView(office),
    reason: reason.trim(),
  })
  return office
}
