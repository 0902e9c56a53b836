import { fieldRule } from '#contract/access/field-rule.routes.ts'
import { exampleOf } from '#contract/access/field-rule.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { ruledNouns } from '#contract/registry.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { keeperOf } from './commands/grant-role.ts'
import { refuseRuling, ruleFields } from './commands/rule-fields.ts'
import { listFieldRules } from './data/field-rule.repo.ts'
import { listMenuCodes } from './data/menu.repo.ts'
import { listRoles } from './data/role.repo.ts'

/** How much of which fields roles see (ADR 0064). */
export const fieldRuleHandlers = (): Handler[] => [
  handle(fieldRule.list, async ({ ctx, db }) => {
    const { session } = ctx
    if (!session) return refuse('kernel/no-token', {})
    const live = await listMenuCodes(db)
    const roles = await listRoles(db)
    const all = new Map(roles.map(row => [row.id, row]))
    const rules = await listFieldRules(db)
    const keeper = keeperOf(session)
    return {
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
          })),
        })),
      roles: roles.map(row => {
        const refusal = refuseRuling(keeper, row, all)
        return {
          id: row.id,
          roleName: ctx.say({ zh: row.roleName, en: row.roleNameEn || row.roleName }),
          roleAlias: row.roleAlias,
          rules: [...(rules.get(row.id) ?? [])],
          readOnlyReason: refusal ? ctx.say(refusal.text) : null,
        }
      }),
    }
  }),
  handle(fieldRule.submit, ({ ctx, db, input }) => ruleFields(ctx, db, input)),
  handle(fieldRule.own, async ({ ctx }) => (ctx.session && ctx.session.userType !== 2 ? ctx.session.fieldRules : {})),
]
