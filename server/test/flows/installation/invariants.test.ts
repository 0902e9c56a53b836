import { readdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anchorPath } from '#kernel/audit-chain/anchor.ts'
import { appendJournal, journalFolder } from '#kernel/audit-chain/journal.ts'
import { createSealer } from '#kernel/audit-chain/seal.ts'
import { sql } from '#kernel/db/sql.ts'
import { newFileKey } from '#kernel/files/store.ts'
import type { FormerKey } from '#kernel/secrets.ts'
import { seedDemo } from '../../../seed/demo/seed-demo.ts'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'
import { s3Keys, startFakeS3 } from '../../support/fake-s3.ts'
import { sealFor } from '../../support/login.ts'
import { doWork } from '../../support/own-work.ts'

const check = 'installation.check-invariants'
const calls = '/blade-system/invariant'
let s3: Awaited<ReturnType<typeof startFakeS3>>
let t: TestApp
let owner: pg.Client
let operator: Person
beforeAll(async () => {
  s3 = await startFakeS3()
  t = await startTestApp({ storageServers: s3.origin })
  await seedDemo(t.app.services)
  owner = await t.owner()
  // As somebody does it who is beside the program: no trigger follows.
  await owner.query('set session_replication_role = replica')
  await owner.query("select set_config('app.now', $1, false)", [t.clock.now().toISOString()])
  operator = await t.platform().staff('administrator')
}, 60_000)
afterAll(async () => {
  await t.close()
  await s3.close()
})

interface Found {
  readonly name: string
  readonly row: string
  readonly found: string
  readonly expected: string
}
const read = <T>(statement: ReturnType<typeof sql<T>>): Promise<T[]> =>
  t.app.services.scopes.asPlatform('a test reads what was found', t.clock.now(), db => db.all(statement))
const findings = (name?: string): Promise<Found[]> =>
  read(sql<Found>`
    select name, row_id as row, found, expected from invariant_finding where ${name ?? null}::text is null or name = ${name ?? null} order by name, row_id`)
/** What the program does within a second; tests say when. */
const seal = async (): Promise<void> => {
  const { secrets, pools, clock, log } = t.app.services
  const sealer = createSealer({ pool: pools.kaopu_platform, key: secrets.auditKey, clock, log, heads: null, isTicking: false })
  await sealer.sealNow()
  await sealer.stop()
}
/** A run that makes these checks alone. */
const doChecks = async (...names: readonly string[]): Promise<void> => {
  t.app.modules.installation.bind(t.app.modules.invariants.filter(({ name }) => names.includes(name)))
  try {
    await doWork(t, check)
  } finally {
    t.app.modules.installation.bind(t.app.modules.invariants)
  }
}
const rowsOf = async (statement: string, values: unknown[] = []): Promise<Record<string, string>[]> =>
  (await owner.query<Record<string, string>>(statement, values)).rows

test('everything is true of the demo data, and all of it was looked at', async () => {
  await seal()
  const { result } = await doWork(t, check)
  expect(await read(sql`select name, problem_en as problem from invariant_state where problem_en <> ''`)).toEqual([])
  expect(await findings()).toEqual([])
  expect(result).toEqual({ zh: '核对 2 个机构，全部一致', en: '2 tenants checked, all agree' })
  const names = t.app.modules.invariants.map(({ name }) => name).sort()
  expect(
    (await read(sql<{ name: string }>`select distinct name from invariant_state order by name`)).map(({ name }) => name).sort(),
  ).toEqual(names)
  const { body } = await operator.get(`${calls}/list`)
  expect(body.data.lines.map(({ name }: { name: string }) => name).sort()).toEqual(names)
  expect(body.data).toMatchObject({ isAll: true, run: { state: 2, found: 0, startedBy: '' } })
  expect(body.data.run.done).toBe(body.data.run.total)
})

