import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fact, factByName, factNames, factOf } from '#contract/kernel/fact.ts'
import type { Route } from '#contract/kernel/route.ts'
import { ruledNouns } from '#contract/registry.ts'
import { sql } from '#kernel/db/sql.ts'
import { textOf } from '../support/answer-text.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { callRoute, inputsOf, type Known, requiredInput } from '../support/route-calls.ts'
import { isWhole, sweptRoutes } from '../support/swept-routes.ts'
import { canary, canaryIdCard, canaryTicketNo, everyRight, plantPlainRows, plantVictim, rowsOfNouns } from '../support/victim.ts'

let t: TestApp
let owner: pg.Client
let tenant: TestTenant
let keeper: Person
let reader: Person
let known: Known
/** Its rows of declared nouns, by the paths of the nouns. */
let nouns: ReadonlyMap<string, readonly string[]>
/** Ends of the links to the portrait. */
let pictures: readonly string[] = []
/** Everything that reads, asked by somebody without a rule. */
let bare: Swept

/** Stands in every text of a plain noun that is ruled, and nowhere else. */
const plain = '平凡字样'
const school = '某某医学院'
const phone = '16000000001'
const email = 'canary@canary.example'
const address = '浙江省杭州市西湖区文三路七七七号'
/** What tells who somebody is, in full and as today's fixed masks leave it. */
const traces: Readonly<Record<string, readonly string[]>> = {
  name: ['金丝雀', '金**'],
  phone: [phone, '160****0001'],
  idCard: [canaryIdCard, '3301**********1023', '330106********1023', '3301**************'],
  ticketNo: [canaryTicketNo, '2603****2173'],
  school: [school],
  score: ['78.5'],
  email: [email, 'c***@canary.example'],
  address: [address],
  plain: [plain],
}
const inFull = ['金丝雀', school, plain, canaryTicketNo]

/** Plain nouns; the form and the files of an examination are announced as they are, and menus are what people go by. */
const plainNouns = ruledNouns.filter(
  noun =>
    !['user', 'signup', 'ticket', 'result', 'exampay', 'payorder', 'payalarm', 'signitems', 'signfiles', 'topmenu'].includes(noun.code),
)

