import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newToken } from '#kernel/crypto/token.ts'
import { sql } from '#kernel/db/sql.ts'
import { buildExam } from '../server/test/support/factories.ts'
import { operateCommand } from '../server/test/support/operate-docs.ts'
import { answersOf } from '../server/test/support/signing.ts'
import { callAs } from './support/caller.ts'
import { windows } from './support/exam.ts'
import { type Member, openBackdoor } from './support/people.ts'
import { freePort, newDataDir, type RunningServer, removeData, startServer } from './support/server.ts'

const people = process.env['KAOPU_LONG'] ? 1_000 : 60
/** The backup begins when so many have been answered, and the disk is lost when so many more were answered after it. */
const beforeBackup = people * 0.3
const afterBackup = people * 0.2
const writers = 6
const root = fileURLToPath(new URL('..', import.meta.url))

let server: RunningServer
let home: string
beforeAll(async () => {
  server = await startServer({ dataDir: await newDataDir(), port: await freePort() })
  home = await mkdtemp(join(tmpdir(), 'kaopu-drill-'))
  for (const name of ['first', 'second']) await mkdir(join(home, name))
})
afterAll(async () => {
  await server?.stop()
  if (server) await removeData(server.dataDir)
  await rm(home, { recursive: true, force: true })
})

const folders = () => ({ '/mnt/backup/kaopu': join(home, 'place') })
/** A command of the papers. @returns what it said */
const operate = (text: string): Promise<string> =>
  new Promise((done, fail) => {
    execFile(
      'bash',
      ['--norc', '-e', '-c', text],
      { cwd: root, env: { PATH: process.env.PATH, KAOPU_PROFILE: 'test', KAOPU_DATA: server.dataDir } },
      (error, said, complained) => (error === null ? done(said) : fail(new Error(`${said}${complained}`))),
    )
  })

interface Write {
  readonly member: Member
  /** Made again after the restore with the same key. */
  readonly key: string
  id?: string
  /** By the clock of this machine, when the answer was here. */
  answeredAt?: number
}

test(`the disk of the server is lost in the middle of ${people} submits: all that was acknowledged before the instant of the backup comes back, and the rest hand in again, each once`, async () => {
  const before = await openBackdoor(server.dataDir)
  const crowd = await before.addCandidates(people)
  const { examId } = await buildExam(before, { exam: windows, files: {} })
  await before.close()
  await operate(operateCommand('backup-keys', { '/media/first': join(home, 'first'), '/media/second': join(home, 'second') }))

  const writes = crowd.map((member): Write => ({ member, key: newToken() }))
  const send = async (write: Write): Promise<void> => {
    const { member, key } = write
    const body = { examId, code: 'B001', submitType: 1, promise: 1, content: answersOf(member.idCard, member.phone) }
    const answer = await callAs(server.url, member.token).post('/blade-signup/signup/submit', body, key)
    if (answer.status !== 200) throw new TypeError(`${answer.status} ${answer.body.msg}`)
    write.id = answer.body.data.id
    write.answeredAt ??= Date.now()
  }
  let answered = 0
  let answeredAtBackup: number | undefined
  let backup: Promise<void> | undefined
  let lost: Promise<void> | undefined
  /** The database server and everything in the folder, beside the program that goes on working. */
  const loseDisk = async (): Promise<void> => {
    const [pid] = (await readFile(join(server.dataDir, 'postgres/pgdata/postmaster.pid'), 'utf8')).split('\n')
    process.kill(Number(pid), 'SIGKILL')
    await rm(server.dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    await server.kill()
    await rm(server.dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
  const rest = [...writes]
  const writer = async (): Promise<void> => {
    for (let write = rest.shift(); write !== undefined; write = rest.shift()) {
      try {
        await send(write)
      } catch (error) {
        // Only the loss of the disk may leave a call without its answer.
        if (lost === undefined || !(error instanceof TypeError)) throw error
        return
      }
      answered += 1
      if (answered >= beforeBackup)
        backup ??= operate(operateCommand('backup-take', folders())).then(() => {
          answeredAtBackup = answered
        })
      // The last of them wait for the backup, so that some are acknowledged after it.
      if (rest.length <= people - beforeBackup - 2 * afterBackup) await backup
      if (answeredAtBackup !== undefined && answered >= answeredAtBackup + afterBackup) lost ??= loseDisk()
    }
  }
  await Promise.all(Array.from({ length: writers }, writer))
  expect(lost).toBeDefined()
  await lost
  const acknowledged = writes.filter(({ answeredAt }) => answeredAt !== undefined)

  const began = performance.now()
  const said = await operate(operateCommand('restore-bundled', { ...folders(), '/media/second': join(home, 'second') }))
  server = await startServer({ dataDir: server.dataDir, port: await freePort() })
  const restoreMs = performance.now() - began

  expect(server.output()).toMatch(/^Restored from the backup \S+ \(data of .*\)\. Nothing is sent, no job runs/m)
  const takenAt = Date.parse(/All that was acknowledged before (\S+) is there/.exec(said)?.[1] ?? '')
  const after = await openBackdoor(server.dataDir)
  const stored = async (): Promise<readonly string[]> =>
    (await after.db(db => db.all(sql<{ id: string }>`select id::text as id from signup where exam_id = ${examId}`))).map(row => row.id)
  try {
    const there = new Set(await stored())
    const promised = acknowledged.filter(({ answeredAt = 0 }) => answeredAt < takenAt)
    expect(promised.length).toBeGreaterThanOrEqual(beforeBackup)
    expect(promised.filter(({ id = '' }) => !there.has(id))).toEqual([])
    const gone = acknowledged.filter(({ id = '' }) => !there.has(id))
    expect(gone.length).toBeGreaterThan(0)
    if (process.env['KAOPU_LONG']) expect(await operate('npm run --silent audit:verify')).toMatch(/\d+ audit lines verified/)
    await operate(operateCommand('restore-release'))
    for (const write of writes) await send(write)
    // One sign-up each: the answer of a call that came back is the answer of before.
    const once = await stored()
    expect([once.length, new Set(once).size, writes.filter(({ id = '' }) => !once.includes(id))]).toEqual([people, people, []])
    console.log(
      `disk lost: ${acknowledged.length} of ${people} acknowledged, ${promised.length} before the instant of the backup and all of them there, ${gone.length} after it and gone; back in ${(restoreMs / 1_000).toFixed(1)} s`,
    )
  } finally {
    await after.close()
  }
}, 900_000)
