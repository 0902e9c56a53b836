import { expect, test } from 'vitest'
import { allRoutes } from './registry.ts'

type Schema = Readonly<Record<string, unknown>>

/** Numbers that other people gave: of vouchers, receipts, payments, banks, taxes, cards, tickets. Zeros before them count, and they have more digits than a number holds. */
const givenNumber =
  /^(.*voucher(No)?|.*transaction(Id|No)|.*trade(No|Id)|.*receipt(No|Number)|.*invoice(No|TaxNo)|.*bank(Serial|No|Account)|.*[sS]erial(No|Number)?|.*[rR]efund(No|Id)|.*[oO]rder(No|Id)|.*[tT]icketNo|.*[cC]ardNo|idCard|phone|.*[sS]ignNo|.*mchId|.*[aA]ccountNo|.*[cC]ertNo|.*[dD]iplomaNo|.*[dD]egreeNo)$/
/** Counts of such numbers, pages and the like are numbers. */
const isText = (schema: Schema): boolean => {
  if (schema['enum'] !== undefined || schema['const'] !== undefined) return false
  const variants = (schema['anyOf'] as Schema[] | undefined) ?? [schema]
  return variants.every(one => {
    if (one['type'] === 'array') return isText(one['items'] as Schema)
    return one['type'] === 'string' || one['type'] === 'null' || one['type'] === 'object' || one['type'] === undefined
  })
}
/** Every property of a schema with the path to it. */
function* properties(schema: unknown, at: string): Generator<readonly [path: string, name: string, schema: Schema]> {
  if (typeof schema !== 'object' || schema === null) return
  const one = schema as Schema
  for (const [name, value] of Object.entries((one['properties'] as Schema | undefined) ?? {})) {
    yield [`${at}.${name}`, name, value as Schema]
    yield* properties(value, `${at}.${name}`)
  }
  for (const more of ['anyOf', 'allOf'] as const)
    for (const variant of (one[more] as unknown[] | undefined) ?? []) yield* properties(variant, at)
  yield* properties(one['items'], `${at}[]`)
}

test('[S7.41] numbers that other people gave are texts in every call and every answer', () => {
  const found = new Map<string, boolean>()
  for (const route of allRoutes())
    for (const [side, schema] of [
      ['takes', route.input],
      ['answers', route.output],
    ] as const)
      for (const [path, name, of] of properties(schema, ''))
        if (givenNumber.test(name)) found.set(`${route.method} ${route.path} ${side} ${path}`, isText(of))
  expect([...found].flatMap(([place, isRight]) => (isRight ? [] : [place]))).toEqual([])
  // The sweep meets those that it is about.
  const met = new Set([...found.keys()].map(place => /\w+$/.exec(place)?.[0]))
  expect(['voucherNo', 'transactionId', 'invoiceNo', 'refundNo', 'orderNo'].filter(name => !met.has(name))).toEqual([])
})