/** One damage each: what somebody beside the program does, the row that has to be named, and what is said of it. */
interface Damage {
  readonly name: string
  /** Returns the key of the row as `id`, and what is found and expected as `found` and `expected`. */
  readonly damage: string
}
const damages: readonly Damage[] = [
  {
    name: 'signup.places',
    damage: `update type_code set used_sign = used_sign + 7 where id = (select id from type_code where max_sign = 0 and used_sign > 0 order by id limit 1)
      returning id, used_sign::text as found, (used_sign - 7)::text as expected`,
  },
  {
    name: 'signup.over-places',
    damage: `with p as (select p.id, p.exam_id, p.code, (select count(*) from signup s where s.exam_id = p.exam_id and s.code = p.code and s.examine in ('waiting', 'second', 'passed', 'returned') and not s.is_deleted) as n
        from type_code p where not is_deleted order by 4 desc limit 1)
      update type_code t set max_sign = 1, used_sign = 1 from p where t.id = p.id and p.n > 1 returning t.id, p.n::text as found, '≤ 1' as expected`,
  },
  {
    name: 'signup.tallies',
    damage: `with one as (select tenant_id, exam_id, examine, unit, code, type, pay_state, id from signup_tally order by exam_id, n desc limit 1)
      update signup_tally k set n = k.n + 3 from one o where (k.tenant_id, k.exam_id, k.examine, k.unit, k.code, k.type, k.pay_state, k.id) =
        (o.tenant_id, o.exam_id, o.examine, o.unit, o.code, o.type, o.pay_state, o.id) returning k.exam_id as id, null as found, '0' as expected`,
  },
  {
    name: 'signup.name-parts',
    damage: `with one as (select signup_id from signup_name_part order by signup_id limit 1), gone as (delete from signup_name_part where signup_id = (select signup_id from one))
      select signup_id as id, '0' as found, '1–' || 2 * length(s.name) as expected from one join signup s on s.id = signup_id`,
  },
  {
    name: 'signup.numbers',
    damage: `update exam_counter set sign_seq = 0 where exam_id = (select exam_id from exam_counter order by sign_seq desc limit 1)
      returning exam_id as id, '0' as found, '≥ ' || (select max(right(sign_no, 8)::int) from signup s where s.exam_id = exam_counter.exam_id) as expected`,
  },
  {
    name: 'signup.states',
    damage: `update signup set examine_time = null where id = (select id from signup where examine = 'returned' order by id limit 1) returning id, 'returned' as found, 'examine_time' as expected`,
  },
  {
    name: 'signup.allotments',
    damage: `update examine_allot a set state = 1 where id = (select a.id from examine_allot a join signup s on s.id = a.signup_id where s.examine = 'passed' and a.level = 1 and a.state = 2 order by a.id limit 1)
      returning signup_id as id, 'level 1' as found, 'passed' as expected`,
  },
  {
    name: 'pay.ledger',
    damage: `update exam_pay set paid_fen = paid_fen + 100 where id = (select id from exam_pay where state = 'paid' and refunded_fen = 0 order by id limit 1)
      returning id, to_char(paid_fen / 100.0, 'FM9999990.00') || ' / 0.00' as found, to_char((paid_fen - 100) / 100.0, 'FM9999990.00') || ' / 0.00' as expected`,
  },
  {
    name: 'pay.lines',
    damage: `with gone as (delete from pay_ledger where id = (select l.id from pay_ledger l join pay_order o on o.id = l.order_id where l.kind = 'pay' and o.state = 'paid' and o.exception is null order by l.id desc limit 1) returning order_id)
      select o.id, to_char(o.paid_fen / 100.0, 'FM9999990.00') as found, '0.00' as expected from gone g join pay_order o on o.id = g.order_id`,
  },
  {
    name: 'pay.due-states',
    damage: `update exam_pay set state = 'due' where id = (select id from exam_pay where state = 'paid' and refunded_fen = 0 order by id desc limit 1)
      returning id, 'due' as found, to_char(paid_fen / 100.0, 'FM9999990.00') || ' / 0.00' as expected`,
  },
  {
    name: 'pay.mirror',
    damage: `update signup set pay_state = 'refunded' where id = (select s.id from signup s join exam_pay p on p.signup_id = s.id where p.state = 'overdue' order by s.id limit 1) returning id, 'refunded' as found, 'overdue' as expected`,
  },
  {
    name: 'pay.refunds',
    damage: `with gone as (delete from pay_ledger where id = (select id from pay_ledger where refund_id is not null order by id limit 1) returning refund_id)
      select r.id, r.state as found, to_char(r.amount_fen / 100.0, 'FM9999990.00') as expected from gone g join pay_refund r on r.id = g.refund_id`,
  },
  {
    name: 'pay.batches',
    damage: `insert into pay_record_main (tenant_id, id, exam_id, import_id, batch_name, kind, total, amount_fen, state) select '000000', 900001, id, 1, 'b', 1, 2, 500, 1 from examination where tenant_id = '000000' order by id limit 1
      returning id, '2 / 5.00' as found, '0 / 0.00' as expected`,
  },
  {
    name: 'pay.reconciliations',
    damage: `insert into pay_bill (tenant_id, id, bill_date, channel, mchid, open_count) values ('000000', 900002, '2026-01-02', 'wechat', '1900000000', 4) returning id, '4' as found, '0' as expected`,
  },
  {
    name: 'ticket.one-seat',
    damage: `with pair as (select a.id as a, b.id as b from ticket a join ticket b on b.item_id <> a.item_id and b.signup_id <> a.signup_id and b.exam_id = a.exam_id order by a.id, b.id limit 1)
      update ticket t set site_code = b.site_code, room_no = b.room_no, seat_no = b.seat_no, start_time = b.start_time, end_time = b.end_time from pair p join ticket b on b.id = p.b where t.id = p.a
      returning t.id, null as found, null as expected`,
  },
  {
    name: 'ticket.capacity',
    damage: `update exam_item set rooms = (select jsonb_agg(r || '{"rows": 1, "cols": 1}') from jsonb_array_elements(rooms) r) where id = (select item_id from ticket order by item_id limit 1)
      returning id, null as found, '≤ 1' as expected`,
  },
  {
    name: 'ticket.right',
    damage: `with t as (select id, signup_id from ticket order by id desc limit 1), s as (update signup set examine = 'refused' where id = (select signup_id from t)),
        later as (update ticket set end_time = end_time + interval '9 years', start_time = start_time + interval '9 years' where id = (select id from t))
      select t.id, k.ticket_state as found, 'refused ' || s.pay_state as expected from t join ticket k on k.id = t.id join signup s on s.id = t.signup_id`,
  },
  {
    name: 'ticket.downloads',
    damage: `update ticket set down_count = down_count + 5 where id = (select id from ticket where down_count = 1 order by id desc limit 1) returning id, '6' as found, '≤ 1' as expected`,
  },
  {
    name: 'result.ranks',
    damage: `with one as (select b.signup_id from score_total b join score_total a on a.exam_id = b.exam_id and a.code = b.code and a.rank_in_post = 1 where b.rank_in_post = 2 order by b.signup_id limit 1)
      update score_total t set written_total = 999 from one where t.signup_id = one.signup_id returning t.signup_id as id, '2: 999.0000' as found, null as expected`,
  },
  {
    name: 'result.proofs',
    damage: `insert into score_root (tenant_id, exam_id, root_no, root, leaves, cause) select tenant_id, exam_id, 99, repeat('a', 64), 100000, 'release' from score_total order by exam_id limit 1
      returning exam_id as id, null as found, '≥ 100000' as expected`,
  },
  {
    name: 'result.released',
    damage: `update exam_item set score_state = 'imported' where id = (select item_id from result where released order by id limit 1)
      returning (select id from result r where r.item_id = exam_item.id and r.released order by id limit 1) as id, 'imported' as found, 'released' as expected`,
  },
  {
    name: 'message.balance',
    damage: `update send_account set balance = balance - 10 where tenant_id = '000001' returning tenant_id as id, balance || ' / ' || frozen as found, (balance + 10) || ' / ' || frozen as expected`,
  },
  {
    name: 'message.validity',
    damage: `with p as (update send_pay set left_parts = count, expire_time = '2099-01-01' where id = (select id from send_pay where tenant_id = '000000' and count > 10 order by id limit 1) returning tenant_id, count)
      update send_account a set balance = 10 from p where a.tenant_id = p.tenant_id returning a.tenant_id as id, p.count::text as found, '≤ 10' as expected`,
  },
  {
    name: 'message.day',
    damage: `with m as (update sms_message set is_counted = true, segments = 4, created_at = $1, claimed_at = $1 where id = (select id from sms_message where tenant_id = '000000' order by id limit 1)),
        d as (insert into sms_day (tenant_id, day, used) values ('000000', ($1::timestamptz at time zone 'Asia/Shanghai')::date, 1) on conflict (tenant_id, day) do update set used = 1 returning day)
      select day::text as id, '1' as found, '≥ 4' as expected from d`,
  },
  {
    name: 'organisation.reach',
    damage: `delete from account_dept where (tenant_id, dept_id, user_id) = (select tenant_id, dept_id, user_id from account_dept order by user_id, dept_id limit 1) returning user_id as id, null as found, null as expected`,
  },
  {
    name: 'organisation.ancestors',
    damage: `update dept set ancestor_ids = array[(select id from dept o where cardinality(o.ancestor_ids) = 1 and o.id <> dept.parent_id and o.tenant_id = dept.tenant_id order by id limit 1), parent_id] where id = (select id from dept where cardinality(ancestor_ids) = 2 order by id limit 1) returning id, null as found, null as expected`,
  },
  {
    name: 'organisation.counts',
    damage: `insert into row_count (tenant_id, counted, n) values ('000000', 'param', 5) returning counted as id, null as found, (select count(*)::text from param where tenant_id = '000000' and not is_deleted) as expected`,
  },
  {
    name: 'organisation.search',
    damage: `with one as (select row_id from search_part where field = 'an' order by row_id limit 1), gone as (delete from search_part where field = 'an' and row_id = (select row_id from one))
      select 'an ' || row_id as id, '0' as found, '≥ 1' as expected from one`,
  },
  {
    name: 'organisation.quota',
    damage: `update tenant set account_number = 1 where tenant_id = '000001' returning id, (select count(*)::text from account a where a.tenant_id = '000001' and user_type = 1 and status in (1, 2, 4) and not is_deleted) as found, '≤ 1' as expected`,
  },
  {
    name: 'organisation.apart',
    damage: `insert into account_role (tenant_id, user_id, role_id) select a.tenant_id, a.id, r.id from account a join role r on r.tenant_id = a.tenant_id and r.role_alias = 'auditor' where a.account = 'secadmin' and a.tenant_id = '000000'
      returning user_id as id, 'auditor + secadmin' as found, '1' as expected`,
  },
  {
    name: 'school.former',
    damage: `insert into school_former (tenant_id, name, school_id) select tenant_id, '从未用过的名称', id from school where tenant_id = '000000' and not exists (select 1 from school_former f where f.school_id = school.id) order by id limit 1 returning school_id as id, '1' as found, '0' as expected`,
  },
  {
    name: 'tenancy.package',
    damage: `with m as (update menu set is_platform = true where id = (select m.id from menu m join role_menu k on k.menu_id = m.id join role r on r.id = k.role_id where m.tenant_id = '000001' and r.role_alias = 'admin' order by m.id limit 1) returning id, code)
      select r.id, m.code as found, '-' as expected from m join role_menu k on k.menu_id = m.id join role r on r.id = k.role_id where r.role_alias = 'admin'`,
  },
  {
    name: 'job.next-time',
    damage: `insert into job_info (tenant_id, id, job_server_id, job_name, enable, is_own, time_expression_type, time_expression, processor_info) select '000000', 900003, id, 'lost', 1, true, 2, '0 0 * * * ?', 'x.y' from job_server where job_server_url = '' and tenant_id = '000000'
      returning id, '-' as found, null as expected`,
  },
  {
    name: 'flow.open-tasks',
    damage: `with i as (insert into flow_instance (tenant_id, id, definition_id, flow_key, flow_version, flow_name, category, title, start_user, state, vars, place, can_return, root_id, ended_at)
        values ('000000', 900010, 1, 'leave', 1, '请假', '1', 't', 1, 'finished', '{}', '{}', true, 900010, $1) returning id)
      insert into flow_task (tenant_id, id, instance_id, node, name, token) select '000000', 900011, id, 'n', 'n', 1 from i returning instance_id as id, 'finished' as found, '1 open' as expected`,
  },
  {
    name: 'flow.leave',
    damage: `insert into leave_request (tenant_id, id, user_id, task_user, start_at, end_at, reason, definition_id, instance_id)
      values ('000000', 900012, 1, 1, $1, $1::timestamptz + interval '1 day', 'r', 1, 900010) returning id, 'waiting' as found, 'finished' as expected`,
  },
  {
    name: 'installation.states',
    damage: `with t as (update ticket set released_at = null where id = (select id from ticket where ticket_state = 'downloaded' order by id limit 1) returning id)
      select 'ticket ' || id as id, 'ticket_state downloaded' as found, 'released_at' as expected from t`,
  },
  {
    name: 'audit.chain',
    damage: `delete from audit_log where id = (select audit_id from audit_seal where tenant_id = '000001' order by seq limit 1)
      returning (select seq from audit_seal s where s.audit_id = audit_log.id) as id, '-' as found, 'line ' || id as expected`,
  },
]

