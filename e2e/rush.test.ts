import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPasswordHasher } from '#kernel/crypto/password.ts'
import { sm2Encrypt } from '#kernel/crypto/sm2.ts'
import { newToken } from '#kernel/crypto/token.ts'
import { startEmbedded } from '#kernel/db/embedded.ts'
import { sql } from '#kernel/db/sql.ts'
import { createLog } from '#kernel/log.ts'
import { loadSecrets } from '#kernel/secrets.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { percentile, seeded } from '../server/test/support/rush.ts'
import { answersOf } from '../server/test/support/signing.ts'
import { windows } from './support/exam.ts'
import { type Backdoor, type Member, openBackdoor, staffPassword } from './support/people.ts'
import { freePort, newDataDir, type RunningServer, removeData, startServer, testCaptcha } from './support/server.ts'

/** As many as two processes on two cores, with their database and those who ask on the same machine, serve in some minutes. */
const people = 400
const withinMs = 40_000

let a: RunningServer
let b: RunningServer
let backdoor: Backdoor
let crowd: readonly Member[]
let examId: string
let publicKey: string
beforeAll(async () => {
  const dataDir = await newDataDir()
  a = await startServer({ dataDir, port: await freePort(), env: { KAOPU_WAITING_ROOM: 'auto' } })
  const database = new URL((await startEmbedded({ dataDir, log: createLog('error') })).url)
  database.pathname = '/kaopu'
  b = await startServer({ dataDir, port: await freePort(), env: { DATABASE_URL: database.href, KAOPU_WAITING_ROOM: 'auto' } })
  backdoor = await openBackdoor(dataDir)
  crowd = await backdoor.addCandidates(people)
  const hash = await createPasswordHasher({ pepper: (await loadSecrets({ dataDir })).passwordPepper }).hash(staffPassword)
  await backdoor.db(db => db.run(sql`update account set password_hash = ${hash} where account like 'crowd%'`))
  ;({ examId } = await buildExam(backdoor, {
    exam: { ...windows, exam_name: '开放日', exam_code: 'R1', exam_no: 1, examine_levels: 1 },
    files: {},
  }))
  publicKey = ((await (await fetch(`${a.url}/api/blade-auth/oauth/public-key`)).json()) as { data: { publicKey: string } }).data.publicKey
})
afterAll(async () => {
  await backdoor?.close()
  await b?.stop()
  await a?.stop()
  if (a) await removeData(a.dataDir)
})

const basic = `Basic ${Buffer.from('kaopu-web:kaopu-web').toString('base64')}`
const random = seeded(3)

/** A browser of somebody who arrives: it keeps cookies, and asks the other process when one does not answer. */
const browserOf = (serial: number, noteStep: (ms: number) => void) => {
  const cookies = new Map<string, string>()
  let isBGone = false
  const call = async (path: string, of: { method?: string; body?: string; headers?: Record<string, string> } = {}, isStep = true) => {
    const began = performance.now()
    for (;;) {
      const { url } = isBGone || random() < 0.5 ? a : b
      try {
        const response = await fetch(`${url}${path}`, {
          method: of.method ?? 'GET',
          ...(of.body === undefined ? {} : { body: of.body }),
          headers: {
            'user-agent': `Browser/${serial}`,
            authorization: basic,
            cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
            ...of.headers,
          },
        })
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          cookies.set(name, value)
        }
        const json = (await response.json()) as Record<string, unknown> & { reason?: string; data?: { id?: string } }
        if (isStep && json.reason !== 'kernel/waiting-room') noteStep(performance.now() - began)
        return { status: response.status, json }
      } catch {
        isBGone ||= b.pid !== 0 && isKilled
        await pause(200 + 300 * random())
      }
    }
  }
  return call
}
let isKilled = false

