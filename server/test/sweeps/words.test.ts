import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Language } from '#contract/kernel/label.ts'
import type { Route } from '#contract/kernel/route.ts'
import { checkerOf } from '#kernel/http/input.ts'
import { type Answer, type Person, startTestApp, type TestApp } from '../support/app.ts'
import { callRoute, requiredInput, type Schema } from '../support/route-calls.ts'
import { isWhole, sweptRoutes } from '../support/swept-routes.ts'
import { everyRight, plantVictim, type Victim } from '../support/victim.ts'

let t: TestApp
let victim: Victim
type Caller = Pick<Person, 'get' | 'post'>
type Kind = 'staff' | 'operator' | 'candidate' | 'guest' | 'nobody'
const callers = new Map<Kind, Caller>()
beforeAll(async () => {
  t = await startTestApp()
  victim = await plantVictim(t, await t.owner())
  await everyRight(victim.tenant)
  await everyRight(t.platform())
  callers.set('candidate', victim.candidate)
})
afterAll(() => t.close())

const opened: Readonly<Record<Kind, () => Promise<Caller> | Caller>> = {
  staff: () => victim.tenant.staff(['admin', 'exam_admin']),
  operator: () => t.platform().staff(['administrator', 'admin', 'exam_admin']),
  candidate: () => victim.tenant.candidate(),
  guest: () => victim.tenant.guest(),
  nobody: () => t.anonymous(victim.tenant.tenantId),
}
const kindOf = ({ access }: Route): Kind =>
  'guest' in access
    ? 'guest'
    : 'public' in access
      ? 'nobody'
      : 'candidate' in access && !('staff' in access)
        ? 'candidate'
        : 'platform' in access
          ? 'operator'
          : 'staff'
/** Somebody who may call. A call that ended or locked their session makes them log in again. */
const send = async (route: Route, input: Record<string, unknown>, language: Language): Promise<Answer> => {
  const kind = kindOf(route)
  const once = async (): Promise<Answer> => {
    const caller = callers.get(kind) ?? (await opened[kind]())
    callers.set(kind, caller)
    return callRoute(caller, route, input, victim.known, { 'accept-language': language })
  }
  const answer = await once()
  if (kind === 'nobody' || (answer.status !== 401 && answer.status !== 423)) return answer
  callers.delete(kind)
  return once()
}

const propertiesOf = (schema: Schema): Record<string, Schema> => (schema['properties'] ?? {}) as Record<string, Schema>
/** Longer than any text may be. */
const endless = 'x'.repeat(21_000)
/** A value of the schema's kind that is wrong in one way. */
const bad: Readonly<Record<string, (schema: Schema) => unknown>> = {
  'of another type': () => ({ x: 1 }),
  'a text': () => 'x',
  empty: () => '',
  null: () => null,
  'too long': () => endless,
  'too small': () => -99_999_999_999,
  'too large': () => 99_999_999_999,
  'an empty row': () => [{}],
  'a wrong row': schema => [inside(schema, () => ({ y: [] }))],
  'a row of long texts': schema => [inside(schema, () => endless)],
  'a row with more': schema => [{ ...inside(schema, () => 1), notAField: 1 }],
}
/** An entry of a list, or the object itself, with this in each of its fields. */
const inside = (schema: Schema, value: () => unknown): Record<string, unknown> => {
  const variants = [schema, ...((schema['anyOf'] ?? []) as Schema[])]
  const rows = variants.flatMap(one => [one, (one['items'] ?? {}) as Schema])
  return Object.fromEntries(rows.flatMap(row => Object.keys(propertiesOf(row)).map(name => [name, value()] as const)))
}

/** What a text quotes is what somebody sent: a name that nobody knows, a file, an example. */
const unquoted = (text: string): string => text.replace(/“[^”]*”|"[^"]*"/g, 'X')
/** Written as it is in the wire, which no reader of Chinese or English writes. */
const identifier = /\b(?:[a-z][a-z0-9]*[A-Z][A-Za-z0-9]*|[a-z]+_[a-z_]+)\b/
/** Terms that people know by these very letters, and examples of how something is written. */
const terms =
  /Idempotency-Key|AppID|candidate\d+|account\.failCount|workYears|constructor|toString|application\/[\w.-]+|multipart\/form-data|https?:\/\/\S+/g