describe('what somebody damages beside the program', () => {
  const broken = new Map<string, Record<string, string>>()
  let admin: Person
  beforeAll(async () => {
    admin = await (await t.tenant()).staff('admin')
    for (const { name, damage } of damages) {
      const [row] = await rowsOf(damage, damage.includes('$1') ? [t.clock.now()] : [])
      if (row) broken.set(name, row)
    }
    // Its rows are those of the other damages, and of none in another tenant.
    await doWork(t, check)
  }, 60_000)

  test('people are told once, those of the platform also of other tenants; the next hour says nothing more', async () => {
    const told = () =>
      read(
        sql<{
          title: string
          content: string
        }>`select title_zh as title, content_zh as content from notify where user_id = ${operator.userId} order by id`,
      )
    const first = await told()
    expect(first.map(({ title }) => title)).toEqual(['告警：数据核对发现问题', '告警：数据核对发现问题'])
    expect(first.map(({ content }) => content.slice(0, 16))).toEqual(['以下核对不再成立：短信余额与流水', '以下核对不再成立（1 个机构）：'])
    expect(await read(sql`select 1 from notify where user_id = ${admin.userId}`)).toEqual([])
    await doWork(t, check)
    expect(await told()).toEqual(first)
  })

  test('a tenant’s administrator sees the own rows and the own checks only, and heals no other tenant’s', async () => {
    const { body } = await admin.get(`${calls}/list`)
    expect(body.data.isAll).toBe(false)
    expect(body.data.lines.every(({ found }: { found: number }) => found === 0)).toBe(true)
    expect(body.data.lines.map(({ name }: { name: string }) => name)).not.toContain('file.missing')
    expect((await admin.get(`${calls}/findings`, { query: { name: 'signup.places' } })).body.data.records).toEqual([])
    expect((await admin.get(`${calls}/findings`, { query: { name: 'file.missing' } })).status).toBe(404)
    expect((await admin.post(`${calls}/heal`, { json: { name: 'signup.places' } })).body.data).toEqual({ healed: 0, left: 0 })
    expect((await findings('signup.places')).length).toBeGreaterThan(0)
    expect((await (await t.platform().staff('auditor')).get(`${calls}/list`)).status).toBe(403)
  })

  test.each(damages.map(one => [one.name] as const))('%s: its row is named, and set right where there is a healer', async name => {
    const { id = '', found = null, expected = null } = broken.get(name) ?? {}
    expect(id).not.toBe('')
    const row = (await findings(name)).find(one => one.row === id)
    expect(row).toMatchObject({ name, row: id, ...(found === null ? {} : { found }), ...(expected === null ? {} : { expected }) })

    const { body } = await operator.get(`${calls}/findings`, { query: { name, size: 200 } })
    const shown: { id: string; rowId: string; link: string; tenantId: string }[] = body.data.records
    expect(shown.map(one => one.rowId)).toContain(id)
    expect(shown.every(({ link, tenantId }) => (tenantId === '000000') === (link !== '') && !/[{}]/.test(link))).toBe(true)

    const healed = await operator.post(`${calls}/heal`, { json: { name } })
    if (t.app.modules.invariants.find(one => one.name === name)?.healer === undefined) {
      expect(healed.body.reason).toBe('invariant/no-healer')
      return
    }
    expect(healed.body.data).toEqual({ healed: shown.length, left: 0 })
    expect(await findings(name)).toEqual([])
    const trail = await read(sql<{ after: { check: string; row: string } }>`
      select after_value as after from audit_log where action = 'invariant.healed' and after_value ->> 'check' = ${name}`)
    expect(trail.map(({ after }) => after.row)).toContain(id)
    // Twice changes nothing: there is nothing left to set right.
    expect((await operator.post(`${calls}/heal`, { json: { name } })).body.data).toEqual({ healed: 0, left: 0 })
  })

  test('what was set right stays so', async () => {
    await doWork(t, check)
    const healers = t.app.modules.invariants.filter(({ healer }) => healer !== undefined).map(({ name }) => name)
    expect((await findings()).filter(({ name }) => healers.includes(name))).toEqual([])
  })

  test('every check that reads the database is damaged here', () => {
    // `organisation.work` in flows/organisation/work-given-up.test.ts.
    const elsewhere = ['audit.heads', 'file.missing', 'file.orphans', 'organisation.work']
    expect(t.app.modules.invariants.map(({ name }) => name).sort()).toEqual([...damages.map(({ name }) => name), ...elsewhere].sort())
  })

  test('a row whose file is gone is named, and so is a file that no row names; a young one may still get its row', async () => {
    const folder = join(t.app.services.config.dataDir, 'files')
    const [file] = await rowsOf(
      `select min(id)::text as id, storage_key as key from stored_file group by storage_key having count(*) = 1 order by 1 limit 1`,
    )
    const pathOf = (key: string): string =>
      join(folder, Buffer.from(key).subarray(0, 1).toString('hex'), `${Buffer.from(key, 'base64url').toString('hex')}.kpf`)
    const [stray, young] = [newFileKey(), newFileKey()]
    const sample = pathOf(file?.key ?? '')
    const old = new Date(t.clock.now().getTime() - 9 * 24 * 3_600_000)
    const place = join(folder, (await readdir(folder)).find(name => /^[0-9a-f]{2}$/.test(name)) ?? '')
    const hex = (key: string): string => join(place, `${Buffer.from(key, 'base64url').toString('hex')}.kpf`)
    await writeFile(hex(stray), 'x')
    await utimes(hex(stray), old, old)
    await writeFile(hex(young), 'x')
    await utimes(hex(young), t.clock.now(), t.clock.now())
    await rename(sample, `${sample}.gone`)
    await doChecks('file.missing', 'file.orphans')
    expect(await findings('file.missing')).toEqual([{ name: 'file.missing', row: file?.id, found: '0', expected: '1' }])
    expect(await findings('file.orphans')).toEqual([{ name: 'file.orphans', row: stray, found: '1', expected: '0' }])
    await rename(`${sample}.gone`, sample)
    await rm(hex(stray))
    await doChecks('file.missing', 'file.orphans')
    expect(await findings('file.missing')).toEqual([])
    expect(await findings('file.orphans')).toEqual([])
  })

  test('the same in a bucket, whose list goes on from page to page', async () => {
    const objects = new Map<string, Buffer>()
    s3.buckets.set('papers', objects)
    const tenant = await t.tenant()
    const person = await tenant.staff('admin')
    const storage = {
      category: '1',
      ossCode: 'minio',
      endpoint: s3.origin,
      bucketName: 'papers',
      accessKey: s3Keys.accessKey,
      secretKey: sealFor(t, s3Keys.secretKey),
      region: s3Keys.region,
    }
    const { id } = (await person.post('/blade-resource/oss/submit', { json: storage })).body.data
    expect((await person.post('/blade-resource/oss/enable', { json: { id } })).status).toBe(200)
    const bytes = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n', 'latin1')
    const uploaded = await person.post('/file/upload', {
      multipart: { fields: { purpose: 'document' }, files: [{ part: 'file', name: 'a.pdf', bytes }] },
    })
    const [name = '', stored = Buffer.alloc(0)] = [...objects].find(([key]) => key.endsWith('.kpf')) ?? []
    expect([uploaded.status, name]).toEqual([200, expect.stringMatching(/^kaopu\//)])
    // More than a list tells at once, all of them beside the program.
    const strays = Array.from({ length: 1_200 }, (_, at) => at.toString(16).padStart(64, '0'))
    for (const hex of strays) objects.set(`kaopu/${hex.slice(0, 2)}/${hex}.kpf`, stored)
    await doChecks('file.missing', 'file.orphans')
    expect(await findings('file.missing')).toEqual([])
    const { body } = await operator.get(`${calls}/list`)
    expect(body.data.lines.find((line: { name: string }) => line.name === 'file.orphans')).toMatchObject({ found: 200, isMore: true })

    objects.clear()
    await doChecks('file.missing', 'file.orphans')
    expect(await findings('file.orphans')).toEqual([])
    expect(await findings('file.missing')).toEqual([{ name: 'file.missing', row: uploaded.body.data.fileId, found: '0', expected: '1' }])
    objects.set(name, stored)
    s3.mode = 'broken'
    await doChecks('file.missing')
    expect(
      await read(sql`select problem_en <> '' as failed from invariant_state where tenant_id = '000000' and name = 'file.missing'`),
    ).toEqual([{ failed: true }])
    // What it had found stays while it cannot look.
    expect(await findings('file.missing')).toHaveLength(1)
    s3.mode = 'well'
    await doChecks('file.missing')
    expect(await findings('file.missing')).toEqual([])
  })

  test('heads: one that no chain holds, a journal of another key, lines that nobody seals; a former key is good while it is being replaced', async () => {
    const { config, secrets } = t.app.services
    const folder = journalFolder(config.dataDir)
    await seal()
    await doChecks('audit.heads')
    expect(await findings('audit.heads')).toEqual([])

    await writeFile(anchorPath(config.dataDir), JSON.stringify([{ tenant: '000000', seq: '999999', chain: 'a'.repeat(64) }]))
    await doChecks('audit.heads')
    expect(await findings('audit.heads')).toEqual([
      { name: 'audit.heads', row: 'seal 999999', found: '-', expected: anchorPath(config.dataDir) },
    ])
    await rm(anchorPath(config.dataDir))

    const before = Buffer.alloc(32, 7)
    await appendJournal(folder, before, t.clock.now(), [])
    await doChecks('audit.heads')
    expect(await findings('audit.heads')).toEqual([{ name: 'audit.heads', row: folder, found: '1', expected: '0' }])
    const former = secrets.former.auditKey as FormerKey[]
    former.push({ key: before, until: t.clock.now() })
    try {
      await doChecks('audit.heads')
      expect(await findings('audit.heads')).toEqual([])
    } finally {
      former.pop()
      await rm(folder, { recursive: true })
    }

    await operator.post('/blade-system/param/submit', { json: { paramName: '参数', paramKey: 'heads.one', paramValue: '1' } })
    await operator.post(`${calls}/run`, { json: {} })
    await operator.post(`${calls}/stop`, { json: {} })
    t.clock.advance(11 * 60_000)
    await doChecks('audit.heads')
    expect(await findings('audit.heads')).toMatchObject([{ row: 'unsealed', expected: '0' }])
    await seal()
    await doChecks('audit.heads')
    expect(await findings('audit.heads')).toEqual([])
  })
})

describe('a run that somebody orders', () => {
  test('goes through the queue with its progress, is refused beside another, stops when it is told to, and leaves a trail', async () => {
    const tenant = await t.tenant()
    const admin = await tenant.staff('admin')
    const run = async () => (await admin.get(`${calls}/list`)).body.data.run
    expect((await admin.post(`${calls}/stop`, { json: {} })).body.reason).toBe('invariant/not-running')
    expect((await admin.post(`${calls}/run`, { json: {} })).status).toBe(200)
    expect((await admin.post(`${calls}/run`, { json: {} })).body.reason).toBe('invariant/running')
    expect(await run()).toMatchObject({ state: 1, done: 0 })
    await t.runTasks()
    const ended = await run()
    expect(ended).toMatchObject({ state: 2, found: 0, endTime: expect.any(String) })
    expect([ended.done, ended.total > 20]).toEqual([ended.total, true])
    // One that waits is over at once.
    await admin.post(`${calls}/run`, { json: {} })
    expect((await admin.post(`${calls}/stop`, { json: {} })).status).toBe(200)
    expect(await run()).toMatchObject({ state: 3 })
    await t.runTasks()
    expect(await run()).toMatchObject({ state: 3, done: 0 })
    expect(
      (await tenant.rows(sql<{ action: string }>`select action from audit_log where entity = 'invariant' order by id`)).map(
        ({ action }) => action,
      ),
    ).toEqual(['invariant.ordered', 'invariant.ordered', 'invariant.stopped'])
  })

  test('one that goes on ends between two checks; the run of a process that is no more is given up', async () => {
    const tenant = await t.tenant()
    const admin = await tenant.staff('admin')
    await admin.post(`${calls}/run`, { json: {} })
    await tenant.rows(sql`update invariant_run set stop_wanted = true where state = 1`)
    await t.runTasks()
    expect((await admin.get(`${calls}/list`)).body.data.run).toMatchObject({ state: 3, done: 1 })
    await tenant.rows(sql`insert into invariant_run (tenant_id, runner) values (${tenant.tenantId}, 123456789)`)
    expect((await admin.post(`${calls}/run`, { json: {} })).status).toBe(200)
    expect(await tenant.rows(sql`select problem from invariant_run where runner = 123456789 and state = 4`)).toEqual([
      { problem: 'the process that ran it has ended' },
    ])
  })

  test('a check that takes too long, or fails, is told as not made; the others go on and what it had found stays', async () => {
    const slow = {
      ...t.app.modules.invariants[0],
      name: 'test.slow',
      broken: () => sql`select pg_sleep(3600)::text as id, '' as name, '' as found, '' as expected`,
    }
    const writes = {
      ...slow,
      name: 'test.writes',
      broken: () => sql`select set_config('app.user_id', '1', true) as id, nextval('no_such') as name, '' as found, '' as expected`,
    }
    const tenant = await t.tenant()
    const admin = await tenant.staff('admin')
    t.app.modules.installation.bind([slow, writes, ...t.app.modules.invariants] as typeof t.app.modules.invariants)
    t.app.modules.installation.limit(200)
    try {
      await admin.post(`${calls}/run`, { json: {} })
      await t.runTasks()
      const { lines, run } = (await admin.get(`${calls}/list`, { language: 'en' })).body.data
      const problemOf = (name: string) => lines.find((line: { name: string }) => line.name === name)?.problem
      expect(problemOf('test.slow')).toBe('it took too long: the database is busy, or there is too much of it')
      expect(problemOf('test.writes')).toContain('it could not be checked')
      expect(problemOf('signup.tallies')).toBe('')
      expect(run).toMatchObject({ state: 2 })
    } finally {
      t.app.modules.installation.bind(t.app.modules.invariants)
      t.app.modules.installation.limit(undefined)
    }
  })
})
