import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant, testStart } from '../../support/app.ts'

let t: TestApp
let tenant: TestTenant
beforeAll(async () => {
  t = await startTestApp()
  tenant = await t.tenant()
})
afterAll(() => t.close())
beforeEach(() => t.clock.set(testStart))

const paper = (text: string): Buffer =>
  Buffer.from(`%PDF-1.7\n1 0 obj\n<<>>\nendobj\n% ${text}\ntrailer\n<</Root 1 0 R>>\n%%EOF\n`, 'latin1')
const uploaded = async (person: Person, text: string): Promise<{ link: string; fileId: string }> =>
  (
    await person.post('/file/upload', {
      multipart: { fields: { purpose: 'document' }, files: [{ part: 'file', name: 'a.pdf', bytes: paper(text) }] },
    })
  ).body.data
/** As a new tab, a picture of a page or curl asks: with nothing but the address. */
const open = async (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') => {
  const answer = await t.app.server.inject({ method, url, headers })
  return { status: answer.statusCode, bytes: answer.rawPayload, headers: answer.headers }
}

describe('[21.10] a signed link', () => {
  test('opens without a header of ours for ten minutes and not a second longer', async () => {
    const person = await tenant.candidate()
    const { link, fileId } = await uploaded(person, 'mine')
    const asked: Record<string, string>[] = [
      {},
      { 'user-agent': 'curl/8.5.0', accept: '*/*' },
      { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' },
      { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none', accept: 'text/html' },
    ]
    for (const headers of asked) {
      const answer = await open(link, headers)
      expect([headers, answer.status, answer.bytes.equals(paper('mine'))]).toEqual([headers, 200, true])
      expect(answer.headers).toMatchObject({ 'content-type': 'application/pdf', 'cache-control': 'no-store' })
    }
    const head = await open(link, {}, 'HEAD')
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([200, 0, String(paper('mine').length)])
    t.clock.advance(10 * 60_000 - 1_000)
    expect((await open(link)).status).toBe(200)
    t.clock.advance(1_000)
    expect((await open(link)).status).toBe(403)
    // Who owns it makes another one.
    expect(fileId).toMatch(/^\d+$/)
  })

  test('opens nothing else: no other file, reader, tenant or time', async () => {
    const [person, other] = [await tenant.candidate(), await tenant.candidate()]
    const mine = await uploaded(person, 'mine')
    const theirs = await uploaded(other, 'theirs')
    const url = new URL(mine.link, 'http://x')
    const changed = (name: string, value: string): string => {
      const next = new URL(url)
      next.searchParams.set(name, value)
      return next.pathname + next.search
    }
    const signature = url.searchParams.get('s') ?? ''
    const [expiry = '', mac = ''] = signature.split('.')
    const later = (Number.parseInt(expiry, 36) + 600).toString(36)
    const wrong = [
      mine.link.replace(mine.fileId, theirs.fileId),
      changed('u', other.userId),
      changed('t', '000000'),
      changed('s', `${later}.${mac}`),
      // Its first character: the last one has bits that belong to no byte.
      changed('s', `${expiry}.${mac.startsWith('A') ? 'B' : 'A'}${mac.slice(1)}`),
      changed('s', new URL(theirs.link, 'http://x').searchParams.get('s') ?? ''),
      changed('s', ''),
      url.pathname,
    ]
    for (const link of wrong) expect([link, [400, 404].includes((await open(link)).status)]).toEqual([link, true])
    expect((await open(mine.link)).status).toBe(200)
  })

  test('is its reader’s: closed to whoever says that they are another one, and when the reader has logged out', async () => {
    const [person, other] = [await tenant.candidate(), await tenant.candidate()]
    const { link } = await uploaded(person, 'mine')
    expect((await open(link, { 'blade-auth': `bearer ${other.token}` })).status).toBe(404)
    expect((await open(link, { cookie: `kaopu-access-token=${other.token}` })).status).toBe(404)
    expect((await open(link, { 'blade-auth': `bearer ${person.token}` })).status).toBe(200)
    await person.post('/blade-auth/oauth/logout')
    expect((await open(link)).status).toBe(403)
  })

  test('of somebody else’s file leaves the same line in the trail as with the header', async () => {
    const [owner, reader] = [await tenant.candidate(), await tenant.staff('admin')]
    const { fileId } = await uploaded(owner, 'seen')
    const link = t.app.modules.file.linkFor({ tenantId: tenant.tenantId, userId: reader.userId }, fileId, t.clock.now())
    expect((await open(link)).status).toBe(200)
    expect(
      await tenant.rows(sql`select action, user_id::text as who from audit_log where action = 'file.read' and entity_id = ${fileId}`),
    ).toEqual([{ action: 'file.read', who: reader.userId }])
  })
})
