import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  acknowledgementLines,
  memoriesWithoutAcknowledged,
  readAcknowledgements,
  signAcknowledgement,
} from '#kernel/audit-chain/acknowledge.ts'
import { anchorPath, readAnchors } from '#kernel/audit-chain/anchor.ts'
import { auditPrint } from '#kernel/audit-chain/hand-over.ts'
import { allHeads, compareMemories, readMemories } from '#kernel/audit-chain/memory.ts'
import { createSealer } from '#kernel/audit-chain/seal.ts'
import { verifyAudit } from '#kernel/audit-chain/verify.ts'
import { sql } from '#kernel/db/sql.ts'
import { createLog } from '#kernel/log.ts'
import { acknowledgeRestore, type Witness } from '#server/audit-acknowledge.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../support/app.ts'
import { operateCommand } from '../support/operate-docs.ts'

let t: TestApp
let platform: TestTenant
beforeAll(async () => {
  t = await startTestApp()
  platform = t.platform()
})
afterAll(() => t.close())

/** The operator's commands on this installation. */
const operate = (text: string, input: string): Promise<{ code: number; said: string; complained: string }> =>
  new Promise(done => {
    const child = execFile(
      'bash',
      ['--norc', '-e', '-c', text],
      {
        cwd: fileURLToPath(new URL('../../..', import.meta.url)),
        env: {
          PATH: process.env.PATH,
          KAOPU_PROFILE: 'test',
          KAOPU_DATA: dataDir(),
          KAOPU_SECRETS_FILE: join(inject('dataDir'), 'secrets.json'),
          DATABASE_URL: t.databaseUrl,
        },
      },
      (error, said, complained) => done({ code: error === null ? 0 : Number(error.code ?? -1), said, complained }),
    )
    child.stdin?.end(input)
  })
const dataDir = () => t.app.services.config.dataDir
const key = () => t.app.services.secrets.auditKey
const seal = async (): Promise<void> => {
  const sealer = createSealer({
    ...{ pool: t.app.services.pools.kaopu_platform, key: key(), clock: t.clock, log: createLog('silent'), isTicking: false },
    heads: { dataDir: dataDir(), second: undefined },
  })
  await sealer.sealNow()
  await sealer.stop()
}
/** What `npm run audit:verify` finds, and says about restores. */
const verify = async () => {
  const client = await t.app.services.pools.kaopu_platform.connect()
  try {
    const acknowledged = await readAcknowledgements(client, [key()])
    const memories = memoriesWithoutAcknowledged(await readMemories({ dataDir: dataDir(), second: undefined }, key()), acknowledged)
    const { findings } = await verifyAudit(client, key(), t.clock.now(), allHeads(memories))
    return {
      findings: [...new Set([...findings, ...compareMemories(memories)].map(({ problem }) => problem))],
      said: acknowledged.flatMap(acknowledgementLines),
    }
  } finally {
    client.release()
  }
}
const act = async (person: Person, name: string): Promise<void> => {
  const { status } = await person.post('/blade-system/param/submit', {
    json: { paramName: name, paramKey: `ack.${name}`, paramValue: '1' },
  })
  expect(status).toBe(200)
}
/** The database of an earlier day: the end of the chain is gone, with its lines. */
const putBackTo = async (seq: number): Promise<void> => {
  const owner = await t.owner()
  await owner.query('set session_replication_role = replica')
  await owner.query(
    "delete from audit_log where tenant_id = '000000' and id in (select audit_id from audit_seal where tenant_id = '000000' and seq > $1)",
    [seq],
  )
  await owner.query("delete from audit_seal where tenant_id = '000000' and seq > $1", [seq])
  await owner.query('set session_replication_role = origin')
}
const headOf = async () =>
  (
    await platform.rows(sql<{ seq: string; chain: string }>`
      select seq::text as seq, chain_hash as chain from audit_seal where tenant_id = '000000' order by seq desc limit 1`)
  )[0] ?? { seq: '0', chain: '' }
const witness = async (role: 'admin' | 'auditor'): Promise<Witness> => {
  const person = await platform.staff(role)
  const hash = await t.app.services.passwords.hash('Right-horse-7')
  const [row] = await platform.rows(
    sql<{ account: string }>`update account set password_hash = ${hash}, status = 1 where id = ${person.userId} returning account`,
  )
  return { account: row?.account ?? '', password: 'Right-horse-7', code: async () => '' }
}

