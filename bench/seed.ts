import { readFileSync } from 'node:fs'
import { toWireTime } from '#contract/kernel/when.ts'
import { idCardCheckDigit } from '#contract/person/id-card.ts'
import { hashToken, newToken } from '#kernel/crypto/token.ts'
import { systemOf } from '#kernel/db/scope.ts'
import { platformTenant } from '../server/seed/base/seed-base.ts'
import { buildExam, type PostSpec } from '../server/test/support/factories.ts'
import type { Cluster, Database } from './cluster.ts'
import { accountSql, afterSql, peopleSql, signupSql } from './seed-sql.ts'

export interface Holder {
  readonly userId: string
  readonly token: string
}
/** Somebody who has signed up, with answers sealed as the product seals them. */
export interface SignedUp extends Holder {
  readonly signupId: string
}
/** Somebody who is about to: the form and the uploaded files are ready. */
export interface Newcomer extends Holder {
  readonly idCard: string
  readonly phone: string
  /** Post to sign up for: everybody another one, as far as there are posts. */
  readonly code: string
  readonly fileIds: Readonly<Record<string, readonly string[]>>
}

/** What the seed left behind for the works. */
export interface World {
  readonly tenantId: string
  readonly rows: number
  readonly examId: string
  /** Paper that nobody has a result of; results are imported into it. */
  readonly openPaper: string
  readonly staff: Holder
  /** Narrowed to departments, and in none of them: the examination is nobody's in particular. */
  readonly officer: Holder
  readonly sample: readonly SignedUp[]
  /** Of the sample, those who passed: their scores are released. */
  readonly passed: readonly SignedUp[]
  readonly newcomers: readonly Newcomer[]
  readonly logins: readonly { readonly account: string; readonly password: string; readonly userId: string }[]
  /** A unit with few sign-ups. */
  readonly smallUnit: string
  /** Part of a name that about one in 500 carries. */
  readonly namePart: string
}

const smallUnitRows = 40
const largeTables = ['account', 'signup', 'signup_history', 'examine_record', 'audit_log', 'notify', 'ticket', 'result', 'score_total']
const fileKeys = ['photo', 'idFront', 'idBack', 'diploma'] as const
const hours = 3_600_000

const posts: readonly PostSpec[] = [
  ...Array.from({ length: 12 }, (_, u) =>
    Array.from({ length: 10 }, (_, c) => ({
      code: `${String.fromCharCode(65 + u)}${String(c + 1).padStart(3, '0')}`,
      codeName: c % 2 === 0 ? '护士' : '全科医师',
      unit: `H${String(u + 1).padStart(2, '0')}`,
      unitName: `区第${u + 1}人民医院`,
      type: 'ABCD'[c % 4] ?? 'A',
      typeName: ['医疗', '护理', '药学', '公共卫生'][c % 4] ?? '医疗',
      planNum: 4,
    })),
  ).flat(),
  { code: 'Z001', codeName: '护士', unit: 'H99', unitName: '乡镇卫生院', type: 'B', typeName: '护理', planNum: 1 },
]

const column = (file: string): string[] =>
  readFileSync(new URL(`../server/seed/data/${file}`, import.meta.url), 'utf8')
    .split(/\r?\n/)
    .slice(1)
    .flatMap(line => (line === '' ? [] : [line.split(',')[0] ?? '']))

/** Answers that meet every condition of the posts above. */
export const answersOf = (idCard: string, phone: string): Record<string, unknown> => ({
  name: '王测',
  idCardType: '1',
  idCard,
  nation: '01',
  political: '13',
  phone,
  education: '20',
  degree: '3',
  educationType: '1',
  school: '新疆医科大学',
  major: '护理学',
  majorCode: '101101',
  graduateDate: '2018-06-30',
  certName: ['护士'],
  adjust: '1',
  hasRelative: '0',
})

