import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { zipOf } from '#kernel/files/write-zip.ts'
import { contentColumns } from '#modules/signup/data/content.repo.ts'
import { type Person, startTestApp, type TestApp, testSms } from '../support/app.ts'
import { testIdCard } from '../support/id-card.ts'
import { sealFor } from '../support/login.ts'
import { decide, openReview, type ReviewWorld, reviewWorld, wang } from '../support/reviewing.ts'
import { answersOf, submit, upload } from '../support/signing.ts'
import { bothAtOnce } from '../support/two-persons.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const portrait = readFileSync(fileURLToPath(new URL('../../seed/data/portraits/p01-white.jpg', import.meta.url)))
const paper = readFileSync(fileURLToPath(new URL('../../seed/data/portraits/id-front-1.jpg', import.meta.url)))
const seal = (plain: string): string => sealFor(t, plain)

const standing = async (w: ReviewWorld) =>
  (
    await w.tenant.rows(sql<object>`
      select s.examine, s.sign_version as version, (select count(*)::int from signup_history h where h.signup_id = s.id) as histories,
        (select count(*)::int from examine_allot a where a.signup_id = s.id and a.state = 1 and a.lock_until > app_now()) as locks,
        (select max(reason) from examine_allot a where a.signup_id = s.id) as why,
        (select array_agg(n.title_zh || '|' || n.content_zh order by n.id) from notify n
          where n.user_id = s.user_id and n.event_key = 'signup.content:' || s.id || ':' || s.sign_version) as told,
        (select array_agg(n.title_zh order by n.id) from notify n where n.user_id = ${w.r1.userId} and n.event_key like 'signup.content:' || s.id || ':%') as reviewer
      from signup s where s.id = ${w.id}`)
  )[0]

const photoBy = async (w: ReviewWorld, who: Person) =>
  (
    await who.post('/blade-exam/examination/importSignUpPhotos', {
      multipart: {
        fields: { examId: w.exam.examId },
        files: [{ part: 'file', name: 'photos.zip', bytes: await zipOf({ [`${wang.idCard}.jpg`]: portrait }) }],
      },
    })
  ).body.data.matched
const inGroup = (w: ReviewWorld, code: string) =>
  w.tenant.rows(sql`
    insert into group_signup (tenant_id, signup_id, exam_id, user_id, group_code, import_id)
    values (${w.tenant.tenantId}, ${w.id}, ${w.exam.examId}, ${w.candidate.userId}, ${code}, 1)`)
const verified = async (w: ReviewWorld, field: string, value: string, more: object = {}) => {
  const colleague = await w.tenant.staff('exam_admin', { realName: '考务戊' })
  const path = '/blade-userupdateinfo/userupdateinfo/submit'
  const proofFileIds = await upload(w.candidate, paper, '证明.jpg', 'image')
  const asked = await w.candidate.post(path, { json: { field, value: seal(value), reason: '登记有误', proofFileIds, ...more } })
  const pass = (who: Person, shown: object) => who.post(path, { json: { id: asked.body.data.id, state: 1, ...shown } })
  return (await bothAtOnce([w.officer, colleague], pass)).status
}

/** Every way in which others than the person change what is under review; what it answers, and the word of it. */
const ways: readonly (readonly [string, (w: ReviewWorld) => Promise<unknown>, string])[] = [
  [
    'a portrait brought by a school',
    async w => {
      await inGroup(w, 'S001')
      return photoBy(w, await w.tenant.staff('school', { userCode: 'S001' }))
    },
    '证件照已由学校更换',
  ],
  [
    'a portrait brought by the office',
    async w => {
      await inGroup(w, '')
      return photoBy(w, w.officer)
    },
    '证件照已由工作人员更换',
  ],
  ['a verified name', w => verified(w, 'name', '王·新'), '姓名已按核实的信息更正'],
  ['a verified id number', w => verified(w, 'idCard', testIdCard(771)), '证件号码已按核实的信息更正'],
  [
    'a verified phone',
    async w => {
      const phone = '16033330771'
      const sent = await t.anonymous(w.tenant.tenantId).post('/blade-auth/oauth/sms/send-validate', { form: { phone: seal(phone) } })
      return verified(w, 'phone', phone, { smsId: sent.body.data.id, smsCode: testSms })
    },
    '手机号码已按核实的信息更正',
  ],
]

test.each(ways)(
  'under an open review, %s is a new version: the lock ends with a word, the person is told, the old decision is refused',
  async (_, way, word) => {
    const w = await reviewWorld(t)
    expect((await openReview(w.r1, w.id)).body.data).toMatchObject({ mayDecide: true, signup: { signVersion: 1 } })
    const before = await standing(w)
    expect(before).toEqual({ examine: 'waiting', version: 1, histories: 1, locks: 1, why: null, told: null, reviewer: null })
    expect([1, 200]).toContain(await way(w))
    expect(await standing(w)).toEqual({
      ...{ examine: 'waiting', version: 2, histories: 2, locks: 0, why: word },
      told: [
        `您的报名内容已变更|${(await w.tenant.rows(sql<{ n: string }>`select exam_name as n from examination`))[0]?.n}：${word}。如有疑问请联系我们。`,
      ],
      reviewer: ['您正在审核的报名已变化，请重新打开'],
    })
    const late = await decide(w.r1, w.id, { examineResult: 1, signVersion: 1 })
    expect([late.status, late.body.reason, late.body.msg]).toEqual([409, 'examine/stale', '报名信息已更新，请刷新后重新审核'])
    // Who opens it again sees the new one and decides on that.
    expect((await openReview(w.r1, w.id)).body.data).toMatchObject({ mayDecide: true, signup: { signVersion: 2 } })
    expect((await decide(w.r1, w.id, { examineResult: 1, signVersion: 2 })).status).toBe(200)
  },
)

