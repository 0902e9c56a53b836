import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkWindows } from '#contract/exam/window.ts'
import { toWireDay, toWireTime } from '#contract/kernel/when.ts'
import { validateContent } from '#contract/signup/content.ts'
import { checkFiles } from '#contract/signup/required-files.ts'
import { sm2Encrypt } from '#kernel/crypto/sm2.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { type RawBuilder, sql } from '#kernel/db/sql.ts'
import { findExam, listPapers, listSignFiles, listSignItems } from '#modules/exam/index.ts'
import { openContent } from '#modules/signup/content-vault.ts'
import type { SignupFile } from '#modules/signup/data/signup.repo.ts'
import { isTicketNo } from '#modules/ticket/domain/numbering.ts'
import type { Services } from '#server/services.ts'
import { roleAliases } from '../../seed/base/menus.ts'
import type { DemoAccount } from '../../seed/demo/accounts.ts'
import { secondTenant, seedDemo } from '../../seed/demo/seed-demo.ts'
import { startTestApp, type TestApp, testCaptcha } from '../support/app.ts'

const first = '000000'
let t: TestApp
let services: Services
let accounts: readonly DemoAccount[]

const inTenant = <T>(tenantId: string, work: (db: TenantDb) => Promise<T>): Promise<T> =>
  services.scopes.tx(systemOf(tenantId), t.clock.now(), work)
const rows = <T>(tenantId: string, statement: RawBuilder<T>): Promise<T[]> => inTenant(tenantId, db => db.all(statement))
const accountsFile = (): Promise<string> => readFile(join(services.config.dataDir, 'demo-accounts.json'), 'utf8')
const storedFiles = async (): Promise<number> =>
  (await readdir(join(services.config.dataDir, 'files'), { recursive: true })).filter(name => name.endsWith('.kpf')).length
const examOf = async (tenantId: string, code: string): Promise<string> =>
  (await rows(tenantId, sql<{ id: string }>`select id::text as id from examination where exam_code = ${code}`))[0]?.id ?? ''

/** All rows of all tables of the application as texts. */
const everything = async (): Promise<ReadonlyMap<string, readonly string[]>> =>
  services.scopes.asPlatform('a test compares two starts', t.clock.now(), async db => {
    const tables = await db.all(
      sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migration' order by 1`,
    )
    const all = new Map<string, readonly string[]>()
    for (const { name } of tables) {
      const readable = await db.one(sql<{ may: boolean }>`select has_table_privilege(${`public.${name}`}, 'select') as may`)
      if (readable.may)
        all.set(
          name,
          (await db.all(sql<{ row: string }>`select x::text as row from ${sql.table(name)} x order by 1`)).map(one => one.row),
        )
    }
    return all
  })

beforeAll(async () => {
  t = await startTestApp()
  services = t.app.services
  // The first start dies when the second tenant is written and not yet committed.
  const dying: Services = {
    ...services,
    scopes: {
      ...services.scopes,
      tx: (actor, now, work) =>
        services.scopes.tx(actor, now, async db => {
          const result = await work(db)
          if (actor.tenantId === secondTenant && (await db.maybe(sql`select 1 from account limit 1`))) throw new Error('power cut')
          return result
        }),
    },
  }
  const began = performance.now()
  await expect(seedDemo(dying)).rejects.toThrow('power cut')
  console.info(`demo seed: ${Math.round(performance.now() - began)} ms with a broken second tenant`)
  const before = await accountsFile()
  const files = await storedFiles()
  expect(await rows(secondTenant, sql`select 1 from account`)).toEqual([])
  expect(files).toBe((await rows(first, sql`select distinct storage_key from stored_file`)).length)
  const again = performance.now()
  await seedDemo(services)
  console.info(`demo seed: ${Math.round(performance.now() - again)} ms for the second tenant alone`)
  expect(await accountsFile()).toBe(before)
  accounts = JSON.parse(before) as readonly DemoAccount[]
}, 60_000)
afterAll(() => t.close())