beforeAll(async () => {
  t = await startTestApp()
  owner = await t.owner()
  const victim = await plantVictim(t, owner)
  tenant = victim.tenant
  known = victim.known
  // Texts of other things keep quiet: what is found afterwards is a value of a ruled field.
  await tenant.db(async db => {
    await db.run(sql`update examination set exam_name = '招聘', description = '', promise = '承诺', contact_phone = '1'`)
    await db.run(sql`update account set real_name = '同事', nick_name = '同事' where user_type = 1`)
    await db.run(sql`update account set nick_name = '金丝雀' where user_type = 2`)
    await db.run(sql`update ticket set site_name = '考点'`)
    await db.run(sql`update notice set title = ${plain}, content = ${plain}`)
    await db.run(sql`update notice_file set name = ${plain}`)
    await db.run(sql`update result set name = '金丝雀', score = 78.5`)
    await db.run(sql`update pay_order set description = '费用'`)
    await db.run(sql`update verified_change set old_mask = '金丝雀', new_mask = '金丝雀', reason = '原因'`)
    await db.run(sql`update import_job set file_name = 'x.xlsx'`)
    await db.run(sql`update export_job set file_name = 'x.xlsx'`)
    await db.run(sql`update signup set content = replace(content::text, ${canary}, ${school})::jsonb, school = ${school},
      auto_check = replace(auto_check::text, ${canary}, ${school})::jsonb`)
    await db.run(sql`update signup set content = content || ${JSON.stringify({ email, address })}::jsonb`)
    await db.run(sql`update account set email = ${email} where user_type = 2`)
    await db.run(sql`update examine_record set examiner_name = '同事'`)
    await db.run(sql`update param set param_name = ${plain}, param_value = ${plain}, param_key = replace(param_key, ${canary}, 'CANARY')`)
    await db.run(sql`update sms_message set content = replace(content, ${canary}, '')`)
    await db.run(
      sql`insert into user_code (tenant_id, code, name, code_kind, contact, phone, address) values (${tenant.tenantId}, 'Z9', ${plain}, 1, '金丝雀', ${phone}, ${address})`,
    )
    await db.run(sql`update item set help = ${plain} where item_key = 'remark'`)
    await db.run(sql`update file_kind set help = ${plain} where file_key = 'other'`)
    await db.run(
      sql`insert into examine_tip (tenant_id, title, content, kind, field_key, scope) values (${tenant.tenantId}, ${plain}, ${plain}, 2, ${plain}, 2)`,
    )
    await db.run(sql`update type_code set phone = ${plain}, remark = ${plain}`)
    await db.run(sql`update exam_item set tools = ${plain}, rules = ${plain}`)
    await db.run(sql`
      with server as (insert into job_server (tenant_id, job_server_name, job_server_url, job_app_name) values (${tenant.tenantId}, ${plain}, 'http://jobs.example.test', ${plain}) returning tenant_id, id),
        job as (insert into job_info (tenant_id, job_server_id, job_name, processor_info) select tenant_id, id, ${plain}, ${plain} from server returning tenant_id, id)
      insert into job_instance (tenant_id, job_info_id, kind, state, due_at, run_at, ended_at) select tenant_id, id, 2, 5, app_now(), app_now(), app_now() from job`)
    await db.run(sql`
      with n as (insert into notice (tenant_id, title, notice_type, content, withdraw_reason) values (${tenant.tenantId}, ${plain}, 2, ${plain}, ${plain}) returning tenant_id, id)
      insert into notice_file (tenant_id, notice_id, file_id, name, size) select tenant_id, id, 1, ${plain}, 1 from n`)
    await db.run(sql`
      insert into news (tenant_id, title, summary, content, source, author, withdraw_reason) values (${tenant.tenantId}, ${plain}, ${plain}, ${plain}, ${plain}, ${plain}, ${plain})`)
    await db.run(sql`
      insert into oss (tenant_id, category, oss_code, endpoint, bucket_name, access_key, remark) values (${tenant.tenantId}, '1', ${plain}, ${plain}, ${plain}, ${plain}, ${plain})`)
    await db.run(sql`
      insert into attach (tenant_id, original_name, name, domain_url, extension, attach_size, file_id, uploader)
      values (${tenant.tenantId}, ${plain}, ${plain}, ${plain}, 'pdf', 1, 1, '金丝雀')`)
    await db.run(sql`
      insert into sms_provider (tenant_id, category, sms_code, sign_name, template_id, access_key, secret_key_sealed, remark)
      values (${tenant.tenantId}, '3', ${plain}, ${plain}, ${plain}, ${plain}, '\\x00', ${plain})`)
    await db.run(sql`
      insert into send_template (tenant_id, code, name, title, content, title_en, content_en, sign_name)
      values (${tenant.tenantId}, ${plain}, ${plain}, ${plain}, ${plain}, ${plain}, ${plain}, ${plain})`)
    await db.run(sql`
      insert into sms_message (tenant_id, exam_id, template, phone_mask, content, segments, channel, state, name, fail_reason)
      select tenant_id, id, 'x', '160****0001', ${`金丝雀您好，${plain}`}, 1, 2, 3, '金丝雀', ${plain} from examination where tenant_id = ${tenant.tenantId} order by id limit 1`)
    await db.run(sql`
      with bought as (insert into send_pay (tenant_id, packages_id, package_name, count, price, pay_way, remark) values (${tenant.tenantId}, 1, ${plain}, 1, 1, 2, ${plain}) returning tenant_id, id)
      insert into send_order (tenant_id, send_pay_id, order_no, amount, expire_time, mchid, appid, exception) select tenant_id, id, ${plain}, 1, app_now(), 'm', 'a', ${plain} from bought`)
    await db.run(sql`
      with due as (select tenant_id, id, exam_id, user_id from exam_pay where tenant_id = ${tenant.tenantId} order by id limit 1),
        day as (insert into pay_bill (tenant_id, bill_date, problem) values (${tenant.tenantId}, '2026-03-01', ${plain}) returning tenant_id, id),
        difference as (insert into pay_bill_difference (tenant_id, bill_id, subject, kind, order_no, due_at)
          select tenant_id, id, 'pay', 1, ${plain}, app_now() from day),
        back as (insert into pay_refund (tenant_id, refund_no, pay_id, user_id, amount_fen, reason, apply_by, remark)
          select tenant_id, ${plain}, id, user_id, 1, 'other', 0, ${plain} from due),
        batch as (insert into pay_record_main (tenant_id, exam_id, batch_name, kind, import_id, total, amount_fen)
          select tenant_id, exam_id, ${plain}, 2, 1, 1, 1 from due returning tenant_id, id),
        line as (insert into pay_record (tenant_id, main_id, pay_id, row_no, amount_fen, voucher_no)
          select b.tenant_id, b.id, d.id, 2, 1, ${plain} from batch b cross join due d),
        list as (insert into pay_export_main (tenant_id, exam_id, name, begin_time, end_time, state, count, amount)
          select tenant_id, exam_id, ${plain}, '2026-03-01', '2026-03-02', 1, 1, 1 from due returning tenant_id, id)
      insert into pay_export (tenant_id, main_id, exam_pay_id, row_no, pay_name, voucher_no, amount, name)
      select l.tenant_id, l.id, d.id, 1, ${plain}, ${plain}, 1, '金丝雀' from list l cross join due d`)
    await db.run(sql`insert into audit_log (tenant_id, actor_kind, action, entity, entity_id, before_value, after_value)
      values (${tenant.tenantId}, 'staff', 'account.updated', 'account', '1', ${JSON.stringify({ real_name: '金丝雀', phone: '160****0001' })}, ${JSON.stringify({ real_name: '金丝雀' })}),
        (${tenant.tenantId}, 'staff', 'param.updated', 'param', '1', ${JSON.stringify({ paramValue: plain })}, ${JSON.stringify({ paramName: plain })})`)
  })
  pictures = (await tenant.rows(sql<{ id: string }>`select photo_file_id::text as id from signup where photo_file_id is not null`)).map(
    ({ id }) => `/file/${id}`,
  )
  const rows = await tenant.rows(sql<{ id: string }>`
    select id::text as id from user_code where name = ${plain}
    union all select id::text from item where help = ${plain} union all select id::text from file_kind where help = ${plain}
    union all select id::text from examine_tip
    union all select id::text from job_server where job_server_name = ${plain} union all select id::text from job_info where job_name = ${plain}
    union all select id::text from job_instance
    union all select id::text from notice where title = ${plain} union all select id::text from notice_file union all select id::text from news
    union all select id::text from oss where oss_code = ${plain} union all select id::text from attach where name = ${plain}
    union all select id::text from sms_provider union all select id::text from send_template union all select id::text from sms_message where channel = 2
    union all select id::text from send_pay union all select id::text from send_order
    union all select id::text from pay_bill union all select id::text from pay_refund union all select id::text from pay_record_main
    union all select id::text from pay_record union all select id::text from pay_export_main union all select id::text from pay_export
    union all select id::text from audit_log where action in ('account.updated', 'param.updated')`)
  const planted = await plantPlainRows(tenant, plain, known['examId']?.[0] ?? '', undefined, {
    ...{ name: '金丝雀', phone, idCard: canaryIdCard, email, address, ticketNo: canaryTicketNo },
  })
  const ids = [...new Set([...(known['id'] ?? []), ...planted, ...rows.map(row => row.id)])]
  known = { ...known, id: ids, ids }
  nouns = await rowsOfNouns(tenant)
  await everyRight(tenant)
  keeper = await tenant.staff('secadmin')
  reader = await tenant.staff('exam_admin', { realName: '同事' })
  bare = await sweep(sweptRoutes.filter(route => !skipped(route)).flatMap(route => askedWith(route).map(input => ({ route, input }))))
}, 300_000)
afterAll(() => t.close())