const filesOf = (ids: Readonly<Record<string, string>>, at: Date) =>
  fileKeys.map(fileKey => ({
    fileKey,
    fileId: ids[fileKey] ?? '1',
    name: `${fileKey}.jpg`,
    size: 182_331,
    mime: 'image/jpeg',
    sha256: 'a'.repeat(64),
    uploadTime: toWireTime(at),
  }))

/** A different person of the same area and age for every number below 500 × 365 × 9. */
const idCardOf = (serial: number): string => {
  const day = new Date(Date.UTC(1990, 0, 1) + Math.floor(serial / 499) * 24 * hours).toISOString().slice(0, 10).replaceAll('-', '')
  const first = `330199${day}${String((serial % 499) * 2).padStart(3, '0')}`
  return first + idCardCheckDigit(first)
}

export interface SeedOptions {
  readonly rows: number
  readonly sample: number
  readonly newcomers: number
}

export const seedWorld = async (cluster: Cluster, database: Database, options: SeedOptions): Promise<World> => {
  const { owner, scopes } = database
  const tenantId = platformTenant
  const now = new Date()
  const at = (days: number): string => toWireTime(new Date(now.getTime() + days * 24 * hours))
  const exam = await buildExam(
    { db: work => scopes.tx(systemOf(tenantId), now, work) },
    {
      posts,
      exam: {
        year: now.getFullYear(),
        sign_begin: at(-3),
        sign_end: at(14),
        modify_end: at(14.5),
        examine_begin: at(-3),
        examine_end: at(15),
        appeal_end: at(15),
        pay_begin: at(-3),
        pay_end: at(16),
        ticket_begin: at(20),
        ticket_end: at(30),
      },
      papers: [
        // Over: results are imported of it.
        { itemCode: '01', itemName: '综合基础知识', startTime: at(-1.1), endTime: at(-1) },
        { itemCode: '02', itemName: '专业知识', startTime: at(30.2), endTime: at(30.3) },
      ],
      items: {
        ...Object.fromEntries(
          ['name', 'idCardType', 'idCard', 'sex', 'birthday', 'nation', 'political', 'phone', 'education', 'degree'].map(key => [
            key,
            1 as const,
          ]),
        ),
        ...{ educationType: 0, school: 1, schoolCode: 0, major: 1, majorCode: 0, graduateDate: 1, certName: 0, certNo: 0, adjust: 0 },
        ...{ hasRelative: 1, relativeInfo: 1, resume: 0 },
      },
    },
  )
  await owner.query(`select set_config('app.now', $1, false), set_config('app.tenant_id', $2, false)`, [now.toISOString(), tenantId])
  const holders = createHolders(database, tenantId, now)
  // Who administers the tenant is not narrowed to departments; an examination administrator alone is.
  const staff = await holders.staff('bench-admin', ['admin', 'exam_admin', 'reviewer1', 'reviewer2'])
  const officer = await holders.staff('bench-officer', ['exam_admin', 'reviewer1', 'reviewer2'])

  const families = column('family-names.csv').slice(0, 100)
  const givens = column('given-names.csv')
  await owner.query(
    `create temporary table bench_setting as select $1::text as tenant_id, $2::bigint as exam_id, $3::int as total, $4::int as small, $5::timestamptz as began,
       $6::timestamptz as until, $7::jsonb as content, $8::jsonb as files, $9::jsonb as checks, $10::bigint as reviewer_id, $11::text as sign_prefix`,
    [
      ...[tenantId, exam.examId, options.rows, smallUnitRows, new Date(now.getTime() - 3 * 24 * hours), now],
      ...[JSON.stringify(answersOf('', '')), JSON.stringify(filesOf({}, now)), JSON.stringify([]), staff.userId, `${now.getFullYear()}03`],
    ],
  )
  const table = (name: string, columns: string, values: readonly unknown[]) =>
    owner.query(`create temporary table ${name} as select ${columns} from jsonb_array_elements($1::jsonb) with ordinality e(v, i)`, [
      JSON.stringify(values),
    ])
  await table('bench_family', `i - 1 as i, v #>> '{}' as w`, families)
  await table('bench_given', `i - 1 as i, v #>> '{}' as w`, givens)
  await table(
    'bench_post',
    `case when v->>'code' = 'Z001' then -1 else i - 1 end as i, v->>'code' as code, v->>'type' as type, v->>'unit' as unit`,
    posts,
  )
  for (const name of ['family', 'given', 'post']) await owner.query(`analyze bench_${name}`)
  // The rows refer to each other by construction: looking each reference up would double the time.
  await owner.query('set session_replication_role = replica')
  await owner.query(`set synchronous_commit = off; set jit = off; set maintenance_work_mem = '512MB'; set work_mem = '128MB'`)
  await withoutIndexes(owner, largeTables, async () => {
    for (const statement of [peopleSql, 'analyze bench_person', accountSql, signupSql, ...afterSql]) await owner.query(statement)
  })
  await owner.query(`set synchronous_commit = on; reset jit; reset maintenance_work_mem; reset work_mem`)
  await owner.query('set session_replication_role = origin')
  await recountRows(owner)

  const sample = await sealSample(cluster, database, { tenantId, now, count: options.sample, holders })
  const newcomers = await makeNewcomers(cluster, database, { tenantId, now, count: options.newcomers, holders })
  const logins = await makeLogins(cluster, holders)
  const { rows: names } = await owner.query<{ part: string }>(
    `select right(name, 1) as part from bench_person where n <= 50000 group by 1 order by abs(count(*) - (select least(50000, count(*)) / 500.0 from bench_person)) limit 1`,
  )
  await owner.query('drop table bench_setting, bench_family, bench_given, bench_post, bench_person')
  await owner.query('vacuum (analyze)')
  await owner.query('checkpoint')
  return {
    tenantId,
    rows: options.rows,
    examId: exam.examId,
    openPaper: exam.papers['01'] ?? '0',
    staff,
    officer,
    sample: sample.map(({ signupId, userId, token }) => ({ signupId, userId, token })),
    passed: sample.filter(one => one.examine === 'passed'),
    newcomers,
    logins,
    smallUnit: 'H99',
    namePart: names[0]?.part ?? '伟',
  }
}

