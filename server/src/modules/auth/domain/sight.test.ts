import { expect, test } from 'vitest'
import { factOf } from '#contract/kernel/fact.ts'
import { ruledNouns } from '#contract/registry.ts'
import { rulesFrom, type Sight } from './sight.ts'

const sight = (rules: readonly (readonly [string, string, 'masked' | 'hidden'])[], ...codes: readonly string[]): Sight => ({
  rules: rules.map(([noun, field, level]) => ({ noun, field, level })),
  codes,
})
const copiesOf = (fact: string): string[] =>
  ruledNouns.flatMap(({ code, fields }) =>
    Object.entries(fields).flatMap(([name, field]) => (factOf(field) === fact ? [`${code}.${name}`] : [])),
  )

test('[S6.03] a rule about one copy, about the fact, or about both is a rule about every copy', () => {
  for (const rules of [
    [['signup', 'name', 'hidden']],
    [['fact', 'name', 'hidden']],
    [
      ['ticket', 'name', 'masked'],
      ['exampay', 'name', 'hidden'],
    ],
  ] as const) {
    const found = rulesFrom([sight(rules)])
    expect(Object.keys(found).sort()).toEqual(copiesOf('name').sort())
    expect(new Set(Object.values(found))).toEqual(new Set(['hidden']))
  }
  expect(copiesOf('name')).toEqual(
    expect.arrayContaining(['exampay.name', 'payrefund.name', 'sendmessage.name', 'user.name', 'payalarm.handledName']),
  )
})

test('[S6.03] a field that is no copy of a fact is ruled by itself, and an unknown one by nobody', () => {
  expect(
    rulesFrom([
      sight([
        ['exampay', 'amount', 'hidden'],
        ['typecode', 'phone', 'masked'],
        ['exampay', '__proto__', 'hidden'],
      ]),
    ]),
  ).toEqual({ 'exampay.amount': 'hidden', 'typecode.phone': 'masked' })
})

test('[S6.03] of several roles the one that lets more be seen wins, for the nouns that it leads to', () => {
  const hidden = sight([['fact', 'score', 'hidden']], 'result_view')
  expect(rulesFrom([hidden, sight([], 'exampay_view')])).toEqual({ 'result.score': 'hidden' })
  expect(rulesFrom([hidden, sight([], 'result_export')])).toEqual({})
  expect(rulesFrom([hidden, sight([])])).toEqual({ 'result.score': 'hidden' })
  const phones = [sight([['user', 'phone', 'hidden']], 'user_view'), sight([['signup', 'phone', 'masked']])]
  expect(new Set(Object.values(rulesFrom(phones)))).toEqual(new Set(['masked']))
  expect(rulesFrom([])).toEqual({})
})