type Level = 'masked' | 'hidden'
/** One rule for every field there is; what has no half is hidden. */
const ruleEverything = async (level: Level): Promise<void> => {
  const [role] = await tenant.rows(sql<{ id: string }>`select id::text as id from role where role_alias = 'exam_admin'`)
  const rules = ruledNouns.flatMap(noun =>
    Object.entries(noun.fields).map(([field, { mask }]) => ({ noun: noun.code, field, level: mask === 'none' ? 'hidden' : level })),
  )
  const answer = await keeper.post('/blade-system/field-rule/submit', {
    json: { roleId: role?.id, rules },
  })
  expect([answer.status, answer.body.msg]).toEqual([200, '操作成功'])
  await t.app.catchUp()
}

/** Calls that only read, and those that answer with a file: what changes something has no value to tell but its own input. */
const reads = (route: Route): boolean =>
  route.method === 'GET' ||
  route.answer === 'file' ||
  route.tx === 'read' ||
  /\/(examine\/open|reveal|getExamTicketList|releaseTickets|creTicketEnd|allotCheck)$/.test(route.path)
const skipped = (route: Route): boolean =>
  'public' in route.access ||
  !reads(route) ||
  route.path.endsWith('/logout') ||
  // The caller's own things: notices that were written to them, files that they made, their own account.
  /^\/(me\/(?!find|home)|blade-system\/user\/info|blade-auth\/|blade-exam\/exportjob|blade-exam\/importjob)/.test(route.path)