test('the person changes nothing that is open: a submit waits, a save lies beside it', async () => {
  const w = await reviewWorld(t)
  await openReview(w.r1, w.id)
  const form = { content: answersOf(wang.idCard, wang.phone, { nation: '02' }), fileIds: w.fileIds, signVersion: 1 }
  const sent = await submit(w.candidate, w.exam.examId, form)
  expect([sent.status, sent.body.reason]).toEqual([409, 'signup/under-review'])
  expect((await submit(w.candidate, w.exam.examId, { ...form, extra: { submitType: 0 } })).status).toBe(200)
  expect(await standing(w)).toMatchObject({ version: 1, histories: 1, locks: 1 })
})

/** Columns that say what became of a sign-up, or repeat what another column says. */
const otherColumns = [
  ...[
    'tenant_id',
    'id',
    'exam_id',
    'user_id',
    'examine',
    'examine_remark',
    'examine_time',
    'examine_level',
    'name_rare',
    'id_card_sealed',
    'id_card_mask',
  ],
  ...[
    'phone_sealed',
    'phone_mask',
    'sign_no',
    'sign_version',
    'submit_time',
    'first_submit_time',
    'source',
    'reviewer1_id',
    'reviewer1_time',
    'reviewer2_id',
  ],
  ...[
    'reviewer2_time',
    'change_post_count',
    'pay_state',
    'reduction_state',
    'stage',
    'review_state',
    'shortlist',
    'promise_hash',
    'promise_time',
    'promise_ip',
  ],
  ...[
    'integrity_flag',
    'auto_check',
    'auto_result',
    'review_remark',
    'review_time',
    'review_user',
    'photo_state',
    'photo_advice',
    'photo_by',
    'photo_at',
    'extend_until',
    'advisements',
    'draft_marks',
  ],
  ...['is_deleted', 'created_by', 'created_at', 'updated_by', 'updated_at', 'version'],
]

test('every column of a sign-up is content or is not, and one that is cannot change without the version', async () => {
  const w = await reviewWorld(t)
  const columns = await w.tenant.rows(sql<{ name: string; type: string }>`
    select column_name as name, udt_name as type from information_schema.columns where table_name = 'signup' and is_generated = 'NEVER' order by column_name`)
  const unsaid = columns.map(one => one.name).filter(name => !otherColumns.includes(name) && !contentColumns.some(one => one === name))
  expect(unsaid).toEqual([])
  // One of two is another value than the one there.
  const values: Readonly<Record<string, readonly [string, string]>> = {
    ...{
      bool: ['true', 'false'],
      int4: ['1', '2'],
      int8: ['1', '2'],
      date: ['2001-02-03', '2001-02-04'],
      jsonb: ['[{"x":1}]', '[{"x":2}]'],
    },
  }
  for (const { name, type } of columns.filter(one => contentColumns.some(column => column === one.name))) {
    const [one, two] = name === 'content' ? ['{"x":1}', '{"x":2}'] : (values[type] ?? ['9', '8'])
    const versions = await w.tenant.db(async db => {
      const read = () => db.one(sql<{ n: number }>`select sign_version as n from signup where id = ${w.id}`)
      const before = await read()
      const column = sql.ref(name)
      await db.run(sql`
        update signup set ${column} = (case when ${column}::text is distinct from ${one}::text::${sql.raw(type)}::text then ${one}::text else ${two}::text end)::${sql.raw(type)}
        where id = ${w.id}`)
      return (await read()).n - before.n
    })
    expect([name, versions]).toEqual([name, 1])
  }
})

test('content is written in these files alone: the submit and the draft of the person, the door for others, a move to another post, the takeover of a draft that a school brought, the erasure', () => {
  const root = fileURLToPath(new URL('../../src/', import.meta.url))
  const column = new RegExp(`\\b(${contentColumns.join('|')})\\b\\s*[:=]`)
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .filter(path => {
      const text = readFileSync(`${root}${path}`, 'utf8')
      const statements = [
        ...(text.match(/update (public\.)?signup\b(?! set examine_)[\s\S]*?`\)/g) ?? []),
        ...(text.match(/transition\(\s*db,\s*'signup'[\s\S]*?\n {2}\)/g) ?? []),
      ]
      return statements.some(statement => column.test(statement) || statement.includes('...set'))
    })
    .sort()
  expect(found).toEqual([
    'modules/signup/commands/move-post.ts',
    'modules/signup/data/content.repo.ts',
    'modules/signup/data/erase.repo.ts',
    'modules/signup/data/invitation.repo.ts',
    'modules/signup/data/signup.repo.ts',
  ])
})