describe('the accounts of the demo', () => {
  test('there is one for each role, two where four eyes are asked for, and only the owner reads the file', async () => {
    const of = (tenantId: string) => accounts.filter(one => one.tenantId === tenantId).map(one => one.role)
    expect([...new Set(of(first))].sort()).toEqual([...roleAliases].sort())
    for (const role of ['finance', 'reviewer1'] as const) expect(of(first).filter(one => one === role)).toHaveLength(2)
    // The third belongs to another department.
    expect(of(first).filter(one => one === 'exam_admin')).toHaveLength(3)
    expect(of(secondTenant)).toEqual(expect.arrayContaining(['admin', 'reviewer1', 'candidate']))
    expect(accounts.every(one => one.password.length >= 12)).toBe(true)
    expect(new Set(accounts.map(one => one.password)).size).toBe(accounts.length)
    expect((await stat(join(services.config.dataDir, 'demo-accounts.json'))).mode & 0o777).toBe(0o600)
  })

  test.each(['admin', 'candidate1'])('%s logs in in both tenants with the password of the file', async account => {
    for (const tenantId of [first, secondTenant]) {
      const guest = t.anonymous(tenantId)
      const key = (await guest.get('/blade-auth/oauth/public-key')).body.data.publicKey
      const captcha = (await guest.get('/blade-auth/oauth/captcha')).body.key
      const password = accounts.find(one => one.account === account && one.tenantId === tenantId)?.password ?? ''
      const { body } = await guest.post('/blade-auth/oauth/token', {
        query: { grant_type: 'captcha', username: account, password: sm2Encrypt(key, password), scope: 'all' },
        headers: { 'captcha-key': captcha, 'captcha-code': testCaptcha },
      })
      expect(body).toMatchObject({ tenant_id: tenantId, account })
    }
  })
})

describe('the departments of the demo', () => {
  test('[S4.11] the two examination administrators of the office run its four examinations, the third that of their own', async () => {
    const seen = async (account: string): Promise<string[]> => {
      const { id, deptId } = (
        await rows(
          first,
          sql<{ id: string; deptId: string }>`select id::text as id, dept_id as "deptId" from account where account = ${account}`,
        )
      )[0] ?? { id: '', deptId: '' }
      const actor = { kind: 'staff', tenantId: first, userId: id, departments: deptId.split(',') } as const
      const found = await services.scopes.tx(actor, t.clock.now(), db =>
        db.all(sql<{ code: string }>`select exam_code as code from examination order by 1`),
      )
      return found.map(row => row.code)
    }
    const office = ['HZ2025A', 'HZ2026A', 'HZ2026B', 'HZ2026C']
    expect([await seen('examadmin1'), await seen('examadmin2'), await seen('examadmin3')]).toEqual([office, office, ['JK2026A']])
    expect(await rows(first, sql`select account from account where user_type = 1 and dept_id is null`)).toEqual([])
    expect(
      await rows(
        first,
        sql`select a.account from account a where a.user_type = 1 and not exists (select 1 from post p where p.id::text = a.post_id)`,
      ),
    ).toEqual([])
    expect(await rows(secondTenant, sql`select 1 from examination where dept_id is null`)).toEqual([])
  })
})