test(`${people} people arrive at two processes in ${withinMs / 1_000} s, one of them is killed: everybody hands in once, in turn, and each call is answered in two seconds`, {
  timeout: 900_000,
}, async () => {
  const stepMs: number[] = []
  const promises: { promised: number; took: number }[] = []
  let waited = 0
  const begins = performance.now()
  const arrive = async (member: Member, serial: number): Promise<number> => {
    await pause(withinMs * random())
    const call = browserOf(serial, ms => stepMs.push(ms))
    const arrivedAt = performance.now()
    let promised: { readonly at: number; readonly seconds: number } | undefined
    for (;;) {
      const { json } = await call('/api/place', {}, false)
      if (json['isIn'] === true) break
      if (promised === undefined) waited += 1
      if (typeof json['waitSeconds'] === 'number') promised ??= { at: performance.now(), seconds: json['waitSeconds'] }
      await pause(Number(json['askAgainMs']))
    }
    if (promised) promises.push({ promised: promised.seconds, took: (performance.now() - promised.at) / 1_000 })
    const headers = { 'content-type': 'application/json' }
    // Between the look and the call the room may have opened: then the call says how long.
    const inTurn = async (path: string, of?: Parameters<typeof call>[1]) => {
      for (;;) {
        const answer = await call(path, of)
        if (answer.json.reason !== 'kernel/waiting-room') return answer
        await pause((answer.json.data as { askAgainMs: number }).askAgainMs)
      }
    }
    const captcha = await inTurn('/api/blade-auth/oauth/captcha')
    const query = new URLSearchParams({
      grant_type: 'captcha',
      username: `crowd${serial}`,
      password: sm2Encrypt(publicKey, staffPassword),
      scope: 'all',
    })
    const login = await inTurn(`/api/blade-auth/oauth/token?${query}`, {
      method: 'POST',
      headers: { 'captcha-key': String(captcha.json['key']), 'captcha-code': testCaptcha },
    })
    if (typeof login.json['access_token'] !== 'string') throw new Error(`crowd${serial} cannot log in: ${JSON.stringify(login.json)}`)
    const own = { ...headers, 'blade-auth': `bearer ${login.json['access_token']}` }
    const form = await inTurn(`/api/blade-signup/signup/getExamInfoOrSignUpInfo?examId=${examId}`, { headers: own })
    if (form.status !== 200) throw new Error(`no form: ${JSON.stringify(form.json)}`)
    const content = answersOf(member.idCard, member.phone)
    const submit = (body: object, key: string) =>
      call('/api/blade-signup/signup/submit', {
        method: 'POST',
        body: JSON.stringify({ examId, code: 'B001', content, ...body }),
        headers: { ...own, 'idempotency-key': key },
      })
    for (let save = 0; save < 2; save += 1) {
      await pause(1_000 + 3_000 * random())
      await submit({ submitType: 0 }, newToken())
    }
    await pause(1_000 + 3_000 * random())
    const done = await submit({ submitType: 1, promise: 1, signVersion: 0 }, newToken())
    if (done.status !== 200) throw new Error(`crowd${serial} was refused: ${JSON.stringify(done.json)}\n${a.output().slice(-4_000)}`)
    return (performance.now() - arrivedAt) / 1_000
  }
  const all = Promise.all(crowd.map((member, at) => arrive(member, at + 1)))
  await pause(withinMs / 2)
  isKilled = true
  await b.kill()
  const took = await all
  const wrong = promises.map(({ promised, took: seconds }) => seconds - promised)
  console.log(
    JSON.stringify({
      ...{ people, waited, seconds: Math.round((performance.now() - begins) / 1_000), calls: stepMs.length },
      stepMs: [0.5, 0.95, 0.99, 1].map(share => Math.round(percentile(stepMs, share))),
      longestSeconds: Math.round(Math.max(...took)),
      tookLongerThanPromised: [0.1, 0.5, 0.9].map(share => Math.round(percentile(wrong, share))),
    }),
  )
  expect(
    await backdoor.db(db =>
      db.one(sql<object>`
          select count(*)::int as rows, count(distinct sign_no)::int as numbers, count(distinct user_id)::int as people,
            (select count(*)::int from signup_history h join signup s on s.id = h.signup_id where s.exam_id = ${examId}) as submissions,
            (select used_sign from type_code where exam_id = ${examId} and code = 'B001') as used
          from signup where exam_id = ${examId}`),
    ),
  ).toEqual({ rows: people, numbers: people, people, submissions: people, used: people })
  expect(waited).toBeGreaterThan(0)
  expect(percentile(stepMs, 0.99)).toBeLessThan(2_000)
})
