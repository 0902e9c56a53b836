import { expect, test } from 'vitest'
import { markOf, type RuledNoun } from '#contract/kernel/field-rule.ts'
import { defineErrors, refuserOf } from '#contract/kernel/refusal.ts'
import { ruledRefusal } from './field-rule.ts'

const noun = {
  code: 'thing',
  label: { zh: '东西', en: 'Things' },
  views: ['thing_view'],
  entities: ['thing'],
  fields: { name: { label: { zh: '姓名', en: 'Name' }, mask: 'name' } },
} as const satisfies RuledNoun
const refuse = refuserOf(
  defineErrors({
    late: { code: 409, status: 409, tells: { names: markOf(noun, 'name') }, zh: '{names} 晚于 {time}', en: '{names} later than {time}' },
    plain: { code: 409, status: 409, zh: '晚了', en: 'late' },
  }),
)
const late = refuse('late', { names: '张三、欧阳明', time: '九点' }, { data: { problems: [{ names: '张三', id: '1' }] } })
const reader = (level: 'masked' | 'hidden' | undefined, userType: 1 | 2 = 1) => ({
  userType,
  fieldRules: level === undefined ? {} : { 'thing.name': level },
})

test('[S6.03] a refusal names people as their fields are shown to its reader, in its text and beside it', () => {
  expect(ruledRefusal(reader('masked'), late)).toMatchObject({
    text: { zh: '张*、欧阳* 晚于 九点', en: '张*、欧阳* later than 九点' },
    data: { problems: [{ names: '张*', id: '1' }] },
  })
  expect(ruledRefusal(reader('hidden'), late)).toMatchObject({
    text: { zh: '*** 晚于 九点' },
    data: { problems: [{ names: '***', id: '1' }] },
  })
})

test('[S6.03] nobody without such a rule, no candidate, and no other refusal is touched', () => {
  expect(ruledRefusal(reader(undefined), late)).toBe(late)
  expect(ruledRefusal(reader('hidden', 2), late)).toBe(late)
  expect(ruledRefusal(undefined, late)).toBe(late)
  const plain = refuse('plain', {})
  expect(ruledRefusal(reader('hidden'), plain)).toBe(plain)
})