describe('the examinations of the demo', () => {
  test('the released one has 300 sign-ups in every state, the second tenant 10', async () => {
    const states = (tenantId: string, examId: string) =>
      rows(
        tenantId,
        sql<{
          s: string
          n: number
        }>`select examine || ' ' || pay_state as s, count(*)::int as n from signup where exam_id = ${examId} group by 1 order by 1`,
      )
    const counted = async (tenantId: string, code: string) =>
      Object.fromEntries((await states(tenantId, await examOf(tenantId, code))).map(row => [row.s, row.n]))
    expect(await counted(first, 'HZ2026A')).toEqual({
      'draft none': 24,
      'waiting none': 62,
      'second none': 40,
      'returned none': 22,
      'refused none': 18,
      'passed due': 30,
      'passed paid': 60,
      'passed refunding': 6,
      'passed refunded': 6,
      'passed overdue': 6,
      'withdrawn none': 16,
      'disqualified none': 10,
    })
    expect(await counted(first, 'HZ2025A')).toEqual({ 'passed paid': 60 })
    expect(await counted(first, 'HZ2026B')).toEqual({})
    expect(await counted(first, 'JK2026A')).toEqual({})
    expect(await counted(secondTenant, 'LQ2026A')).toEqual({
      'draft none': 1,
      'waiting none': 3,
      'returned none': 1,
      'refused none': 1,
      'passed due': 2,
      'passed paid': 2,
    })
    expect(
      await rows(
        first,
        sql`select level, count(*)::int as n from examine_allot where state = 1 and lock_until > app_now() group by level order by level`,
      ),
    ).toEqual([
      { level: 1, n: 4 },
      { level: 2, n: 3 },
    ])
  })

  test('[27.3] one is in its re-review: of one post somebody gave up and the next has to answer, of the other one passed and one owes papers', async () => {
    const examId = await examOf(first, 'HZ2026C')
    const people = await rows(
      first,
      sql<object>`
        select s.code, p.rank, p.kind, s.review_state as review, s.shortlist, s.stage,
          (select c.state from selection_call c where c.signup_id = s.id order by c.id desc limit 1) as call
        from selection_person p join signup s on s.id = p.signup_id where p.exam_id = ${examId} order by s.code, p.rank`,
    )
    const of = (code: string) => people.filter(person => (person as { code: string }).code === code)
    const [one = [], other = []] = [of('B001'), of('B002')].sort((a, b) => b.length - a.length)
    expect(one.map(person => ({ ...person, code: '' }))).toEqual([
      { code: '', rank: 1, kind: 1, review: 1, shortlist: 1, stage: 3, call: 'confirmed' },
      { code: '', rank: 2, kind: 1, review: 4, shortlist: 3, stage: 9, call: 'confirmed' },
      { code: '', rank: 3, kind: 1, review: 1, shortlist: 1, stage: 3, call: 'waiting' },
      { code: '', rank: 4, kind: 2, review: 1, shortlist: 2, stage: 3, call: 'waiting' },
    ])
    expect(other.map(person => (person as { review: number }).review)).toEqual([2, 5, 1])
    // Whoever moved up is one of the accounts of the demo.
    expect(
      await rows(
        first,
        sql<object>`select a.account from selection_call c join account a on a.id = c.user_id where c.exam_id = ${examId} and c.kind = 2`,
      ),
    ).toEqual([{ account: 'candidate3' }])
    expect(
      await rows(
        first,
        sql<object>`select kind, count(*)::int as n from selection_step where exam_id = ${examId} group by kind order by kind`,
      ),
    ).toEqual([
      { kind: 'askedMore', n: 1 },
      { kind: 'called', n: 6 },
      { kind: 'confirmed', n: 4 },
      { kind: 'declined', n: 1 },
      { kind: 'passed', n: 1 },
      { kind: 'substituted', n: 1 },
    ])
  })

  test('posts, papers and windows fit together, and sign-up runs from three days ago for a fortnight', async () => {
    const examId = await examOf(first, 'HZ2026A')
    await inTenant(first, async db => {
      const exam = await findExam(db, examId)
      const papers = await listPapers(db, examId)
      if (!exam) throw new Error('there is no released examination')
      expect([toWireTime(exam.signBegin ?? db.now), toWireTime(exam.signEnd ?? db.now)]).toEqual([
        '2026-03-14 09:00:00',
        '2026-03-31 17:00:00',
      ])
      const ms = (at: Date | null) => at?.getTime() ?? null
      const problems = checkWindows(
        {
          signBegin: ms(exam.signBegin) ?? 0,
          signEnd: ms(exam.signEnd) ?? 0,
          modifyEnd: ms(exam.modifyEnd),
          examineBegin: ms(exam.examineBegin),
          examineEnd: ms(exam.examineEnd) ?? 0,
          payBegin: ms(exam.payBegin),
          payEnd: ms(exam.payEnd),
          adjustBegin: null,
          adjustEnd: null,
          ticketBegin: ms(exam.ticketBegin),
          ticketEnd: ms(exam.ticketEnd),
        },
        papers.map(paper => ({
          itemName: paper.itemName,
          itemType: paper.itemType,
          startTime: paper.startTime.getTime(),
          endTime: paper.endTime.getTime(),
          reportTime: ms(paper.reportTime),
        })),
        exam.feeMode,
      )
      expect(problems).toEqual([])
      expect(
        await db.one(sql`select count(*)::int as posts, count(distinct unit)::int as units from type_code where exam_id = ${examId}`),
      ).toEqual({ posts: 144, units: 21 })
      const seats = (papers.find(paper => paper.itemCode === '01')?.rooms ?? []).reduce(
        (sum, room) => sum + room.rows * room.cols - room.spare,
        0,
      )
      expect(seats).toBe(224)
      expect(papers.every(paper => paper.seedCommit !== null)).toBe(true)
    })
  })

  test('every submitted form is one that the form itself would accept, with the files it asks for', async () => {
    for (const tenantId of [first, secondTenant])
      await inTenant(tenantId, async db => {
        const keys = new Map<string, Set<string>>()
        for (const { code, key } of await db.all(
          sql<{ code: string; key: string }>`select code, dict_key as key from dict_biz where dict_key <> '-1'`,
        ))
          keys.set(code, (keys.get(code) ?? new Set<string>()).add(key))
        const signups = await db.all(sql<{ id: string; examId: string; content: Record<string, unknown>; files: SignupFile[] }>`
          select id::text as id, exam_id::text as "examId", content, files from signup where sign_version > 0`)
        for (const examId of new Set(signups.map(one => one.examId))) {
          const items = (await listSignItems(db, examId)).map(row => ({
            ...row,
            required: row.required === 1,
            min: row.minValue,
            max: row.maxValue,
          }))
          const files = (await listSignFiles(db, examId)).map(row => ({ ...row, required: row.required === 1 }))
          for (const one of signups.filter(signup => signup.examId === examId)) {
            const content = openContent(services.cipher, { tenantId, table: 'signup', rowId: one.id }, one.content)
            expect(validateContent(items, content, { today: toWireDay(db.now), dictionary: code => keys.get(code) })).toEqual([])
            expect(checkFiles(files, items, content, one.files)).toEqual([])
          }
        }
      })
  })

  test('the id card of a man is not that of a woman', async () => {
    const cards = await rows(
      first,
      sql<{ sha256: string }>`select distinct s.sex, f.sha256 from signup s cross join lateral jsonb_array_elements(s.files) e(file)
        join stored_file f on f.tenant_id = s.tenant_id and f.id = (e.file->>'fileId')::bigint where e.file->>'fileKey' = 'idFront' and s.sex in (1, 2)`,
    )
    expect([cards.length, new Set(cards.map(card => card.sha256)).size]).toEqual([2, 2])
  })

  test('places of posts are those of live sign-ups, running numbers have no gap', async () => {
    for (const tenantId of [first, secondTenant]) {
      expect(
        await rows(
          tenantId,
          sql`
          select p.code from type_code p left join (select exam_id, code, count(*) as n from signup where examine in ('waiting', 'second', 'returned', 'passed') group by 1, 2) s
            on s.exam_id = p.exam_id and s.code = p.code where p.used_sign <> coalesce(s.n, 0)`,
        ),
      ).toEqual([])
      expect(
        await rows(
          tenantId,
          sql`
          select e.exam_code from examination e join exam_counter c on c.exam_id = e.id
          where c.sign_seq <> (select count(*) from signup s where s.exam_id = e.id and s.sign_no is not null)`,
        ),
      ).toEqual([])
    }
  })

  test('last year has tickets with right check digits, released results and ranks', async () => {
    const examId = await examOf(first, 'HZ2025A')
    const numbers = await rows(first, sql<{ no: string }>`select distinct ticket_no as no from ticket where exam_id = ${examId}`)
    expect(numbers).toHaveLength(60)
    expect(numbers.filter(({ no }) => !isTicketNo(no))).toEqual([])
    expect(
      await rows(
        first,
        sql`
        select (select count(*)::int from result where exam_id = ${examId} and released) as results, (select count(*)::int from ticket where exam_id = ${examId}) as tickets,
          (select count(distinct signup_id)::int from result where exam_id = ${examId}) as people, (select count(*)::int from score_total where exam_id = ${examId} and released) as totals`,
      ),
    ).toEqual([{ results: 120, tickets: 120, people: 60, totals: 60 }])
  })

  test('the ledger explains every amount, and nobody did anything before it was possible', async () => {
    for (const tenantId of [first, secondTenant]) {
      expect(
        await rows(
          tenantId,
          sql`
          select p.id from exam_pay p left join lateral (
            select coalesce(sum(amount_fen) filter (where kind in ('pay', 'adjust')), 0) as paid, coalesce(-sum(amount_fen) filter (where kind = 'refund'), 0) as refunded
            from pay_ledger l where l.pay_id = p.id) l on true
          where p.paid_fen <> l.paid or p.refunded_fen <> l.refunded or (p.state in ('paid', 'refunding', 'refunded')) <> (p.paid_fen = p.amount_fen)`,
        ),
      ).toEqual([])
      expect(
        await rows(
          tenantId,
          sql`
          select s.id from signup s join account a on a.id = s.user_id left join exam_pay p on p.signup_id = s.id left join pay_order o on o.pay_id = p.id
          where a.created_at > s.created_at or s.first_submit_time < s.created_at or s.examine_time < s.first_submit_time or p.created_at < s.first_submit_time
            or o.created_at < p.created_at or p.paid_time < p.created_at or greatest(s.updated_at, p.updated_at, o.updated_at) > app_now()`,
        ),
      ).toEqual([])
      expect(
        await rows(
          tenantId,
          sql`select r.id from examine_record r join signup s on s.id = r.signup_id where r.level = 2 and s.reviewer1_id = r.examiner_id`,
        ),
      ).toEqual([])
    }
  })
})

