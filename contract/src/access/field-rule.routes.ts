import { type Static, Type } from 'typebox'
import { fieldLevels } from '../kernel/field-rule.ts'
import { defineRoute } from '../kernel/route.ts'
import { dictionary, id, named, nullable, strict, text } from '../kernel/schema.ts'

const label = Type.Object({ zh: Type.String(), en: Type.String() })
const rule = {
  noun: named({ zh: '对象', en: 'Object' }, text(60)),
  field: named({ zh: '字段', en: 'Field' }, text(60)),
  level: named({ zh: '可见程度', en: 'How much is seen' }, Type.Enum(['masked', 'hidden'] as const)),
}
const access = { staff: 'fieldrule_view' } as const

const ruledField = {
  name: Type.String(),
  label,
  /** A value in full and through its mask; null where there is no half of a value: such a field is seen or hidden. */
  example: nullable(Type.Object({ full: Type.String(), masked: Type.String() })),
  /** The most that the caller may let others see: as much as they see themselves. */
  most: Type.Enum(fieldLevels),
}
const ruledFact = Type.Object({
  ...ruledField,
  /** What the nouns are called that hold a copy: a rule about the fact is about all of them. */
  copies: Type.Array(label),
})
export type RuledFactShown = Static<typeof ruledFact>
const ruledNoun = Type.Object({
  code: Type.String(),
  label,
  fields: Type.Array(
    Type.Object({
      ...ruledField,
      /** The fact that it is a copy of: a rule about it is one about the fact. Null for what no other noun tells. */
      fact: nullable(Type.String()),
    }),
  ),
})
export type RuledNounShown = Static<typeof ruledNoun>
const ruledRole = Type.Object({
  id: Type.String(),
  roleName: Type.String(),
  roleAlias: Type.String(),
  rules: Type.Array(Type.Object(rule)),
  /** Why the caller may not change its rules; null when they may. */
  readOnlyReason: nullable(Type.String()),
})
export type RuledRole = Static<typeof ruledRole>

export const fieldRule = {
  list: defineRoute({
    method: 'GET',
    path: '/blade-system/field-rule/list',
    access,
    input: strict({}),
    output: Type.Object({ facts: Type.Array(ruledFact), nouns: Type.Array(ruledNoun), roles: Type.Array(ruledRole) }),
    tx: 'read',
    means: 'facts about people and fields of nouns that rules may be about, and the rules of each role; what has none is seen in full',
  }),
  submit: defineRoute({
    method: 'POST',
    path: '/blade-system/field-rule/submit',
    access: { staff: 'fieldrule_edit' },
    input: strict({ roleId: id(), rules: Type.Array(strict(rule), { maxItems: 2_000 }) }),
    output: Type.Object({ changed: Type.Integer() }),
    means: 'the role has exactly these rules afterwards; one about a copy of a fact (`noun.field`) is one about the fact (noun `fact`)',
  }),
  own: defineRoute({
    method: 'GET',
    path: '/blade-system/field-rule/own',
    access: { signedIn: true, because: 'it answers with what the caller’s own roles see' },
    input: strict({}),
    output: dictionary(Type.String()),
    tx: 'own',
    means: 'fields, as noun.field, that the caller sees masked or not at all; screens leave out what is hidden',
  }),
} as const

export const fieldRuleRoutes = Object.values(fieldRule)