test('two people answer for a database that was put back: the trail says from where to where, when and by whom, and a later cut is found all the same', async () => {
  const admin = await platform.staff('admin')
  await act(admin, 'before')
  await seal()
  const restored = await headOf()
  await act(admin, 'lost')
  t.clock.advance(120_000)
  await seal()
  const lost = await headOf()
  await putBackTo(Number(restored.seq))
  expect((await verify()).findings).toEqual(['anchorLost'])

  const [one, two] = [await witness('admin'), await witness('auditor')]
  const reason = 'Disk of the server lost on the night; backup of two o’clock'
  const refused = async (witnesses: readonly Witness[], why = reason): Promise<string> =>
    acknowledgeRestore(t.app, { witnesses, reason: why }).then(
      () => 'accepted',
      (error: Error) => error.message,
    )
  expect(await refused([one])).toContain('Two people')
  expect(await refused([one, one])).toContain('both accounts are one')
  expect(await refused([one, { ...two, password: 'wrong' }])).toBe(`${two.account}: there is no such account with this password.`)
  expect(await refused([one, two], 'short')).toContain('--reason')
  expect((await verify()).findings).toEqual(['anchorLost'])

  const text = operateCommand('restore-acknowledge', {
    admin1: one.account,
    auditor1: two.account,
    'Disk lost on 3 March, backup of 02:00': reason,
  })
  expect(await operate(text, `${one.password}\n${two.password}\n`)).toMatchObject({ code: 0, complained: '' })

  const verified = await verify()
  expect(verified.findings).toEqual([])
  const said = `000000  put back from seal ${lost.seq} (${lost.chain}) to seal ${restored.seq} (${restored.chain}): acknowledged AT by ${one.account} and ${two.account}: ${reason}`
  expect(verified.said.map(line => line.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, 'AT'))).toEqual([said])
  expect(await refused([one, two])).toContain('There is nothing to acknowledge')

  // The chain goes on and is cut again, to where it was acknowledged: nobody answered for that.
  await act(admin, 'after')
  t.clock.advance(120_000)
  await seal()
  await putBackTo(Number(restored.seq) + 1)
  expect((await verify()).findings).toEqual(['anchorLost'])
})

test('a line that the owner of the database slips in excuses nothing: it is not signed by the installation’s key', async () => {
  const anchors = await readAnchors(anchorPath(dataDir()))
  const forged = signAcknowledgement(Buffer.alloc(32, 7), {
    at: t.clock.now().toISOString(),
    by: ['a', 'b'],
    reason: 'nothing',
    lost: anchors,
    heads: [],
  })
  await platform.db(async db =>
    db.run(
      sql`insert into audit_log (tenant_id, user_id, actor_kind, action, entity, after_value) values ('000000', 0, 'system', 'audit.restore-acknowledged', 'audit', ${JSON.stringify(forged)})`,
    ),
  )
  await seal()
  expect((await verify()).findings).toContain('anchorLost')
})

test('it is sealed with the key that the chains go by, also where the next audit key is in use and they were not handed over to it yet', async () => {
  const admin = await platform.staff('admin')
  await act(admin, 'ring.before')
  await seal()
  const { seq } = await headOf()
  await act(admin, 'ring.lost')
  t.clock.advance(120_000)
  await seal()
  await putBackTo(Number(seq))
  const before = { ...t.app.keys.secrets }
  const owner = await t.owner()
  await owner.query('update audit_sealer set key_print = $1', [auditPrint(before.auditKey)])
  t.app.keys.replace({
    ...before,
    auditKey: Buffer.alloc(32, 0x5a),
    former: { ...before.former, auditKey: [{ key: before.auditKey, until: t.clock.now() }] },
  })
  try {
    const done = await acknowledgeRestore(t.app, {
      witnesses: [await witness('admin'), await witness('auditor')],
      reason: 'Restored beside a change of keys',
    })

    expect(done.lost.map(({ tenant }) => tenant)).toContain('000000')
    const client = await t.app.services.pools.kaopu_platform.connect()
    const { findings } = await verifyAudit(client, before.auditKey, t.clock.now()).finally(() => client.release())
    expect(findings.filter(({ problem }) => problem === 'sealForged')).toEqual([])
    expect(
      (await readAcknowledgements(t.app.services.pools.kaopu_platform as never, t.app.services.keys.auditKey.accepted())).at(-1),
    ).toEqual(done)
  } finally {
    t.app.keys.replace(before)
    await owner.query('update audit_sealer set key_print = null')
  }
})
