import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { newToken } from '#kernel/crypto/token.ts'
import { startEmbedded } from '#kernel/db/embedded.ts'
import { sql } from '#kernel/db/sql.ts'
import { createLog } from '#kernel/log.ts'
import { createWxpayEmulator } from '#server/demo/wxpay-emulator/emulator.ts'
import { loadOrMakeEmulatorKeys } from '#server/demo/wxpay-emulator/keys.ts'
import { createFileStorage } from '#server/demo/wxpay-emulator/storage.ts'
import { buildExam, examplePosts } from '../server/test/support/factories.ts'
import { answersOf } from '../server/test/support/signing.ts'
import { callAs, logInAs } from './support/caller.ts'
import { windows } from './support/exam.ts'
import { type Backdoor, type Member, openBackdoor, staffPassword } from './support/people.ts'
import { freePort, newDataDir, type RunningServer, removeData, startServer } from './support/server.ts'

const races = process.env['KAOPU_LONG'] ? 1_000 : 20
const callsPerProcess = 2
const people = { same: races, cap: 20, review: 10, pay: races }
/** Long enough for a thousand races on a busy machine. */
const raceTimeoutMs = 600_000
const places = 7

let a: RunningServer
let b: RunningServer
let backdoor: Backdoor
let crowd: Member[]

beforeAll(async () => {
  const dataDir = await newDataDir()
  a = await startServer({ dataDir, port: await freePort() })
  // The first process owns the bundled database; the second is told its address and shares secrets and files.
  const database = new URL((await startEmbedded({ dataDir, log: createLog('error') })).url)
  database.pathname = '/kaopu'
  b = await startServer({ dataDir, port: await freePort(), env: { DATABASE_URL: database.href } })
  backdoor = await openBackdoor(dataDir)
  await backdoor.addStaff([
    { account: 'chushen1', realName: '初审甲', roles: ['reviewer1'] },
    { account: 'chushen2', realName: '初审乙', roles: ['reviewer1'] },
  ])
  crowd = await backdoor.addCandidates(people.same + people.cap + people.review + people.pay)
})
afterAll(async () => {
  await backdoor?.close()
  await b?.stop()
  await a?.stop()
  if (a) await removeData(a.dataDir)
})

const examOf = (serial: number, levels: 1 | 2 = 2) => ({
  ...windows,
  exam_name: `多进程招聘${serial}`,
  exam_code: `P${serial}`,
  exam_no: serial,
  examine_levels: levels,
})
const take = (count: number): Member[] => crowd.splice(0, count)
const signUp = (at: RunningServer, member: Member, examId: string) =>
  callAs(at.url, member.token).post(
    '/blade-signup/signup/submit',
    { examId, code: 'B001', submitType: 1, promise: 1, content: answersOf(member.idCard, member.phone), signVersion: 0 },
    newToken(),
  )
const signedUp = async (member: Member, examId: string): Promise<string> => {
  const { status, body } = await signUp(a, member, examId)
  expect({ status, msg: body.msg }).toMatchObject({ status: 200 })
  return body.data.id
}
const openInfo = async (at: RunningServer, token: string, signUpId: string) =>
  (await callAs(at.url, token).post('/blade-signup/examine/open', { signUpId }, newToken())).body
const pass = (at: RunningServer, token: string, signUpId: string) =>
  callAs(at.url, token).post('/blade-signup/examine/examine', { signUpId, signVersion: 1, examineResult: 1 }, newToken())
