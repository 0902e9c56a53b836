import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { cryptoSelfTest } from '#kernel/crypto/self-test.ts'
import { sql } from '#kernel/db/sql.ts'
import { inspectFile } from '#kernel/files/kinds.ts'
import { attempt, rowsOf, sampleOf } from '../ask.ts'
import { expectText, type Installation, judged, type LiveTest, type Reading, whenSet } from '../reading.ts'

/** Columns of the database whose values are sealed: they are named so. */
export const sealedColumns = (at: Installation): Promise<{ table: string; column: string }[]> =>
  rowsOf(
    at,
    sql<{ table: string; column: string }>`
      select c.relname as table, a.attname as column from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid and c.relkind = 'r'
      where c.relnamespace = 'public'::regnamespace and a.attname like '%\_sealed' and not a.attisdropped and a.atttypid = 'bytea'::regtype order by 1, 2`,
  )

interface OneSealed {
  readonly tenantId: string
  readonly id: string
  readonly sealed: Buffer
}
const oneSealed = async (at: Installation): Promise<OneSealed | undefined> =>
  (
    await rowsOf(
      at,
      sql<OneSealed>`select tenant_id as "tenantId", id::text as id, phone_sealed as sealed from account where phone_sealed is not null order by id desc limit 1`,
    )
  )[0]

/** What a stored number opens to, masked; else why it does not open. */
const openPhone = (at: Installation, { tenantId, id, sealed }: OneSealed): string => {
  try {
    const phone = at.application.services.cipher.open(tenantId, { table: 'account', column: 'phone_sealed', rowId: id }, sealed)
    return sealed.includes(Buffer.from(phone)) ? 'stored in the clear' : `opened: ${phone.slice(0, 3)}****${phone.slice(-2)}`
  } catch (error) {
    return (error as Error).message
  }
}

const sealedFields = async (at: Installation): Promise<Reading> => {
  const columns = await sealedColumns(at)
  const counts: { table: string; column: string; values: number; unsealed: number }[] = []
  for (const { table, column } of columns) {
    const [row] = await rowsOf(
      at,
      sql<{ values: number; unsealed: number }>`
        select count(*)::int as values, (count(*) filter (where get_byte(${sql.ref(column)}, 0) <> 1 or length(${sql.ref(column)}) < 30))::int as unsealed
        from ${sql.table(table)} where ${sql.ref(column)} is not null`,
    )
    counts.push({ table, column, values: row?.values ?? 0, unsealed: row?.unsealed ?? 0 })
  }
  const some = await oneSealed(at)
  const opened = some && openPhone(at, some)
  return {
    settings: [{ name: { zh: '字段加密算法', en: 'Algorithm' }, value: 'SM4-GCM (GB/T 32907), HMAC-SM3 for look-ups' }],
    tests: [
      expectText(
        { zh: '加密列中不是密文的值', en: 'Values of sealed columns that are not sealed' },
        '0',
        String(counts.reduce((sum, { unsealed }) => sum + unsealed, 0)),
      ),
      some === undefined
        ? whenSet(
            { zh: '用本机密钥打开一个手机号', en: 'A phone number is opened with the key of this installation' },
            'opened',
            'no account has a phone yet',
            false,
          )
        : judged(
            {
              zh: '用本机密钥打开一个手机号（只显示首尾）',
              en: 'A phone number is opened with the key of this installation (shown masked)',
            },
            'opened',
            `${opened}; stored: ${some.sealed.toString('hex').slice(0, 24)}…`,
            opened?.startsWith('opened: ') === true,
          ),
    ],
    samples: [sampleOf({ zh: '加密列和值的数量', en: 'Sealed columns and how many values they hold' }, counts)],
  }
}

const sealedIntegrity = async (at: Installation): Promise<Reading> => {
  const { cipher } = at.application.services
  const place = { table: 'evidence', column: 'value_sealed', rowId: '1' }
  const sealed = cipher.seal('000000', place, 'a value')
  const changed = Buffer.from(sealed)
  changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1)
  const openAt = (tenantId: string, where: typeof place, bytes: Buffer): string => {
    try {
      return cipher.open(tenantId, where, bytes)
    } catch (error) {
      return (error as Error).name
    }
  }
  return {
    tests: [
      expectText({ zh: '原位打开', en: 'Opened in its place' }, 'a value', openAt('000000', place, sealed)),
      expectText({ zh: '改动一位后打开', en: 'Opened after one bit was changed' }, 'FieldCipherError', openAt('000000', place, changed)),
      expectText(
        { zh: '移到另一行后打开', en: 'Opened in another row' },
        'FieldCipherError',
        openAt('000000', { ...place, rowId: '2' }, sealed),
      ),
      expectText({ zh: '移到另一机构后打开', en: 'Opened in another tenant' }, 'FieldCipherError', openAt('000001', place, sealed)),
    ],
  }
}