const askedWith = (route: Route): Record<string, unknown>[] => {
  const { properties = {}, required = [] } = route.input as unknown as { properties?: object; required?: string[] }
  const base = requiredInput(route, known)
  // A list is asked for all it has, and for what is known of its rows.
  if ('size' in properties) return [Object.fromEntries(required.map(name => [name, base[name]])), base].map(one => ({ ...one, size: 200 }))
  const kinds = route.path.endsWith('getPayExcel')
    ? ['due', 'paid', 'refund']
    : route.path.endsWith('importTemplate')
      ? ['T1', 'T4', 'T5', 'T6', 'T7a', 'T7b', 'T7c']
      : []
  if (kinds.length > 0) return kinds.map(kind => ({ ...base, kind }))
  return inputsOf(route, known, known['id'] ?? [], nouns)
}
interface Call {
  readonly route: Route
  readonly input: Readonly<Record<string, unknown>>
}
interface Swept {
  /** Which traces stand in the answers of which calls. */
  readonly places: ReadonlyMap<string, ReadonlySet<string>>
  readonly broken: readonly string[]
  /** What was answered and not refused. */
  readonly answered: readonly Call[]
  /** Of these, the calls in whose answer a trace stands. */
  readonly telling: readonly Call[]
}
const sweep = async (calls: readonly Call[]): Promise<Swept> => {
  const places = new Map<string, Set<string>>()
  const broken: string[] = []
  const answered: Call[] = []
  const telling: Call[] = []
  for (const { route, input } of calls) {
    const answer = await callRoute(reader, route, input, known)
    const place = `${route.method} ${route.path}`
    if (answer.status >= 500) broken.push(place)
    if (answer.status === 200) answered.push({ route, input })
    const text = await textOf(answer)
    const found = [...Object.values(traces).flat(), ...pictures].filter(trace => text.includes(trace))
    if (found.length === 0) continue
    telling.push({ route, input })
    places.set(place, new Set([...(places.get(place) ?? []), ...found]))
  }
  console.log(`field sweep: ${calls.length} calls, traces in ${places.size} routes`)
  return { places, broken, answered, telling }
}
/** What a rule may take something from: calls that tell something without one, in `npm run test:long` also those that tell nothing. */
const underRules = (): readonly Call[] => (process.env['KAOPU_LONG'] ? bare.answered : bare.telling)
const told = ({ places }: Swept): string[] => [...places].map(([place, found]) => `${place}: ${[...found].join(' ')}`)

