import type { fieldRule } from '#contract/access/field-rule.routes.ts'
import { refuseRole } from '#contract/access/role.errors.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import type { FieldRule } from '#contract/kernel/field-rule.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { ruledNouns } from '#contract/registry.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, type Session } from '#kernel/http/context.ts'
import { listFieldRules, replaceFieldRules } from '../data/field-rule.repo.ts'
import { lockRoles, type RoleRow } from '../data/role.repo.ts'
import { beyondSight, fieldChanges } from '../domain/field-ceiling.ts'
import { isKeeper, mayRuleFields, type RoleKeeper } from '../domain/role-grant.ts'
import { roleTitle } from '../domain/role-title.ts'
import { byPlace, maskAt, placeAt, placeOf, sightByPlace } from '../domain/rule-place.ts'
import { keeperOf } from './grant-role.ts'

/** Why this person may not change what a role sees; the same words in the list and for who tries. */
export const refuseRuling = (keeper: RoleKeeper, role: RoleRow, all: ReadonlyMap<string, RoleRow>): Refusal | undefined => {
  if (role.roleAlias === 'candidate') return refuseRole('role/candidate-fields', {})
  if (!isKeeper(keeper)) return refuseRole('role/fields-by-keepers', {})
  if (!mayRuleFields(keeper, role, all)) return refuseRole('role/not-yours', { role: roleTitle(role) })
  return keeper.roleIds.includes(role.id) ? refuseRole('role/own', { role: roleTitle(role) }) : undefined
}

/** What somebody sees masked or not at all, with the codes that lead to its nouns and the places at which rules about it are written. */
export const ownRules = ({ fieldRules }: Session) =>
  ruledNouns.flatMap(({ code, fields, views }) =>
    Object.keys(fields).flatMap(field => {
      const level = fieldRules[`${code}.${field}`]
      return level === undefined ? [] : [{ noun: code, field, level, views, written: placeOf(code, field)?.written ?? [] }]
    }),
  )

type Rules = InputOf<typeof fieldRule.submit>['rules']

/** The rules by the places that they are about, or what is wrong with one. */
const checked = (rules: Rules): Readonly<Record<string, FieldRule>> => {
  const seen = new Set<string>()
  for (const rule of rules) {
    const at = `${rule.noun}.${rule.field}`
    const field = maskAt(rule.noun, rule.field)
    if (field === undefined)
      throw new Refused(refuseField('rules', { zh: `没有可设置的字段“${at}”`, en: `There is no field "${at}" that rules could be about` }))
    if (seen.has(at)) throw new Refused(refuseField('rules', { zh: `字段“${at}”有两条规则`, en: `The field "${at}" has two rules` }))
    if (rule.level === 'masked' && field.mask === 'none')
      throw new Refused(
        refuseField('rules', {
          zh: `“${field.label.zh}”不能部分显示，请选择隐藏或完整显示`,
          en: `"${field.label.en}" cannot be shown in part: hide it or show it`,
        }),
      )
    seen.add(at)
  }
  return byPlace(rules)
}

const nameOf = (at: string): Label => placeAt(at)?.label ?? { zh: at, en: at }

/**
 * Replaces what a role sees of facts and fields (ADR 0064, 0320): a rule about one copy of a fact is written as a rule about the fact. Nobody shows others more than they see themselves, and nobody rules a role of their own.
 *
 * Refusals: role/fields-by-keepers, role/not-yours, role/own, role/candidate-fields, role/beyond-own, kernel/invalid-input, kernel/not-found.
 */
export const ruleFields = async (
  ctx: Ctx,
  db: TenantDb,
  input: InputOf<typeof fieldRule.submit>,
): Promise<{ changed: number } | Refusal> => {
  const { session } = ctx
  if (!session) throw new Refused(refuse('kernel/no-token', {}))
  const all = new Map((await lockRoles(db)).map(row => [row.id, row]))
  const role = all.get(input.roleId)
  if (!role) return refuse('kernel/not-found', {})
  const refusal = refuseRuling(keeperOf(session), role, all)
  if (refusal) return refusal
  const after = checked(input.rules)
  const before = byPlace((await listFieldRules(db)).get(role.id) ?? [])
  const changes = fieldChanges(before, after)
  const beyond = beyondSight(changes, sightByPlace(session.fieldRules))
  if (beyond.length > 0) return refuseRole('role/beyond-own', { what: beyond.map(({ at }) => ctx.say(nameOf(at))).join('、') })
  if (changes.length === 0) return { changed: 0 }
  const rules = Object.entries(after).flatMap(([at, level]) => {
    const place = placeAt(at)
    return place ? [{ noun: place.noun, field: place.field, level, views: place.views }] : []
  })
  await replaceFieldRules(db, role.id, rules)
  await audit(db, ctx, {
    action: 'role.fields-ruled',
    entity: 'role',
    entityId: role.id,
    before: { role: role.roleName, fields: Object.fromEntries(changes.map(change => [change.at, change.before])) },
    after: { role: role.roleName, fields: Object.fromEntries(changes.map(change => [change.at, change.after])) },
  })
  return { changed: changes.length }
}