/** The first bytes of some stored file. */
const headOfSomeFile = async (folder: string): Promise<Buffer | undefined> => {
  for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
    if (!name.endsWith('.kpf')) continue
    const file = await open(join(folder, name), 'r')
    try {
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(64) })
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  }
  return undefined
}

const sealedFiles = async (at: Installation): Promise<Reading> => {
  const head = await headOfSomeFile(join(at.config.dataDir, 'files'))
  const readable = head && (await inspectFile(head))
  const tests: LiveTest[] = [
    head === undefined
      ? whenSet(
          { zh: '读取一个已存文件的开头', en: 'The beginning of a stored file is read' },
          'no known kind of file',
          'no file on this disk',
          false,
        )
      : judged(
          { zh: '读取一个已存文件的开头', en: 'The beginning of a stored file is read' },
          'no known kind of file',
          `${head.toString('hex').slice(0, 24)}…`,
          readable !== undefined && 'problem' in readable && readable.problem === 'unknown',
        ),
  ]
  return { settings: [{ name: { zh: '文件加密算法', en: 'Algorithm of files' }, value: 'SM4-GCM, a key for each file' }], tests }
}

const uploadChecks = async (): Promise<Reading> => {
  const tests: LiveTest[] = []
  for (const [what, expected, bytes, name] of [
    [{ zh: '网页冒充图片', en: 'A web page named as a picture' }, 'unknown', Buffer.from('<html><script>1</script></html>'), 'photo.jpg'],
    [{ zh: '空文件', en: 'An empty file' }, 'empty', Buffer.alloc(0), 'photo.jpg'],
    [{ zh: '截断的图片', en: 'A picture that was cut off' }, 'truncated', Buffer.from('ffd8ffe000104a4649460001', 'hex'), 'photo.jpg'],
  ] as const) {
    const found = await inspectFile(bytes, name)
    tests.push(expectText(what, expected, 'problem' in found ? found.problem : found.kind))
  }
  return { tests }
}

const spentCredentials = async (at: Installation): Promise<Reading> => {
  const counts = await rowsOf(
    at,
    sql<{ what: string; overdue: number }>`
      select 'login_challenge' as what, count(*)::int as overdue from login_challenge where created_at < ${at.now}::timestamptz - interval '3 days'
      union all select 'session_key', count(*)::int from session_key k join session s on s.tenant_id = k.tenant_id and s.id = k.session_id
        where s.refresh_until < ${at.now}::timestamptz - interval '3 days'`,
  )
  return {
    tests: counts.map(({ what, overdue }) =>
      expectText(
        { zh: `${what} 中过期三天以上仍未清除的行`, en: `Rows of ${what} that ran out more than three days ago` },
        '0',
        String(overdue),
      ),
    ),
    settings: [{ name: { zh: '清除任务', en: 'Job' }, value: 'auth.purge' }],
  }
}

const erasures = async (at: Installation): Promise<Reading> => {
  const certificates = await rowsOf(
    at,
    sql<{ at: Date; tenant: string; action: string; certificate: string }>`
      select created_at as at, tenant_id as tenant, action, (after_value - 'ids')::text as certificate from audit_log
      where action in ('signup.erased', 'ticket-health.erased', 'accommodation.erased', 'file.swept') order by created_at desc limit 100`,
  )
  const jobs = at.application.modules.processors.filter(({ erases }) => erases !== undefined)
  return {
    settings: jobs.flatMap(({ name, erases = [] }) =>
      erases.map(({ what, after }) => ({ name: { zh: `${name}：${what.zh}`, en: `${name}: ${what.en}` }, value: after })),
    ),
    tests: [
      judged(
        { zh: '到期清除任务', en: 'Jobs that erase what has expired' },
        'on',
        jobs.map(({ name }) => name).join(', '),
        jobs.length > 0,
      ),
    ],
    samples: [sampleOf({ zh: '清除凭据（编号、数量、校验值）', en: 'Erase certificates (counts and digests)' }, certificates)],
  }
}

const askedFields = async (at: Installation): Promise<Reading> => {
  const fields = await rowsOf(
    at,
    sql<{ field: string; label: string; sensitive: number; examinations: number }>`
      select i.item_key as field, min(i.item_label) as label, max(i.sensitive)::int as sensitive,
        (select count(distinct s.exam_id)::int from sign_item s where s.item_key = i.item_key) as examinations
      from item i group by i.item_key order by 4 desc, 1 limit 300`,
  )
  return {
    tests: [
      judged(
        { zh: '每个报名字段都标明了敏感级别', en: 'Every field of the library says how sensitive it is' },
        '0, 1 or 2',
        `${fields.length} fields`,
        fields.every(({ sensitive }) => sensitive >= 0 && sensitive <= 2),
      ),
    ],
    samples: [
      sampleOf(
        { zh: '字段、敏感级别（2 为加密保存）、采集它的考试数', en: 'Fields, sensitivity (2 is sealed), examinations that ask for them' },
        fields,
      ),
    ],
  }
}