/** One copy of each fact: a rule about it is one about all the others. */
const oneCopyOf: Readonly<Record<Fact, readonly [noun: string, field: string]>> = {
  name: ['user', 'realName'],
  idCard: ['signup', 'idCard'],
  phone: ['signup', 'phone'],
  email: ['user', 'email'],
  address: ['signup', 'address'],
  photo: ['signup', 'photo'],
  birthday: ['signup', 'birthday'],
  sex: ['user', 'sex'],
  ticketNo: ['ticket', 'ticketNo'],
  score: ['result', 'score'],
}
const ruleCopies = async (): Promise<void> => {
  const [role] = await tenant.rows(sql<{ id: string }>`select id::text as id from role where role_alias = 'exam_admin'`)
  const rules = Object.values(oneCopyOf).map(([noun, field]) => ({ noun, field, level: 'hidden' }))
  const answer = await keeper.post('/blade-system/field-rule/submit', { json: { roleId: role?.id, rules } })
  expect([answer.status, answer.body.msg]).toEqual([200, '操作成功'])
  await t.app.catchUp()
}
const { school: _school, plain: _plain, ...factTraces } = traces
/** Values of facts. */
const valuesOfFacts = (): readonly string[] => [...Object.values(factTraces).flat(), ...pictures]

/** What somebody could guess, and what is nobody's, in the same form: a search that answers both alike tells nothing. */
const guesses: { readonly [F in Fact]?: readonly [right: string, wrong: string] } = {
  name: ['金丝雀', '白鹭鸶'],
  idCard: [canaryIdCard, '330106199806301031'],
  phone: [phone, '16000000002'],
  ticketNo: [canaryTicketNo, '260301019999'],
  email: [email, 'egret@canary.example'],
}
const isTextBox = (name: string): boolean => name === 'keyword' || name === 'text'
/** Every search of a route in which a guess could be typed: by the input's name, or in a box for several things. */
const probesOf = (route: Route): { name: string; right: string; wrong: string }[] => {
  const { properties = {} } = route.input as unknown as { properties?: Readonly<Record<string, object>> }
  const about = (name: string): readonly Fact[] => {
    const fact = factByName(name.replace(/_[a-z]+$/, ''))
    return isTextBox(name) ? factNames : fact === undefined ? [] : [fact]
  }
  return Object.keys(properties).flatMap(name =>
    about(name).flatMap(fact => {
      const [right, wrong] = guesses[fact] ?? []
      return right === undefined || wrong === undefined ? [] : [{ name, right, wrong }]
    }),
  )
}

describe('[S6.03] field rules, swept over every ruled noun and every call that reads', () => {
  test('without a rule each noun tells what it holds in list, detail and workbook: there is something to leak', () => {
    const { places, broken } = bare
    expect(broken).toEqual([])
    const quiet = [
      ...plainNouns.flatMap(noun =>
        sweptRoutes.filter(route => codeOf(route) === `${noun.code}_view` && /\/(list|page|detail)$/.test(route.path)),
      ),
      ...sweptRoutes.filter(route => isPersonal(route)),
    ]
      .map(route => `${route.method} ${route.path}`)
      .filter(place => !places.has(place))
    expect(quiet).toEqual([])
  })

  test('hidden: not a trace of any value, in full or masked, and nothing breaks', async () => {
    await ruleEverything('hidden')
    const swept = await sweep(underRules())
    expect(swept.broken).toEqual([])
    expect(told(swept)).toEqual([])
  }, 300_000)

  test('masked: no full value anywhere, and what a mask leaves is there', async () => {
    await ruleEverything('masked')
    const swept = await sweep(underRules())
    expect(swept.broken).toEqual([])
    const leaks = [...swept.places].filter(([, found]) =>
      [...found].some(trace => inFull.includes(trace) || trace === phone || trace === canaryIdCard),
    )
    expect(leaks.map(([place]) => place)).toEqual([])
    if (!isWhole) return
    expect(swept.places.get('GET /blade-signup/examine/getExamineList')).toEqual(new Set(['金**', '160****0001', '3301**********1023']))
    expect(swept.places.get('POST /blade-signup/signup/exportSignUp')).toEqual(new Set(['金**', '160****0001', '3301**************']))
  }, 300_000)
})

