import type { fieldRule } from '#contract/access/field-rule.routes.ts'
import { refuseRole } from '#contract/access/role.errors.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
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
import { keeperOf } from './grant-role.ts'

/** Why this person may not change what a role sees; the same words in the list and for who tries. */
export const refuseRuling = (keeper: RoleKeeper, role: RoleRow, all: ReadonlyMap<string, RoleRow>): Refusal | undefined => {
  if (role.roleAlias === 'candidate') return refuseRole('role/candidate-fields', {})
  if (!isKeeper(keeper)) return refuseRole('role/fields-by-keepers', {})
  if (!mayRuleFields(keeper, role, all)) return refuseRole('role/not-yours', { role: roleTitle(role) })
  return keeper.roleIds.includes(role.id) ? refuseRole('role/own', { role: roleTitle(role) }) : undefined
}

/** What somebody sees masked or not at all, with the codes that lead to its nouns. */
export const ownRules = ({ fieldRules }: Session) =>
  ruledNouns.flatMap(({ code, fields, views }) =>
    Object.keys(fields).flatMap(field => {
      const level = fieldRules[`${code}.${field}`]
      return level === undefined ? [] : [{ noun: code, field, level, views }]
    }),
  )

type Rules = InputOf<typeof fieldRule.submit>['rules']
const levelsOf = (rules: readonly { noun: string; field: string; level: 'masked' | 'hidden' }[]) =>
  Object.fromEntries(rules.map(rule => [`${rule.noun}.${rule.field}`, rule.level]))

/** The rules with what their nouns declare, or what is wrong with one. */
const checked = (rules: Rules) => {
  const seen = new Set<string>()
  const found: (Rules[number] & { readonly views: readonly string[] })[] = []
  for (const rule of rules) {
    const at = `${rule.noun}.${rule.field}`
    const noun = ruledNouns.find(one => one.code === rule.noun)
    const field = noun && Object.hasOwn(noun.fields, rule.field) ? noun.fields[rule.field] : undefined
    if (!noun || !field)
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
    found.push({ ...rule, views: noun.views })
  }
  return found
}

const nameOf = (at: string): Label => {
  const [code, field = ''] = at.split('.')
  const noun = ruledNouns.find(one => one.code === code)
  const label = noun?.fields[field]?.label
  return noun && label ? { zh: `${noun.label.zh} › ${label.zh}`, en: `${noun.label.en} › ${label.en}` } : { zh: at, en: at }
}

/**
 * Replaces what a role sees of fields (ADR 0064). Nobody shows others more than they see themselves, and nobody rules a role of their own.
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
  const rules = checked(input.rules)
  const before = levelsOf((await listFieldRules(db)).get(role.id) ?? [])
  const changes = fieldChanges(before, levelsOf(rules))
  const beyond = beyondSight(changes, session.fieldRules)
  if (beyond.length > 0) return refuseRole('role/beyond-own', { what: beyond.map(({ at }) => ctx.say(nameOf(at))).join('、') })
  if (changes.length === 0) return { changed: 0 }
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