const tally = (codes: readonly number[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1
  return counts
}

describe('two processes on one database', () => {
  test(
    `scenario 2: one sign-up sent ${2 * callsPerProcess} times at once to both is taken once, ${people.same} candidates`,
    async () => {
      const { examId } = await buildExam(backdoor, { exam: examOf(1), files: {} })
      for (const member of take(people.same)) {
        const answers = await Promise.all(Array.from({ length: 2 * callsPerProcess }, (_, at) => signUp(at % 2 ? b : a, member, examId)))
        expect(tally(answers.map(({ body }) => body.code))).toEqual({ 200: 1, 2103: 2 * callsPerProcess - 1 })
      }
      expect(
        await backdoor.db(db =>
          db.one(sql<object>`
          select count(*)::int as rows, count(distinct sign_no)::int as numbers,
            (select count(*)::int from signup_history h join signup s on s.id = h.signup_id where s.exam_id = ${examId}) as submissions,
            (select used_sign from type_code where exam_id = ${examId} and code = 'B001') as used
          from signup where exam_id = ${examId}`),
        ),
      ).toEqual({ rows: people.same, numbers: people.same, submissions: people.same, used: people.same })
      console.log(`scenario 2: ${people.same} races of ${2 * callsPerProcess} calls at two processes, ${people.same} sign-ups`)
    },
    raceTimeoutMs,
  )

  test(`scenario 2: ${people.cap} candidates at both for ${places} places, exactly ${places} get one`, async () => {
    const posts = examplePosts.map(post => ({ ...post, maxSign: places }))
    const { examId } = await buildExam(backdoor, { exam: examOf(2), files: {}, posts })
    const answers = await Promise.all(take(people.cap).map((member, at) => signUp(at % 2 ? b : a, member, examId)))
    expect(tally(answers.map(({ body }) => body.code))).toEqual({ 200: places, 2107: people.cap - places })
    expect(
      await backdoor.db(db =>
        db.one(sql<object>`
          select count(*)::int as rows, count(distinct sign_no)::int as numbers,
            (select used_sign from type_code where exam_id = ${examId} and code = 'B001') as used
          from signup where exam_id = ${examId}`),
      ),
    ).toEqual({ rows: places, numbers: places, used: places })
  })

  test(`scenario 7: two reviewers, one at each, open and decide the same ${people.review} sign-ups at once`, async () => {
    const { examId } = await buildExam(backdoor, { exam: examOf(3), files: {} })
    const ids: string[] = []
    for (const member of take(people.review)) ids.push(await signedUp(member, examId))
    const reviewers = [
      { at: a, token: await logInAs(a.url, 'chushen1', staffPassword) },
      { at: b, token: await logInAs(b.url, 'chushen2', staffPassword) },
    ]
    const both = <T>(work: (at: RunningServer, token: string, id: string) => Promise<T>): Promise<T[][]> =>
      Promise.all(ids.map(id => Promise.all(reviewers.map(({ at, token }) => work(at, token, id)))))
    const opened = await both(openInfo)
    const decided = await both(pass)
    const first = opened.filter(([info]) => info.data.mayDecide).length
    console.log(`scenario 7: ${ids.length} sign-ups, ${first} locks taken at the first process, ${ids.length - first} at the second`)
    for (const [index, infos] of opened.entries()) {
      const holds = infos.map(({ data }) => data.mayDecide)
      expect(tally(holds.map(Number))).toEqual({ 0: 1, 1: 1 })
      // Whoever holds the lock decides; the other one is told so, before and after the decision.
      expect(decided[index]?.map(({ body }) => body.code)).toEqual(holds.map(holdsLock => (holdsLock ? 200 : 2202)))
    }
    expect(
      await backdoor.db(db =>
        db.all(sql<object>`
          select s.examine, count(r.id)::int as records from signup s left join examine_record r on r.signup_id = s.id
          where s.exam_id = ${examId} group by s.id, s.examine`),
      ),
    ).toEqual(ids.map(() => ({ examine: 'second', records: 1 })))
  })

  test(
    `scenario 4: one payment notice ${2 * callsPerProcess} times at once at both is posted once, ${people.pay} payments`,
    async () => {
      const { examId } = await buildExam(backdoor, { exam: examOf(4, 1), files: {} })
      const reviewer = await logInAs(a.url, 'chushen1', staffPassword)
      const orders: string[] = []
      const waiting = take(people.pay)
      const bringToPay = async () => {
        for (let member = waiting.shift(); member !== undefined; member = waiting.shift()) {
          const signUpId = await signedUp(member, examId)
          await openInfo(a, reviewer, signUpId)
          expect((await pass(a, reviewer, signUpId)).body.data).toMatchObject({ examine: 5, payState: 1 })
          const due = await backdoor.db(db =>
            db.one(sql<{ id: string }>`select id::text as id from exam_pay where signup_id = ${signUpId}`),
          )
          const { data } = await callAs(a.url, member.token).get('/blade-exam/examination/getPayQrcode', { payId: due.id })
          orders.push(data.orderNo)
        }
      }
      await Promise.all(Array.from({ length: 4 }, bringToPay))
      // The provider seen from outside: it knows the orders and signs with its keys, and this test carries its notices.
      const folder = join(a.dataDir, 'wxpay')
      const keys = await loadOrMakeEmulatorKeys(join(folder, 'keys.json'), [], systemClock.now())
      const book = join(folder, 'book-of-the-test.jsonl')
      await copyFile(join(folder, 'book.jsonl'), book)
      const storage = createFileStorage(book)
      const scheduler = { soon: () => {}, every: () => () => {} }
      const provider = await createWxpayEmulator({ clock: systemClock, keys, storage, scheduler, send: async () => ({ status: 204 }) })
      for (const orderNo of orders) {
        await provider.forcePayment(keys.merchants[0]?.mchid ?? '', orderNo)
        const [notice] = provider.noticesAbout(orderNo).map(one => provider.composeNotice(one))
        if (!notice) throw new Error('the provider has no notice')
        const answers = await Promise.all(
          Array.from({ length: 2 * callsPerProcess }, (_, at) =>
            fetch(new URL(new URL(notice.url).pathname, (at % 2 ? b : a).url), {
              method: 'POST',
              headers: notice.headers,
              body: notice.body,
            }),
          ),
        )
        expect(tally(answers.map(({ status }) => status))).toEqual({ 204: 2 * callsPerProcess })
      }
      expect(
        await backdoor.db(db =>
          db.one(sql<object>`
          select count(*)::int as paid, (select count(*)::int from pay_ledger) as ledger, (select sum(amount_fen)::int from pay_ledger) as fen,
            (select count(*)::int from pay_refund) as refunds, (select count(*)::int from pay_alarm) as alarms,
            (select count(*)::int from pay_order where state = 'paid' and notify_count = ${2 * callsPerProcess}) as orders
          from exam_pay where exam_id = ${examId} and state = 'paid' and paid_fen = 10000`),
        ),
      ).toEqual({ paid: people.pay, ledger: people.pay, fen: people.pay * 10_000, refunds: 0, alarms: 0, orders: people.pay })
      console.log(`scenario 4: ${people.pay} races of ${2 * callsPerProcess} notices at two processes, ${people.pay} ledger rows`)
    },
    raceTimeoutMs,
  )

  test('[S7.08][S4.04] a session that is ended at one process is refused by the other', async () => {
    for (const [here, there] of [
      [a, b],
      [b, a],
    ] as const) {
      const token = await logInAs(here.url, 'chushen1', staffPassword)
      const ask = async () => (await callAs(there.url, token).get('/blade-auth/oauth/user-info')).code
      expect(await ask()).toBe(200)
      expect(await callAs(here.url, token).get('/blade-auth/oauth/logout')).toMatchObject({ success: true })
      await expect.poll(ask, { timeout: 30_000 }).toBe(401)
      expect(await ask()).toBe(401)
    }
  })
})