const consent = async (at: Installation): Promise<Reading> => {
  const given = await rowsOf(
    at,
    sql<{ version: string; people: number; latest: Date }>`
      select coalesce(consent_version, 'none') as version, count(*)::int as people, max(consent_at) as latest from account
      where user_type = 2 and not is_deleted group by 1 order by 2 desc`,
  )
  const none = given.find(({ version }) => version === 'none')?.people ?? 0
  return {
    tests: [
      whenSet({ zh: '没有同意记录的考生账号', en: 'Accounts of candidates without a record of consent' }, '0', String(none), none === 0),
    ],
    samples: [sampleOf({ zh: '同意的版本、人数、最近一次', en: 'Versions of the consent, people, the latest' }, given)],
  }
}

const reveals = async (at: Installation): Promise<Reading> => {
  const views = await rowsOf(
    at,
    sql<{ field: string; purpose: number; times: number; blocked: number }>`
      select field, purpose, count(*)::int as times, (count(*) filter (where is_blocked))::int as blocked from reveal_log
      where created_at > ${at.now}::timestamptz - interval '180 days' group by 1, 2 order by 1, 2`,
  )
  return {
    tests: [
      expectText(
        { zh: '不说明用途写入查看记录（回滚）', en: 'A view without a purpose (rolled back)' },
        'null value in column "purpose"',
        (
          await attempt(at.application.services.pools.kaopu_platform, [
            `set local app.now = '2024-01-01T00:00:00Z'`,
            `insert into reveal_log (tenant_id, viewer_id, viewer_name, signup_id, owner_id, field) values ('000000', 1, 'x', 1, 1, 'phone')`,
          ])
        ).slice(0, 'null value in column "purpose"'.length),
      ),
    ],
    samples: [sampleOf({ zh: '近 180 天查看完整证件号和手机号', en: 'Full numbers seen in the last 180 days' }, views)],
  }
}

const cryptoSelfTests = async (): Promise<Reading> => {
  let seen = 'passed'
  try {
    cryptoSelfTest()
  } catch (error) {
    seen = (error as Error).message
  }
  return {
    settings: [
      { name: { zh: '摘要', en: 'Digest' }, value: 'SM3 (GB/T 32905)' },
      { name: { zh: '对称加密', en: 'Symmetric' }, value: 'SM4 (GB/T 32907), GCM' },
      { name: { zh: '公钥加密', en: 'Public key' }, value: 'SM2 (GB/T 32918)' },
    ],
    tests: [
      expectText(
        { zh: '标准向量的已知答案测试（启动时同样执行）', en: 'Known-answer tests with the vectors of the standards (as at each start)' },
        'passed',
        seen,
      ),
    ],
  }
}

const publishedScores = async (at: Installation): Promise<Reading> => {
  const roots = await rowsOf(
    at,
    sql<{ exam: string; no: number; cause: string; scores: number; root: string; at: Date }>`
      select exam_id::text as exam, root_no as no, cause, leaves as scores, root, created_at as at from score_root order by created_at desc limit 20`,
  )
  return {
    tests: [
      whenSet(
        {
          zh: '已公布的成绩摘要（任何人可用公开程序核验）',
          en: 'Published roots of scores, which anybody can check with a public program',
        },
        'one or more',
        String(roots.length),
        roots.length > 0,
      ),
    ],
    samples: [sampleOf({ zh: '成绩摘要', en: 'Roots of scores' }, roots)],
  }
}

/** What is stored, and how. */
export const dataProbes = {
  'sealed-fields': { title: { zh: '字段加密', en: 'Sealed fields' }, read: sealedFields },
  'sealed-integrity': { title: { zh: '密文完整性', en: 'Integrity of sealed values' }, read: sealedIntegrity },
  'sealed-files': { title: { zh: '文件加密', en: 'Sealed files' }, read: sealedFiles },
  'upload-checks': { title: { zh: '上传检查', en: 'Checks of uploads' }, read: uploadChecks },
  'spent-credentials': { title: { zh: '过期鉴别信息清除', en: 'Spent credentials are removed' }, read: spentCredentials },
  erasures: { title: { zh: '到期清除', en: 'Erasure' }, read: erasures },
  'asked-fields': { title: { zh: '采集的字段', en: 'Fields that are asked for' }, read: askedFields },
  consent: { title: { zh: '同意', en: 'Consent' }, read: consent },
  reveals: { title: { zh: '查看完整号码', en: 'Full numbers that were seen' }, read: reveals },
  'crypto-self-test': { title: { zh: '密码算法自检', en: 'Self-test of cryptography' }, read: cryptoSelfTests },
  'published-scores': { title: { zh: '公开可核验', en: 'What anybody can check' }, read: publishedScores },
} as const