const isRaw = (text: string, language: Language, field: string): boolean => {
  const said = unquoted(text).replace(terms, 'X')
  const name = field.split('.').findLast(part => !/^\d+$/.test(part)) ?? ''
  if (identifier.test(said)) return true
  // Chinese has no word of its own in small Latin letters; an English sentence begins with a capital.
  return language === 'zh' ? /^[A-Za-z_]+$/.test(name) && new RegExp(`(?<![\\w])${name}(?![\\w])`).test(said) : /^[a-z]/.test(said.trim())
}
interface Told {
  readonly route: string
  readonly how: string
  readonly language: Language
  readonly field: string
  readonly msg: string
}

const isJudged = (route: Route): boolean => route.answer !== 'bare' && route.answer !== 'plain' && !route.path.endsWith('/logout')
const judged = sweptRoutes.filter(isJudged)

describe('[21.11] what is told about a wrong field', () => {
  test('names it in words in both languages: every field of every route, wrong in every way', () => {
    const raw: Told[] = []
    let told = 0
    for (const route of sweptRoutes) {
      const fields = propertiesOf(route.input as never)
      const check = checkerOf(route.input as never)
      for (const [how, of] of Object.entries(bad))
        for (const language of ['zh', 'en'] as const)
          for (const { field, msg } of check(
            Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, of(schema)])),
            language,
          )) {
            told += 1
            if (isRaw(msg, language, field)) raw.push({ route: route.path, how, language, field, msg: msg.slice(0, 200) })
          }
      for (const language of ['zh', 'en'] as const)
        for (const { field, msg } of check({}, language)) {
          told += 1
          if (isRaw(msg, language, field)) raw.push({ route: route.path, how: 'missing', language, field, msg })
        }
    }
    expect(raw).toEqual([])
    if (isWhole) expect(told).toBeGreaterThan(10_000)
  })

  test('is so at the wire too, where the call looks for itself: all fields at once, and one by one beside right ones', {
    timeout: 300_000,
  }, async () => {
    const raw: Told[] = []
    const seen = { refusals: 0 }
    let turn = 0
    const judge = (route: Route, how: string, language: Language, answer: Answer) => {
      if (answer.status < 400 || typeof answer.body?.msg !== 'string') return
      const problems: readonly { field: string; msg: string }[] = answer.body.data?.fields ?? []
      for (const { field, msg } of [...problems, { field: problems[0]?.field ?? how, msg: answer.body.msg }]) {
        seen.refusals += 1
        if (isRaw(msg, language, field)) raw.push({ route: route.path, how, language, field, msg: msg.slice(0, 200) })
      }
    }
    for (const route of judged) {
      const fields = propertiesOf(route.input as never)
      const all = async (how: string, input: Record<string, unknown>) => {
        const answer = await send(route, input, 'zh')
        judge(route, how, 'zh', answer)
        // What is taken in one language is taken in the other, and says nothing.
        if (answer.status >= 400) judge(route, how, 'en', await send(route, input, 'en'))
      }
      await all('missing', {})
      const each = (of: (schema: Schema) => unknown) =>
        Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, of(schema)]))
      for (const how of route.selfChecked ? Object.keys(bad) : ['of another type', 'a text']) await all(how, each(bad[how] ?? (() => null)))
      const right = requiredInput(route, victim.known)
      await all('what it asks for', right)
      const values = ['9', 'x', '2020-01-01 00:00:00']
      for (const name of Object.keys(fields)) {
        // One of them at every twentieth field, in turns; all of them at each in `npm run test:long`.
        turn += 1
        const few = turn % 20 > 0 ? [] : [route.method === 'GET' ? 'x' : (values[(turn / 20) % 3] ?? 'x')]
        const tried = !process.env['KAOPU_LONG'] ? few : route.method === 'GET' ? ['x'] : values
        for (const value of tried) await all(name, { ...right, [name]: value })
      }
    }
    expect(raw).toEqual([])
    if (isWhole) expect(seen.refusals).toBeGreaterThan(1_500)
  })
})
