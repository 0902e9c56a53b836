import { refuse } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { refuseWatch } from '#contract/watch/watch.errors.ts'
import type { watch } from '#contract/watch/watch.routes.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { lockRule, type RuleChange, type RuleRow, setRuleOn, updateRule } from '../data/rule.repo.ts'
import { readOffice, saveOfficeHours } from '../data/tally.repo.ts'

const limitsOf = ({ threshold, factor, floor, roles, isOffHours }: RuleChange): RuleChange => ({
  threshold,
  factor,
  floor,
  roles,
  isOffHours,
})

/** A rule that may be changed, held until the commit. */
const changeable = async (db: TenantDb, id: string): Promise<RuleRow | Refusal> => {
  const rule = await lockRule(db, id)
  if (!rule) return refuse('kernel/not-found', {})
  return rule.isFixed ? refuseWatch('watch/fixed-rule', { rule: { zh: rule.nameZh, en: rule.nameEn } }) : rule
}

/** Changes the limits of a rule. Its line in the trail raises an alert of its own: nobody blinds the watch unseen. */
export const changeRule = async (ctx: Ctx, db: TenantDb, input: InputOf<(typeof watch)['saveRule']>): Promise<{ id: string } | Refusal> => {
  const rule = await changeable(db, input.id)
  if ('refused' in rule) return rule
  if (input.version !== undefined && input.version !== rule.version) return refuse('kernel/changed-meanwhile', {})
  const to: RuleChange = {
    threshold: input.threshold ?? null,
    factor: input.factor ?? null,
    floor: input.floor ?? rule.floor,
    roles: input.roles ?? rule.roles,
    isOffHours: input.isOffHours ?? rule.isOffHours,
  }
  if (to.threshold === null && to.factor === null) return refuseWatch('watch/no-limit', {})
  await updateRule(db, rule.id, to, input.reason.trim())
  await audit(db, ctx, {
    action: 'watch-rule.updated',
    entity: 'watch_rule',
    entityId: rule.id,
    before: { rule: rule.nameZh, ...limitsOf(rule) },
    after: { rule: rule.nameZh, ...to },
    reason: input.reason.trim(),
  })
  return { id: rule.id }
}

/** Switches a rule on or off, with its reason. */
export const switchRule = async (
  ctx: Ctx,
  db: TenantDb,
  input: InputOf<(typeof watch)['switchRule']>,
): Promise<{ id: string } | Refusal> => {
  const rule = await changeable(db, input.id)
  if ('refused' in rule) return rule
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

/** Sets the office hours; a change of them changes what rules see, so it is watched as they are. */
export const changeOffice = async (ctx: Ctx, db: TenantDb, input: InputOf<(typeof watch)['saveOffice']>) => {
  const { reason, ...office } = input
  if (office.to <= office.from) return refuseWatch('watch/office-hours', {})
  const before = await readOffice(db)
  await saveOfficeHours(db, office)
  await audit(db, ctx, {
    action: 'watch-rule.hours-set',
    entity: 'watch_office',
    entityId: null,
    before,
    after: office,
    reason: reason.trim(),
  })
  return office
}
