import { fieldRule } from '#contract/access/field-rule.routes.ts'
import { exampleOf } from '#contract/access/field-rule.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { factOf } from '#contract/kernel/fact.ts'
import { type FieldRule, factCode } from '#contract/kernel/field-rule.ts'
import { ruledNouns } from '#contract/registry.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { keeperOf } from './commands/grant-role.ts'
import { refuseRuling, ruleFields } from './commands/rule-fields.ts'
import { listFieldRules } from './data/field-rule.repo.ts'
import { listMenuCodes } from './data/menu.repo.ts'
import { listRoles } from './data/role.repo.ts'
import { byPlace, placeAt, shownFacts, sightByPlace } from './domain/rule-place.ts'

const rulesAt = (levels: Readonly<Record<string, FieldRule>>) =>
  Object.entries(levels)
    .flatMap(([at, level]) => {
      const place = placeAt(at)
      return place ? [{ noun: place.noun, field: place.field, level }] : []
    })
    .sort((one, other) => (`${one.noun}.${one.field}` < `${other.noun}.${other.field}` ? -1 : 1))

/** How much of which facts and fields roles see (ADR 0064, 0320). */
export const fieldRuleHandlers = (): Handler[] => [
  handle(fieldRule.list, async ({ ctx, db }) => {
    const { session } = ctx
    if (!session) return refuse('kernel/no-token', {})
    const live = await listMenuCodes(db)
    const roles = await listRoles(db)
    const all = new Map(roles.map(row => [row.id, row]))
    const rules = await listFieldRules(db)
    const keeper = keeperOf(session)
    const most = sightByPlace(session.fieldRules)
    return {
      facts: shownFacts.map(({ fact, label, mask, copies }) => ({
        name: fact,
        label,
        example: exampleOf(mask),
        most: most[`${factCode}.${fact}`] ?? ('full' as const),
        copies: copies.filter(noun => live.has(noun.code)).map(noun => noun.label),
      })),
      nouns: ruledNouns
        .filter(noun => live.has(noun.code))
        .map(({ code, label, fields }) => ({
          code,
          label,
          fields: Object.entries(fields).map(([name, field]) => ({
            name,
            label: field.label,
            example: exampleOf(field.mask),
            most: session.fieldRules[`${code}.${name}`] ?? ('full' as const),
            fact: factOf(field) ?? null,
          })),
        })),
      roles: roles.map(row => {
        const refusal = refuseRuling(keeper, row, all)
        return {
          id: row.id,
          roleName: ctx.say({ zh: row.roleName, en: row.roleNameEn || row.roleName }),
          roleAlias: row.roleAlias,
          rules: rulesAt(byPlace(rules.get(row.id) ?? [])),
          readOnlyReason: refusal ? ctx.say(refusal.text) : null,
        }
      }),
    }
  }),
  handle(fieldRule.submit, ({ ctx, db, input }) => ruleFields(ctx, db, input)),
  handle(fieldRule.own, async ({ ctx }) => (ctx.session && ctx.session.userType !== 2 ? ctx.session.fieldRules : {})),
]