describe('what nobody may read', () => {
  const persons = async (tenantId: string) => {
    const found = await rows(
      tenantId,
      sql<{ table: 'account' | 'signup'; id: string; phone: Buffer; idCard: Buffer; phoneIndex: string; idCardIndex: string }>`
      select 'account' as table, id::text as id, phone_sealed as phone, id_card_sealed as "idCard", phone_index as "phoneIndex", id_card_index as "idCardIndex" from account where user_type = 2
      union all select 'signup', id::text, phone_sealed, id_card_sealed, phone_index, id_card_index from signup where sign_version > 0`,
    )
    return found.map(row => ({
      ...row,
      phone: services.cipher.open(tenantId, { table: row.table, column: 'phone_sealed', rowId: row.id }, row.phone),
      idCard: services.cipher.open(tenantId, { table: row.table, column: 'id_card_sealed', rowId: row.id }, row.idCard),
    }))
  }

  test('every sealed value opens in its place and has the index of its value', async () => {
    for (const tenantId of [first, secondTenant]) {
      const { cipher } = services
      const people = await persons(tenantId)
      for (const person of people) {
        expect(cipher.blindIndex(tenantId, 'phone', person.phone)).toBe(person.phoneIndex)
        expect(cipher.blindIndex(tenantId, 'id-card', person.idCard)).toBe(person.idCardIndex)
      }
      const idCards = new Set(people.map(person => person.idCard))
      const contents = await rows(
        tenantId,
        sql<{ id: string; content: Record<string, unknown> }>`
        select id::text as id, content from signup union all select signup_id::text, content from signup_history`,
      )
      for (const { id, content } of contents) {
        const plain = openContent(cipher, { tenantId, table: 'signup', rowId: id }, content)
        expect(idCards.has(String(plain['idCard']))).toBe(true)
      }
      const others = await rows(
        tenantId,
        sql<{ table: string; column: string; id: string; sealed: Buffer }>`
        select 'sms_message' as table, 'phone_sealed' as column, id::text as id, phone_sealed as sealed from sms_message
        union all select 'pay_order', 'payer_sealed', id::text, payer_sealed from pay_order where payer_sealed is not null
        union all select 'exam_item', 'seed_sealed', id::text, seed_sealed from exam_item where seed_sealed is not null`,
      )
      expect(others.length).toBeGreaterThan(5)
      for (const { table, column, id, sealed } of others) expect(cipher.open(tenantId, { table, column, rowId: id }, sealed)).not.toBe('')
    }
  })

  test('no id number and no phone stands anywhere in the tables', async () => {
    const secrets = new Set(
      (await Promise.all([persons(first), persons(secondTenant)])).flat().flatMap(person => [person.phone, person.idCard]),
    )
    expect(secrets.size).toBeGreaterThan(700)
    expect([...secrets].filter(secret => !/^(\d{11}|\d{17}[\dX])$/.test(secret))).toEqual([])
    const found: string[] = []
    const tables = await everything()
    expect([...tables.keys()]).toEqual(
      expect.arrayContaining([
        'account',
        'audit_log',
        'examine_record',
        'notify',
        'outbox',
        'signup',
        'signup_history',
        'sms_message',
        'stored_file',
      ]),
    )
    for (const [table, texts] of tables) {
      // Phones have 11 characters, numbers of cards 18: each piece of that length out of whatever is written in digits.
      for (const [run] of texts.join('\n').matchAll(/[\dXx]{11,}/g))
        for (let at = 0; at + 11 <= run.length; at += 1)
          for (const length of [11, 18]) if (secrets.has(run.slice(at, at + length))) found.push(table)
    }
    expect(found).toEqual([])
  })
})

test('a second start changes nothing but the address of the second tenant', async () => {
  const [before, file] = [await everything(), await accountsFile()]
  const files = await storedFiles()
  await seedDemo({ ...services, config: { ...services.config, port: 7399 } })
  const after = await everything()
  expect(
    [...after].filter(([table, texts]) => JSON.stringify(texts) !== JSON.stringify(before.get(table))).map(([table]) => table),
  ).toEqual(['tenant'])
  expect(await accountsFile()).toBe(file)
  expect(await storedFiles()).toBe(files)
  expect(await rows(secondTenant, sql`select domain from tenant`)).toEqual([{ domain: 'http://second.localhost:7399' }])
})
