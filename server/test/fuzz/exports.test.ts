import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import type { Route } from '#contract/kernel/route.ts'
import { allRoutes } from '#contract/registry.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { type BuiltExam, buildExam } from '../support/factories.ts'
import { callRoute, requiredInput } from '../support/route-calls.ts'
import { insertSignups } from '../support/sign-up-rows.ts'
import { fuzzTimeoutMs, type Random, runTrials } from '../support/trials.ts'
import { everyRight } from '../support/victim.ts'

let t: TestApp
let tenant: TestTenant
let exam: BuiltExam
let staff: Person
let operator: Person
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  for (const one of [tenant, t.platform()]) await everyRight(one)
  staff = await tenant.staff('exam_admin', { realName: '考务甲' })
  operator = await t.platform().staff(['administrator', 'exam_admin'], { realName: '考务甲' })
  exam = await buildExam(tenant)
  await insertSignups(tenant, exam.examId, [
    { name: '张测', code: 'A001', type: 'A', unit: 'H01', examine: 'passed', payState: 'paid', content: {} },
  ])
})
afterAll(() => t.close())

const exports = allRoutes().filter(
  route =>
    route.answer === 'file' &&
    'staff' in route.access &&
    /export|getPayExcel/i.test(route.path) &&
    !/pdf|ticket|template|view-?as/i.test(route.path),
)
const begins = [
  '=',
  '+',
  '-',
  '@',
  '\t=',
  '\r=',
  ' =',
  '＝',
  '=cmd|',
  "'=",
  '"=',
  '=HYPERLINK(',
  '+1-1',
  '-2+3',
  '@SUM(',
  '=1+1',
  ';=',
  '%0A=',
]
const partsOf = async (bytes: Buffer): Promise<ReadonlyMap<string, string>> => {
  const parts = new Map<string, string>()
  const zip = await fromBufferPromise(bytes, {})
  for await (const entry of zip.eachEntry()) {
    let text = ''
    for await (const chunk of await zip.openReadStreamPromise(entry)) text += String(chunk)
    parts.set(entry.fileName, text)
  }
  return parts
}
const lines = async (): Promise<number> => {
  const count = sql<{ n: number }>`select count(*)::int as n from audit_log`
  return ((await tenant.rows(count))[0]?.n ?? 0) + ((await t.platform().rows(count))[0]?.n ?? 0)
}
const inputOf = (route: Route, random: Random) => ({
  ...requiredInput(route, { examId: [exam.examId], itemId: [exam.papers['01'] ?? ''] }),
  // The fourth kind of this one is an empty form to fill in.
  ...(route.path.endsWith('/getPayExcel') ? { kind: random.pick(['due', 'paid', 'refund']) } : {}),
})

describe('V24: what leaves by workbook', () => {
  test(
    'no text of anybody becomes a formula, a link or a macro; each sheet says who took it, and one line of the trail does',
    async () => {
      expect(exports.length).toBeGreaterThan(5)
      let read = 0
      const failures = await runTrials('V24 exports', { quick: 90, long: 10_000 }, async random => {
        const route = random.pick(exports)
        const text =
          `${random.pick(begins)}${random.pick(['HYPERLINK("http://a.example")', "cmd|' /C calc'!A0", 'SUM(1+1)', '<x>&"', ']]>', 'WEBSERVICE("http://a.example")'])}`.slice(
            0,
            40,
          )
        await tenant.db(async db => {
          await db.run(
            sql`update signup set name = ${text}, school = ${text}, major = ${text}, examine_remark = ${text} where exam_id = ${exam.examId}`,
          )
          await db.run(sql`update account set real_name = ${text}, nick_name = ${text} where id = ${staff.userId}`)
          await db.run(sql`update param set remark = ${text}`)
          await db.run(sql`update post set post_name = left(${text}, 30)`)
        })
        const before = await lines()
        const answer = await callRoute('platform' in route.access ? operator : staff, route, inputOf(route, random), {})
        if (answer.status >= 500) return `${route.path} → ${answer.status}`
        if (answer.status !== 200 || !String(answer.headers['content-type']).includes('spreadsheet')) return undefined
        read += 1
        if ((await lines()) <= before) return `${route.path} left no line in the trail`
        const parts = await partsOf(answer.raw)
        const odd = [...parts.keys()].find(name => /vba|externalLink|connection|oleObject|activeX|query/i.test(name))
        if (odd) return `${route.path} holds ${odd}`
        for (const [name, xml] of parts) {
          if (/<f[ >/]|<hyperlink|TargetMode="External"|<ddeLink/i.test(xml)) return `${route.path} ${name} has a formula or a link`
          if (name.startsWith('xl/worksheets/') && /<c[^>]* t="(str|e)"/.test(xml)) return `${route.path} ${name} has a computed cell`
        }
        const first = [...parts].find(([name]) => name === 'xl/worksheets/sheet1.xml')?.[1] ?? ''
        return first.includes('内部资料') || first.includes('2026-03-17 10:00:00') ? undefined : `${route.path} does not say who took it`
      })
      expect(failures).toEqual([])
      expect(read).toBeGreaterThan(20)
    },
    fuzzTimeoutMs,
  )
})
