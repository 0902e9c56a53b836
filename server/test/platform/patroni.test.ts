import { execFile, execFileSync } from 'node:child_process'
import { copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { newToken } from '#kernel/crypto/token.ts'
import { sql } from '#kernel/db/sql.ts'
import { createWxpayEmulator } from '#server/demo/wxpay-emulator/emulator.ts'
import { loadOrMakeEmulatorKeys } from '#server/demo/wxpay-emulator/keys.ts'
import { createFileStorage } from '#server/demo/wxpay-emulator/storage.ts'
import { callAs, logInAs } from '../../../e2e/support/caller.ts'
import { windows } from '../../../e2e/support/exam.ts'
import { type Backdoor, type Member, openBackdoor, staffPassword } from '../../../e2e/support/people.ts'
import { freePort, type RunningServer, removeData, startServer } from '../../../e2e/support/server.ts'
import { build } from '../../../tools/install.mjs'
import { buildExam } from '../support/factories.ts'
import { operateCommand } from '../support/operate-docs.ts'
import { noRealPatroni, type RealPatroni, startRealPatroni, ttlSeconds } from '../support/real-patroni.ts'
import { answersOf } from '../support/signing.ts'

const reason = noRealPatroni()
/** Payments that wait for their notice in each drill. */
const payments = 60
const candidates = 2_000
/** Writes of each kind that are answered before the leader goes, and after. */
const enough = 20

let patroni: RealPatroni
let servers: RunningServer[]
let backdoor: Backdoor
let dataDir: string
let crowd: Member[]
let reviewer: string

/** For what runs while the writers go on. */
const started = promisify(execFile)
/** Runs what the paper prints. */
const shell = (command: string, env: Readonly<Record<string, string>> = {}): string =>
  execFileSync('bash', ['-euc', command], { encoding: 'utf8', env: { ...process.env, ...env } })

describe.runIf(reason === undefined)('a cluster of Patroni', () => {
  beforeAll(async () => {
    await build(process.execPath, 'server')
    patroni = await startRealPatroni(({ port, password }) => {
      const owner = newToken()
      shell(operateCommand('fail-over-owner', { '10.0.0.1 port=5432': `127.0.0.1 port=${port}`, 'choose-a-password': owner }), {
        PGPASSWORD: password,
      })
      return owner
    })
    dataDir = await mkdtemp(join(tmpdir(), 'kaopu-patroni-data-'))
    const env = { DATABASE_URL: patroni.databaseUrl, KAOPU_LOG_LEVEL: 'error' }
    const first = await startServer({ dataDir, port: await freePort(), env })
    servers = [first, await startServer({ dataDir, port: await freePort(), env })]
    backdoor = await openBackdoor(dataDir, undefined, patroni.databaseUrl)
    await backdoor.addStaff([
      { account: 'chushen1', realName: '初审甲', roles: ['reviewer1'] },
      { account: 'guanli', realName: '陈管理', roles: ['admin'] },
    ])
    crowd = await backdoor.addCandidates(candidates)
    reviewer = await logInAs(first.url, 'chushen1', staffPassword)
  }, 600_000)
  afterAll(async () => {
    await backdoor?.close()
    for (const server of servers ?? []) await server.stop()
    await patroni?.close()
    if (dataDir) await removeData(dataDir)
  }, 120_000)

  const urlOf = (turn: number): string => (servers[turn % 2] as RunningServer).url
  const examOf = (serial: number) => ({
    ...windows,
    exam_name: `主备切换${serial}`,
    exam_code: `F${serial}`,
    exam_no: serial,
    examine_levels: 1 as const,
  })
  const submitOf = (examId: string, member: Member, at: string, key: string) =>
    callAs(at, member.token).post(
      '/blade-signup/signup/submit',
      { examId, code: 'B001', submitType: 1, promise: 1, content: answersOf(member.idCard, member.phone), signVersion: 0 },
      key,
    )

  /** Orders that are ready to be paid, with the provider's notice for each. */
  const readyToPay = async (examId: string) => {
    const orders: string[] = []
    const waiting = crowd.splice(0, payments)
    const bring = async () => {
      for (let member = waiting.shift(); member !== undefined; member = waiting.shift()) {
        const { body } = await submitOf(examId, member, urlOf(0), newToken())
        const signUpId: string = body.data.id
        await callAs(urlOf(0), reviewer).post('/blade-signup/examine/open', { signUpId }, newToken())
        await callAs(urlOf(0), reviewer).post('/blade-signup/examine/examine', { signUpId, signVersion: 1, examineResult: 1 }, newToken())
        const due = await backdoor.db(db => db.one(sql<{ id: string }>`select id::text as id from exam_pay where signup_id = ${signUpId}`))
        const { data } = await callAs(urlOf(0), member.token).get('/blade-exam/examination/getPayQrcode', { payId: due.id })
        orders.push(data.orderNo)
      }
    }
    await Promise.all([bring(), bring(), bring(), bring()])
    const folder = join(dataDir, 'wxpay')
    const keys = await loadOrMakeEmulatorKeys(join(folder, 'keys.json'), [], systemClock.now())
    const book = join(folder, `book-of-${examId}.jsonl`)
    await copyFile(join(folder, 'book.jsonl'), book)
    const provider = await createWxpayEmulator({
      clock: systemClock,
      keys,
      storage: createFileStorage(book),
      scheduler: { soon: () => {}, every: () => () => {} },
      send: async () => ({ status: 204 }),
    })
    for (const orderNo of orders) await provider.forcePayment(keys.merchants[0]?.mchid ?? '', orderNo)
    return orders.map(orderNo => {
      const [notice] = provider.noticesAbout(orderNo).map(one => provider.composeNotice(one))
      if (!notice) throw new Error('the provider has no notice')
      return { orderNo, notice }
    })
  }

  interface Told {
    readonly status: number
    /** Reason of a refusal. */
    readonly reason?: string
    readonly id?: string
  }
  /** What may be answered while there is no primary; everything else is a defect. */
  const meanwhile = ['kernel/no-database', 'kernel/outcome-unknown', 'kernel/idempotency-running']

  const drill = async (serial: number, goes: (leader: string) => void | Promise<void>) => {
    const { examId } = await buildExam(backdoor, { exam: examOf(serial), files: {} })
    const notices = await readyToPay(examId)
    const people = crowd.splice(0, 600)
    const done = { submits: [] as string[], uploads: [] as string[], payments: [] as string[] }
    const refusals: Record<string, number> = {}
    const answeredAt: number[] = []
    let isOver = false
    let turn = 0
    /** Sends one write, with its key, until it is acknowledged. */
    const until = async (send: (at: string) => Promise<Told>): Promise<string | undefined> => {
      for (;;) {
        turn += 1
        const told = await send(urlOf(turn))
        if (told.status === 200 || told.status === 204) {
          answeredAt.push(performance.now())
          return told.id ?? ''
        }
        expect(
          [told.status, meanwhile.includes(told.reason ?? '')],
          `${JSON.stringify(told)}\n${servers
            .map(server =>
              server
                .output()
                .split('\n')
                .filter(line => line.includes('request failed'))
                .slice(-3)
                .join('\n'),
            )
            .join('\n')}`,
        ).toEqual([told.reason === 'kernel/idempotency-running' ? 409 : 503, true])
        refusals[told.reason ?? ''] = (refusals[told.reason ?? ''] ?? 0) + 1
        // Sooner than `Retry-After` says: the gap is to be measured.
        await pause(100)
      }
    }
    const submits = async () => {
      for (let member = people.shift(); member !== undefined && !isOver; member = people.shift()) {
        const [one, key] = [member, newToken()]
        const id = await until(async at => {
          const { status, body } = await submitOf(examId, one, at, key)
          return { status, reason: body.reason, id: body.data?.id }
        })
        if (id) done.submits.push(id)
        // Some are left for the time behind the gap.
        await pause(200)
      }
    }
    const uploader = crowd.splice(0, 1)[0] as Member
    const uploads = async () => {
      for (let serial = 1; !isOver; serial += 1) {
        const key = newToken()
        const bytes = Buffer.from(
          `%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n% ${serial}\n`,
        )
        const id = await until(async at => {
          const form = new FormData()
          form.set('purpose', 'document')
          form.set('file', new Blob([bytes]), `file-${serial}.pdf`)
          const answer = await fetch(`${at}/api/file/upload`, {
            method: 'POST',
            headers: { 'Blade-Auth': `bearer ${uploader.token}`, 'Idempotency-Key': key },
            body: form,
          })
          const body = (await answer.json()) as { readonly reason?: string; readonly data?: { readonly fileId?: string } }
          return { status: answer.status, reason: body.reason ?? '', id: body.data?.fileId ?? '' }
        })
        if (id) done.uploads.push(id)
        // As fast as somebody uploads: no more than the quota of a person in the time of the drill.
        await pause(300)
      }
    }
    const pays = async () => {
      for (const { orderNo, notice } of notices) {
        await until(async at => {
          const answer = await fetch(new URL(new URL(notice.url).pathname, at), {
            method: 'POST',
            headers: notice.headers,
            body: notice.body,
          })
          return answer.status === 204 ? { status: 204 } : { status: answer.status, reason: 'kernel/no-database' }
        })
        done.payments.push(orderNo)
        // Before, during and after.
        await pause(200)
      }
    }
    const control = async () => {
      await expect
        .poll(() => Math.min(done.submits.length, done.uploads.length, done.payments.length), { timeout: 60_000 })
        .toBeGreaterThan(enough / 4)
      const leader = await patroni.leader()
      await goes(leader)
      await expect.poll(() => patroni.leader(), { timeout: 120_000 }).not.toBe(leader)
      const [submitsBefore, uploadsBefore] = [done.submits.length, done.uploads.length]
      await expect
        .poll(() => Math.min(done.submits.length - submitsBefore, done.uploads.length - uploadsBefore), { timeout: 120_000 })
        .toBeGreaterThan(enough)
      isOver = true
    }
    await Promise.all([control(), submits(), submits(), submits(), uploads(), pays()])
    const ordered = answeredAt.toSorted((x, y) => x - y)
    const gapMs = Math.max(...ordered.slice(1).map((at, index) => at - (ordered[index] ?? at)))
    // Nothing that was acknowledged is lost, and nothing stands twice.
    const stored = await backdoor.db(async db => ({
      submits: (await db.all(sql<{ id: string }>`select id::text as id from signup where exam_id = ${examId}`)).map(row => row.id),
      uploads: (
        await db.all(
          sql<{
            id: string
          }>`select f.id::text as id from stored_file f join session s on s.user_id = f.user_id where f.name like 'file-%'`,
        )
      ).map(row => row.id),
      payments: await db.one(sql<{ paid: number; ledger: number }>`
        select count(*)::int as paid, (select count(*)::int from pay_ledger l join exam_pay p on p.id = l.pay_id where p.exam_id = ${examId}) as ledger
        from exam_pay where exam_id = ${examId} and state = 'paid'`),
    }))
    expect(done.submits.filter(id => !stored.submits.includes(id))).toEqual([])
    expect(stored.submits).toHaveLength(done.submits.length + payments)
    expect(done.uploads.filter(id => !stored.uploads.includes(id))).toEqual([])
    expect(new Set(done.uploads).size).toBe(done.uploads.length)
    expect(stored.payments).toEqual({ paid: payments, ledger: payments })
    console.log(
      `TTL ${ttlSeconds} s: ${done.submits.length} submits, ${done.uploads.length} uploads, ${done.payments.length} payments acknowledged, none lost; gap ${(gapMs / 1000).toFixed(1)} s; answers meanwhile: ${JSON.stringify(refusals)}`,
    )
    return { refusals }
  }

  test('whose leader is killed: nothing acknowledged is lost, nothing stands twice, and who asks meanwhile is told so', async () => {
    let killed = ''
    const { refusals } = await drill(1, leader => {
      killed = leader
      patroni.kill(leader)
    }).finally(() => patroni.revive(killed))
    expect(refusals['kernel/no-database']).toBeGreaterThan(0)
  }, 600_000)

  test('that is handed over by the command of the paper: nothing is lost either', async () => {
    const configuration = { '/etc/patroni/config.yml': patroni.configuration }
    await expect
      .poll(() => shell(operateCommand('fail-over-list', configuration)).match(/streaming|running/g)?.length, { timeout: 120_000 })
      .toBe(3)
    await drill(2, async () => void (await started('bash', ['-euc', operateCommand('fail-over-switch', configuration)])))
  }, 600_000)
})

test.runIf(reason !== undefined)(`a cluster of Patroni cannot be tried here: ${reason}`, () => {
  expect(reason).not.toBe('')
})