describe('[S6.03] facts, swept over every call that reads', () => {
  test('hidden at one copy: no value of a fact stands anywhere, in an answer, a workbook, a printed page, an archive or a link to a picture', async () => {
    await ruleCopies()
    const swept = await sweep(underRules())
    expect(swept.broken).toEqual([])
    const found = told(swept).filter(line => valuesOfFacts().some(trace => line.includes(trace)))
    expect(found).toEqual([])
    // What is no fact is still there.
    if (isWhole) expect([...swept.places.values()].some(traces => traces.has(plain) || traces.has(school))).toBe(true)
  }, 300_000)

  test('nobody finds out by searching: a right guess is answered as a wrong one', async () => {
    await ruleCopies()
    const told: string[] = []
    let asked = 0
    for (const route of sweptRoutes.filter(route => !skipped(route)))
      for (const { name, right, wrong } of probesOf(route)) {
        const base = requiredInput(route, known)
        const answers = [
          await callRoute(reader, route, { ...base, [name]: right }, known),
          await callRoute(reader, route, { ...base, [name]: wrong }, known),
        ]
        const [one, other] = await Promise.all(
          answers.map(async answer => `${answer.status} ${(await textOf(answer)).replace(/"traceId":"[^"]*"/g, '')}`),
        )
        asked += 1
        if (one?.replaceAll(right, '') !== other?.replaceAll(wrong, '')) told.push(`${route.method} ${route.path} ?${name}=${right}`)
      }
    if (isWhole) expect(asked).toBeGreaterThan(100)
    expect(told).toEqual([])
  }, 300_000)

  test('nor by an order: a list is not sorted by a fact, whichever name it has there', async () => {
    await ruleCopies()
    const sorted: string[] = []
    let asked = 0
    for (const route of sweptRoutes.filter(route => !skipped(route) && route.method === 'GET')) {
      const marks = sortsOf(route)
      for (const key of marks) {
        const answer = await callRoute(reader, route, { ...requiredInput(route, known), ascs: key }, known)
        asked += 1
        if (answer.status === 200) sorted.push(`${route.path} ?ascs=${key}`)
      }
    }
    if (isWhole) expect(asked).toBeGreaterThan(20)
    expect(sorted).toEqual([])
  }, 300_000)
})

function codeOf(route: Route): string | undefined {
  if (!('staff' in route.access)) return undefined
  return typeof route.access.staff === 'string' ? route.access.staff : route.access.staff[0]
}
/** The calls in which personal data stands when nothing forbids it. */
function isPersonal(route: Route): boolean {
  return /^\/(blade-system\/user\/(page|detail|export-user)|blade-signup\/(signup\/(detail|exportSignUp)|examine\/(getExamineList|getExamineInfo))|blade-exam\/examination\/(getExamTicketList|getTicketInfo|exportResult)|blade-result\/result\/(list|detail)|blade-examPay\/exampay\/(list|detail)|blade-payOrder\/payorder\/(list|detail)|blade-userupdateinfo\/userupdateinfo\/(list|detail)|blade-log\/audit\/detail)$/.test(
    route.path,
  )
}
/** Values of the rows of a list that are facts: names by which it could be asked to be ordered. */
function sortsOf(route: Route): string[] {
  const { properties = {} } = route.input as unknown as { properties?: object }
  if (!('ascs' in properties)) return []
  const found = new Set<string>()
  const walk = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return
    for (const [name, inner] of Object.entries(schema)) {
      const at = (inner as { 'x-field'?: { at: string } } | null)?.['x-field']?.at
      const [code, field = ''] = at?.split('.') ?? []
      const declared = ruledNouns.find(noun => noun.code === code)?.fields[field]
      if (declared !== undefined && factOf(declared) !== undefined) found.add(name)
      walk(inner)
    }
  }
  walk(route.output)
  return [...found]
}
