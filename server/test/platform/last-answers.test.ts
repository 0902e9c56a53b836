import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { buildExam } from '../support/factories.ts'
import { type LossyLink, lossyLink } from '../support/lossy-link.ts'

let t: TestApp
let tenant: TestTenant
let link: LossyLink
/** A process that reaches the database through a link that can be cut. */
let far: TestApp
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
  await buildExam(tenant)
  link = await lossyLink(t.databaseUrl)
  far = await startTestApp({ databaseUrl: link.url })
})
afterAll(async () => {
  await far?.close()
  await link?.close()
  await t?.close()
})

const list = (language: 'zh' | 'en' = 'zh', of: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  far.anonymous(tenant.tenantId).get('/blade-signup/signup/examList', { language, headers: of })

describe('while there is no database', () => {
  test('what everybody may read is shown as it was last, with its time, to people who are logged in too; what is not known, or of one person, is refused; then all is as before', async () => {
    const candidate = await tenant.candidate()
    const token = { 'blade-auth': `bearer ${candidate.token}` }
    const before = await list()
    const shown = [before.status, before.body.data.records.length]
    expect(shown).toEqual([200, 1])
    expect(before.headers['x-answered-at']).toBeUndefined()
    const at = far.clock.now().getTime()
    far.clock.advance(600_000)
    await link.isUp(false)

    const away = await list()
    expect([away.status, away.headers['x-answered-at'], away.body]).toEqual([200, String(at), before.body])
    // Also for those who are logged in, whose sessions nobody can look up now.
    expect([(await list('zh', token)).body, (await list('zh', token)).headers['x-answered-at']]).toEqual([before.body, String(at)])
    // Nobody has asked in English, and nobody's own data are in memory.
    expect((await list('en')).body).toMatchObject({ reason: 'kernel/no-database' })
    const own = await far.anonymous(tenant.tenantId).get('/blade-signup/signup/myExamList', { headers: token })
    expect([own.status, own.body.reason, own.headers['retry-after']]).toEqual([503, 'kernel/no-database', '3'])
    const write = await far
      .anonymous(tenant.tenantId)
      .post('/blade-signup/signup/submit', { headers: token, json: { examId: '1', submitType: 0, content: {} } })
    expect([write.status, write.body.reason, write.headers['retry-after']]).toEqual([503, 'kernel/no-database', '3'])

    await link.isUp(true)
    far.clock.advance(3_000)
    const again = await list()
    expect([again.status, again.headers['x-answered-at']]).toEqual([200, undefined])
  })
})
