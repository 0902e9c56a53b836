import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newToken } from '#kernel/crypto/token.ts'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { answersOf } from '../server/test/support/signing.ts'
import { callAs, logInAs } from './support/caller.ts'
import { windows } from './support/exam.ts'
import { type Backdoor, type Member, openBackdoor, staffPassword } from './support/people.ts'
import { freePort, newDataDir, type RunningServer, removeData, startServer } from './support/server.ts'

const rounds = process.env['KAOPU_LONG'] ? 20 : 2
/** Answers that a round waits for before the process is killed; more calls are under way then. */
const answersPerRound = 60
const candidatesPerRound = 40
const administrators = 4

interface Write {
  readonly key: string
  readonly token: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  /** What the server answered; undefined when the process died first. */
  answer?: unknown
}

let server: RunningServer
let backdoor: Backdoor
let adminToken: string
let examId: string
let crowd: Member[]
const port = await freePort()

beforeAll(async () => {
  server = await startServer({ dataDir: await newDataDir(), port })
  backdoor = await openBackdoor(server.dataDir)
  await backdoor.addStaff([{ account: 'guanli', realName: '陈管理', roles: ['admin'] }])
  crowd = await backdoor.addCandidates(rounds * candidatesPerRound)
  examId = (await buildExam(backdoor, { exam: windows, files: {} })).examId
  adminToken = await logInAs(server.url, 'guanli', staffPassword)
})
afterAll(async () => {
  await backdoor?.close()
  await server?.stop()
  if (server) await removeData(server.dataDir)
})

const paramOf = (round: number, serial: number): Write => ({
  key: newToken(),
  token: adminToken,
  path: '/blade-system/param/submit',
  body: { paramName: `参数 ${round}-${serial}`, paramKey: `kill.${round}.${serial}`, paramValue: String(serial) },
})
const signupOf = (member: Member): Write => ({
  key: newToken(),
  token: member.token,
  path: '/blade-signup/signup/submit',
  body: { examId, code: 'B001', submitType: 1, promise: 1, content: answersOf(member.idCard, member.phone) },
})

const send = async (write: Write): Promise<boolean> => {
  const { status, body } = await callAs(server.url, write.token).post(write.path, write.body, write.key)
  expect({ status, msg: body.msg }, write.path).toMatchObject({ status: 200 })
  write.answer = body.data
  return true
}

/** Writers work until the process is gone; the kill comes as soon as enough calls have been answered. */
const writeUntilKilled = async (round: number): Promise<Write[]> => {
  const writes: Write[] = []
  let answered = 0
  let killed: Promise<void> | undefined
  const writer = async (next: () => Write | undefined) => {
    for (let write = next(); write !== undefined && killed === undefined; write = next()) {
      writes.push(write)
      const isAnswered = await send(write).catch((error: unknown) => {
        // Only a call that the kill cut off may end without an answer.
        if (killed === undefined || !(error instanceof TypeError)) throw error
        return false
      })
      if (isAnswered) answered += 1
      if (answered >= answersPerRound) killed ??= server.kill()
    }
  }
  const people = crowd.slice(round * candidatesPerRound, (round + 1) * candidatesPerRound)
  let serial = 0
  const params = () => paramOf(round, serial++)
  const signups = () => {
    const member = people.shift()
    return member && signupOf(member)
  }
  await Promise.all([...Array.from({ length: administrators }, () => writer(params)), writer(signups), writer(signups), writer(signups)])
  await killed
  return writes
}

const stored = async (): Promise<{ params: string[]; signups: string[] }> => ({
  params: (await backdoor.db(db => db.all(sql<{ key: string }>`select param_key as key from param where param_key like 'kill.%'`))).map(
    row => row.key,
  ),
  signups: (await backdoor.db(db => db.all(sql<{ id: string }>`select id::text as id from signup where exam_id = ${examId}`))).map(
    row => row.id,
  ),
})

describe('a server process that is killed', () => {
  test(
    `${rounds} rounds of kill -9 lose nothing that was acknowledged`,
    async () => {
      const count = { acknowledged: 0, cutOff: 0, restartsMs: [] as number[] }
      let expected = 0
      for (let round = 0; round < rounds; round++) {
        const writes = await writeUntilKilled(round)
        const began = performance.now()
        server = await startServer({ dataDir: server.dataDir, port })
        count.restartsMs.push(Math.round(performance.now() - began))

        const acknowledged = writes.filter(write => write.answer !== undefined)
        const before = await stored()
        for (const write of acknowledged) {
          const { paramKey } = write.body
          if (typeof paramKey === 'string') expect(before.params).toContain(paramKey)
          else expect(before.signups).toContain((write.answer as { id: string }).id)
        }
        // Every call is made once more with its key: the answered ones answer the same, the others happen once.
        for (const write of writes) {
          const first = write.answer
          await send(write)
          if (first !== undefined) expect(write.answer).toEqual(first)
        }
        expected += writes.length
        const after = await stored()
        expect(after.params.length + after.signups.length).toBe(expected)
        expect(new Set(after.params).size).toBe(after.params.length)
        count.acknowledged += acknowledged.length
        count.cutOff += writes.length - acknowledged.length
      }
      console.log(
        `kill -9: ${rounds} rounds, ${count.acknowledged} acknowledged writes kept, ${count.cutOff} cut off and repeated, restarts ${count.restartsMs.join(', ')} ms`,
      )
    },
    rounds * 60_000,
  )
})
