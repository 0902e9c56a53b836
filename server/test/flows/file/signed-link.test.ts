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
  test('opens with the session of its reader, in the header or the cookie, for ten minutes and not a second longer', async () => {
    const person = await tenant.candidate()
    const { link } = await uploaded(person, 'mine')
    const cookie = { cookie: `a=b; kaopu-access-token=${person.token}` }
    const asked: Record<string, string>[] = [
      { 'blade-auth': `bearer ${person.token}` },
      cookie,
      { ...cookie, 'sec-fetch-dest': 'image', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' },
      { ...cookie, 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none', accept: 'text/html' },
    ]
    for (const headers of asked) {
      const answer = await open(link, headers)
      expect([headers, answer.status, answer.bytes.equals(paper('mine'))]).toEqual([headers, 200, true])
      expect(answer.headers).toMatchObject({ 'content-type': 'application/pdf', 'cache-control': 'no-store' })
    }
    const head = await open(link, cookie, 'HEAD')
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([200, 0, String(paper('mine').length)])
    t.clock.advance(10 * 60_000 - 1_000)
    expect((await open(link, cookie)).status).toBe(200)
    t.clock.advance(1_000)
    expect((await open(link, cookie)).status).toBe(403)
  })

  test('opens nothing without a session, whoever has come by it and while its reader is logged in', async () => {
    const person = await tenant.candidate()
    const { link } = await uploaded(person, 'mine')
    for (const headers of [
      {},
      { 'user-agent': 'curl/8.5.0', accept: '*/*' },
      { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' },
    ])
      expect([headers, (await open(link, headers as Record<string, string>)).status]).toEqual([headers, 401])
    const page = await open(link, { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none', accept: 'text/html' })
    expect([page.status, page.bytes.includes('mine')]).toEqual([401, false])
  })

  test('a program fetches an attachment by a ticket: a minute, by itself, while its session goes on, and no file of a person', async () => {
    const clerk = await tenant.staff('admin')
    const kept = await clerk.post('/blade-resource/oss/endpoint/put-file-attach', {
      multipart: { files: [{ part: 'file', name: 'a.pdf', bytes: paper('shared') }] },
    })
    const ticketOf = async (person: Person, fileName: string) =>
      new URL((await person.get('/blade-resource/oss/endpoint/file-link', { query: { fileName } })).body.data)
    const ticket = await ticketOf(clerk, kept.body.data.name)
    const path = ticket.pathname + ticket.search
    expect((await open(path)).bytes.equals(paper('shared'))).toBe(true)
    // A session of somebody else in the address changes what is signed.
    expect((await open(path.replace(/k=\d+/, 'k=1'))).status).toBe(404)
    t.clock.advance(59_000)
    expect((await open(path)).status).toBe(200)
    t.clock.advance(1_000)
    expect((await open(path)).status).toBe(403)
    const again = await ticketOf(clerk, kept.body.data.name)
    await clerk.get('/blade-auth/oauth/logout')
    expect((await open(again.pathname + again.search)).status).toBe(403)
    const candidate = await tenant.candidate()
    const own = await ticketOf(candidate, (await uploaded(candidate, 'card')).fileId)
    expect([own.searchParams.has('k'), (await open(own.pathname + own.search)).status]).toEqual([false, 401])
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
    const headers = { 'blade-auth': `bearer ${person.token}` }
    for (const link of wrong) expect([link, [400, 404].includes((await open(link, headers)).status)]).toEqual([link, true])
    expect((await open(mine.link, { 'blade-auth': `bearer ${person.token}` })).status).toBe(200)
  })

  test('is its reader’s: closed to whoever says that they are another one, and when the reader has logged out', async () => {
    const [person, other] = [await tenant.candidate(), await tenant.candidate()]
    const { link } = await uploaded(person, 'mine')
    expect((await open(link, { 'blade-auth': `bearer ${other.token}` })).status).toBe(404)
    expect((await open(link, { cookie: `kaopu-access-token=${other.token}` })).status).toBe(404)
    expect((await open(link, { 'blade-auth': `bearer ${person.token}` })).status).toBe(200)
    await person.post('/blade-auth/oauth/logout')
    for (const headers of [{ 'blade-auth': `bearer ${person.token}` }, { cookie: `kaopu-access-token=${person.token}` }])
      expect((await open(link, headers as Record<string, string>)).status).toBe(403)
  })

  test('of somebody else’s file leaves the same line in the trail as with the header', async () => {
    const [owner, reader] = [await tenant.candidate(), await tenant.staff('admin')]
    const { fileId } = await uploaded(owner, 'seen')
    const link = t.app.modules.file.linkFor({ tenantId: tenant.tenantId, userId: reader.userId }, fileId, t.clock.now())
    expect((await open(link, { cookie: `kaopu-access-token=${reader.token}` })).status).toBe(200)
    expect(
      await tenant.rows(sql`select action, user_id::text as who from audit_log where action = 'file.read' and entity_id = ${fileId}`),
    ).toEqual([{ action: 'file.read', who: reader.userId }])
  })
})
