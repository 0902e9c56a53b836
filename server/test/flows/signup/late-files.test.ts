import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { intentText } from '#contract/signup/draft-merge.ts'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant, testStart } from '../../support/app.ts'
import { type BuiltExam, buildExam } from '../../support/factories.ts'
import { answersOf, upload, uploadAll } from '../../support/signing.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const wang = { idCard: '330106199806301023', phone: '16000000001', realName: '王·测' }
const diploma = readFileSync(fileURLToPath(new URL('../../../seed/data/portraits/diploma.jpg', import.meta.url)))
const sha = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

interface World {
  readonly tenant: TestTenant
  readonly exam: BuiltExam
  readonly candidate: Person
  readonly content: Record<string, unknown>
  /** What has arrived; the diploma is on its way. */
  readonly fileIds: Record<string, string[]>
  readonly intent: Record<string, string[]>
}
const world = async (): Promise<World> => {
  t.clock.set(testStart)
  const tenant = await t.tenant()
  const exam = await buildExam(tenant)
  const candidate = await tenant.candidate(wang)
  const { diploma: _, ...fileIds } = await uploadAll(candidate)
  const intent = {
    ...Object.fromEntries(Object.entries(fileIds).map(([key, ids]) => [key, ids.map(id => `id:${id}`)])),
    diploma: [`sha:${sha(diploma)}`],
  }
  return { tenant, exam, candidate, content: answersOf(wang.idCard, wang.phone), fileIds, intent }
}
const confirm = ({ candidate, exam, content, intent }: World) =>
  candidate.post('/blade-signup/signup/intend', {
    json: { examId: exam.examId, digest: sha(intentText({ examId: exam.examId, code: 'B001', content, files: intent })) },
  })
const deliver = async (of: World, more: object = {}, bytes: Uint8Array = diploma) => {
  const id = await upload(of.candidate, bytes, 'diploma.jpg', 'document')
  return of.candidate.post('/blade-signup/signup/submit', {
    json: {
      ...{ examId: of.exam.examId, code: 'B001', submitType: 1, promise: 1, content: of.content, intent: of.intent },
      fileIds: { ...of.fileIds, diploma: [id] },
      ...more,
    },
  })
}

describe('[12.2.3] a sign-up that was confirmed before the end delivers its files within ten minutes', () => {
  test('confirmed in the last second, its files come nine minutes later: it is signed up, and the trail has both', async () => {
    const of = await world()
    t.clock.set(new Date('2026-03-20T16:59:59+08:00'))
    const confirmed = await confirm(of)
    expect(confirmed.body.msg).toBe('操作成功')
    expect(confirmed.body.data).toEqual({ receivedAt: '2026-03-20 16:59:59', until: '2026-03-20 17:10:00' })
    t.clock.set(new Date('2026-03-20T17:09:59+08:00'))
    expect((await deliver(of)).body.data).toMatchObject({ examine: 1 })
    const trail = await of.tenant.rows(sql<{ action: string }>`select action from audit_log where action like 'signup.%' order by id`)
    expect(trail.map(({ action }) => action)).toEqual(['signup.intended', 'signup.submitted'])
  })

  test('ten minutes are ten minutes, and what is confirmed too late is told so', async () => {
    const of = await world()
    await confirm(of)
    t.clock.set(new Date('2026-03-20T17:10:00+08:00'))
    expect((await deliver(of)).body).toMatchObject({ code: 2102 })
    expect((await confirm(of)).body).toMatchObject({ code: 2102 })
    expect(await of.tenant.rows(sql`select 1 from signup`)).toEqual([])
  })

  test('another answer, another file, a file more or less, another person and nothing confirmed are late', async () => {
    const of = await world()
    await confirm(of)
    const other = await world()
    t.clock.set(new Date('2026-03-20T17:01:00+08:00'))
    const scan = readFileSync(fileURLToPath(new URL('../../../seed/data/portraits/id-back.jpg', import.meta.url)))
    const answers = [
      await deliver(of, { content: { ...of.content, major: '临床医学' } }),
      await deliver(of, { code: 'A002' }),
      await deliver(of, {}, scan),
      await deliver(of, { intent: { ...of.intent, diploma: [] } }),
      await deliver(of, { intent: undefined }),
      await deliver(other),
    ]
    expect(answers.map(answer => answer.body.code)).toEqual(answers.map(() => 2102))
    // The form that was confirmed still goes.
    expect((await deliver(of)).body.data).toMatchObject({ examine: 1 })
  })
})