/**
 * Runs `load` on tables that keep only the indexes their constraints stand on. Making the others once, behind it, is many times quicker
 * than keeping them while rows come in an order that is not theirs.
 */
const withoutIndexes = async (owner: Database['owner'], tables: readonly string[], load: () => Promise<void>): Promise<void> => {
  const { rows } = await owner.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     where i.indrelid = any($1::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid) order by i.indexrelid`,
    [tables],
  )
  for (const { name } of rows) await owner.query(`drop index ${name}`)
  await load()
  for (const { definition } of rows) await owner.query(definition)
}

/** Rows that were written without triggers are counted here. */
export const recountRows = async (owner: Database['owner']): Promise<void> => {
  await owner.query('delete from row_count')
  await owner.query(`insert into row_count (tenant_id, counted, n)
    select tenant_id, 'account ' || user_type, count(*) from account where not is_deleted group by 1, 2
    union all select tenant_id, 'param', count(*) from param where not is_deleted group by 1`)
  await owner.query('select count(mend_signup_tallies(tenant_id, id)) from examination')
  await owner.query('alter table signup_name_part drop constraint signup_name_part_pkey')
  await owner.query('select fill_signup_name_parts()')
  await owner.query('alter table signup_name_part add primary key (tenant_id, exam_id, part, is_over, submit_time, signup_id)')
}

/** Accounts and live sessions, written as the owner. */
export const createHolders = ({ owner }: Database, tenantId: string, now: Date) => {
  const far = new Date(now.getTime() + 24 * hours)
  const session = async (userId: string, userType: 1 | 2): Promise<Holder> => {
    const token = newToken()
    await owner.query(
      `insert into session (tenant_id, user_id, user_type, client_id, access_hash, access_until, refresh_hash, refresh_until, fingerprint, role_ids, created_at, active_at)
       values ($1, $2::bigint, $3, 'kaopu-web', $4, $5::timestamptz, $6, $5::timestamptz, $7,
         coalesce((select jsonb_agg(role_id::text) from account_role where user_id = $2::bigint), '[]'), $8, $5::timestamptz)`,
      [tenantId, userId, userType, hashToken(token), far, hashToken(newToken()), 'f'.repeat(64), now],
    )
    return { userId, token }
  }
  const account = async (name: string, userType: 1 | 2, roles: readonly string[], passwordHash: string | null): Promise<string> => {
    const { rows } = await owner.query<{ id: string }>(
      `insert into account (tenant_id, account, account_key, user_type, nick_name, real_name, password_hash, password_changed_at)
       values ($1::text, $2::text, $2::text, $3, $2::text, $2::text, $4, $5) returning id::text as id`,
      [tenantId, name, userType, passwordHash, now],
    )
    const id = rows[0]?.id ?? '0'
    await owner.query(
      `insert into account_role (tenant_id, user_id, role_id) select $1::text, $2::bigint, id from role where tenant_id = $1::text and role_alias = any($3)`,
      [tenantId, id, roles],
    )
    return id
  }
  return {
    account,
    session,
    candidates: async (userIds: readonly string[]): Promise<Holder[]> => {
      const people = userIds.map(userId => ({ userId, token: newToken() }))
      await owner.query(
        `insert into account_role (tenant_id, user_id, role_id)
         select $1::text, u, r.id from unnest($2::bigint[]) u join role r on r.tenant_id = $1::text and r.role_alias = 'candidate'`,
        [tenantId, userIds],
      )
      await owner.query(
        `insert into session (tenant_id, user_id, user_type, client_id, access_hash, access_until, refresh_hash, refresh_until, fingerprint, role_ids, created_at, active_at)
         select $1::text, u, 2, 'kaopu-web', a, $5::timestamptz, r, $5::timestamptz, $6,
           coalesce((select jsonb_agg(id::text) from role where tenant_id = $1::text and role_alias = 'candidate'), '[]'), $7, $5::timestamptz
         from unnest($2::bigint[], $3::text[], $4::text[]) p(u, a, r)`,
        [
          ...[tenantId, userIds, people.map(one => hashToken(one.token)), people.map(() => hashToken(newToken()))],
          ...[far, 'f'.repeat(64), now],
        ],
      )
      return people
    },
    staff: async (name: string, roles: readonly string[]): Promise<Holder> => session(await account(name, 1, roles, null), 1),
  }
}
export type Holders = ReturnType<typeof createHolders>

interface Part {
  readonly tenantId: string
  readonly now: Date
  readonly count: number
  readonly holders: Holders
}

/** Four stored files of each person; their bytes are never read by what is measured. */
const filesFor = async ({ owner }: Database, { tenantId }: Part, userIds: readonly string[]): Promise<Record<string, string>[]> => {
  const { rows } = await owner.query<{ id: string }>(
    `insert into stored_file (tenant_id, user_id, purpose, name, ext, mime, size_bytes, sha256, storage_key, checks)
     select $1, u, case k when 'photo' then 'photo' else 'document' end, k || '.jpg', 'jpg', 'image/jpeg', 182331, repeat('a', 64), 'bench/' || u || '/' || k,
       case k when 'photo' then '[{"rule": "ratio", "ok": true, "got": "5:7"}]'::jsonb end
     from unnest($2::bigint[]) with ordinality as p(u, i), unnest($3::text[]) with ordinality as f(k, j) order by i, j returning id::text as id`,
    [tenantId, userIds, fileKeys],
  )
  return userIds.map((_, i) => Object.fromEntries(fileKeys.map((key, j) => [key, rows[i * fileKeys.length + j]?.id ?? '0'])))
}

const sealSample = async (cluster: Cluster, database: Database, part: Part): Promise<(SignedUp & { readonly examine: string })[]> => {
  const { owner } = database
  const { tenantId, now, count, holders } = part
  const { rows } = await owner.query<{ id: string; userId: string; examine: string; n: number }>(
    `select id::text as id, user_id::text as "userId", examine, n from bench_person where examine in ('waiting', 'passed') order by md5(n::text) limit $1`,
    [count],
  )
  const files = await filesFor(
    database,
    part,
    rows.map(row => row.userId),
  )
  const seal = (column: string, rowId: string, text: string) => cluster.cipher.seal(tenantId, { table: 'signup', column, rowId }, text)
  const sealed = rows.map((row, i) => {
    const answers = answersOf(idCardOf(500_000 + i), `161${String(row.n).padStart(8, '0')}`)
    for (const key of ['idCard', 'phone'])
      answers[key] = { e: seal(`content.${key}`, row.id, JSON.stringify(answers[key])).toString('base64') }
    return { id: row.id, content: { ...answers, sex: '2', birthday: '1990-01-01' }, files: filesOf(files[i] ?? {}, now) }
  })
  await owner.query(
    `update signup set content = g.content, files = g.files from jsonb_to_recordset($2::jsonb) as g(id bigint, content jsonb, files jsonb) where tenant_id = $1 and signup.id = g.id`,
    [tenantId, JSON.stringify(sealed)],
  )
  const people = await holders.candidates(rows.map(row => row.userId))
  return people.map((holder, i) => ({ ...holder, signupId: rows[i]?.id ?? '0', examine: rows[i]?.examine ?? '' }))
}

const newcomerPhone = (i: number): string => `160${String(i).padStart(8, '0')}`

const makeNewcomers = async (cluster: Cluster, database: Database, part: Part): Promise<Newcomer[]> => {
  const { tenantId, count, holders, now } = part
  const { owner } = database
  const { rows } = await owner.query<{ id: string }>(
    `insert into account (tenant_id, account, account_key, user_type, nick_name, real_name, user_code, created_at)
     select $1, 'n' || g, 'n' || g, 2, '王测', '王测', 'N' || lpad(g::text, 10, '0'), $3 from generate_series(1, $2::int) g returning id::text as id`,
    [tenantId, count, now],
  )
  // Whoever signs up is who the account belongs to: its numbers are those of the form.
  const { cipher } = cluster
  const numbers = rows.map(({ id }, i) => {
    const [idCard, phone] = [idCardOf(i), newcomerPhone(i)]
    const sealed = (column: string, text: string) => cipher.seal(tenantId, { table: 'account', column, rowId: id }, text).toString('hex')
    return {
      ...{ id, card: sealed('id_card_sealed', idCard), cardIndex: cipher.blindIndex(tenantId, 'id-card', idCard) },
      ...{ phone: sealed('phone_sealed', phone), phoneIndex: cipher.blindIndex(tenantId, 'phone', phone) },
    }
  })
  await owner.query(
    `update account set id_card_sealed = decode(g.card, 'hex'), id_card_index = g."cardIndex", id_card_type = '1', phone_sealed = decode(g.phone, 'hex'),
       phone_index = g."phoneIndex" from jsonb_to_recordset($2::jsonb) as g(id bigint, card text, "cardIndex" text, phone text, "phoneIndex" text)
     where account.tenant_id = $1 and account.id = g.id`,
    [tenantId, JSON.stringify(numbers)],
  )
  const files = await filesFor(
    database,
    part,
    rows.map(row => row.id),
  )
  const people = await holders.candidates(rows.map(row => row.id))
  return people.map((holder, i) => ({
    ...holder,
    idCard: idCardOf(i),
    phone: newcomerPhone(i),
    code: posts[i % 120]?.code ?? 'A001',
    fileIds: Object.fromEntries(Object.entries(files[i] ?? {}).map(([key, fileId]) => [key, [fileId]])),
  }))
}

const makeLogins = async (cluster: Cluster, holders: Holders): Promise<World['logins']> => {
  const password = 'bench-Password-2026'
  const hash = await cluster.passwords.hash(password)
  const made: World['logins'][number][] = []
  for (let i = 0; i < 40; i += 1) {
    const account = `login${i}`
    made.push({ account, password, userId: await holders.account(account, 1, ['exam_admin'], hash) })
  }
  return made
}
