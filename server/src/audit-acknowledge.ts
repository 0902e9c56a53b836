import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { apartRoles } from '#contract/access/role.ts'
import { audit } from '#kernel/audit.ts'
import {
  type Acknowledgement,
  acknowledgedAction,
  acknowledgementLines,
  readAcknowledgements,
  signAcknowledgement,
  withoutAcknowledged,
} from '#kernel/audit-chain/acknowledge.ts'
import { anchorPath, movedAnchors, readAnchors, writeAnchors } from '#kernel/audit-chain/anchor.ts'
import type { AuditHead } from '#kernel/audit-chain/line.ts'
import { allHeads, readMemories } from '#kernel/audit-chain/memory.ts'
import { createSealer } from '#kernel/audit-chain/seal.ts'
import { lostOf } from '#kernel/audit-chain/verify.ts'
import { called } from '#kernel/called.ts'
import type { Clock } from '#kernel/clock.ts'
import type { KeyRing } from '#kernel/crypto/key-ring.ts'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'
import type { PoolClient } from '#kernel/db/pool.ts'
import { type Scopes, systemOf } from '#kernel/db/scope.ts'
import { sql } from '#kernel/db/sql.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { type Application, createApplication } from '#server/app.ts'
import { headsGiven } from '#server/audit-verify.ts'
import type { Config } from '#server/config.ts'
import { command, withInstallation } from '#server/operator.ts'
import { platformTenant } from '../seed/base/seed-base.ts'

const usage = `Records that the database was put back on purpose, so that "${called('audit:verify')}" says so instead of finding the chains cut.

  ${called('audit:acknowledge-restore', '--account <name> --account <name> --reason <text> [--head <tenant>:<seq>:<hash>]...')}

Two people of the platform who are administrator, security administrator or auditor prove themselves, each with their own password and, where they have
one, their second factor: asked for here, or read from standard input, a line each. "--head" adds heads that an export of the trail carries.`

export interface Witness {
  readonly account: string
  readonly password: string
  /** Asked for when the account has a second factor. */
  readonly code: () => Promise<string>
}

/** The call of somebody at the server's console. */
const consoleCtx = (scopes: Scopes, clock: Clock): Ctx => ({
  tenantId: platformTenant,
  session: undefined,
  guest: undefined,
  language: 'en',
  arrivedAt: clock.now(),
  ip: '127.0.0.1',
  addressBy: 'connection',
  host: '',
  userAgent: 'command line',
  traceId: '',
  files: [],
  rawBody: Buffer.alloc(0),
  header: () => undefined,
  reply: () => {},
  say: label => label.en,
  claimPlace: async () => undefined,
  tx: work => scopes.tx(systemOf(platformTenant), clock.now(), work),
  asSystem: (_because, work) => scopes.tx(systemOf(platformTenant), clock.now(), work),
  actsForPlatform: () => true,
})

/** @throws StartRefusal for who is not who they say, or may not answer for the audit */
const proveWitness = async ({ services, modules }: Application, witness: Witness): Promise<string> => {
  const ctx = consoleCtx(services.scopes, services.clock)
  const { account, password, code } = witness
  const proven = await modules.auth.proveAtConsole(ctx, { account, password, code })
  if (typeof proven === 'string') throw new StartRefusal(`${account}: ${proven}`)
  const roles = await ctx.tx(db =>
    db.all(sql<{ alias: string }>`
      select r.role_alias as alias from account_role ar join role r on r.id = ar.role_id and r.tenant_id = ar.tenant_id
      where ar.user_id = ${proven.userId} and not r.is_deleted and r.role_alias = any(${[...apartRoles]})`),
  )
  if (roles.length === 0) throw new StartRefusal(`${account} is neither administrator, security administrator nor auditor of the platform.`)
  return proven.userId
}

/** Heads that anybody outside of the database remembers. */
const remembered = async ({ dataDir, auditJournal }: Config, auditKey: KeyRing, given: readonly AuditHead[]) => [
  ...allHeads(await readMemories({ dataDir, second: auditJournal }, auditKey)),
  ...given,
]

const headsOf = async (client: PoolClient, tenants: readonly string[]): Promise<readonly AuditHead[]> =>
  (
    await client.query<AuditHead>(
      `select t.tenant, s.seq::text as seq, s.chain_hash as chain from unnest($1::text[]) as t (tenant)
       cross join lateral (select seq, chain_hash from audit_seal where tenant_id = t.tenant order by seq desc limit 1) s order by 1`,
      [tenants],
    )
  ).rows

/** So long the program that runs may take to seal a line. */
const sealWithinMs = 30_000

/**
 * Two people answer for a database that was put back. What was lost stands in a sealed line of the audit, head by head, and the anchors go on from what is
 * there.
 *
 * @throws StartRefusal where nothing was lost, or one of the two does not prove to be who they say
 */
export const acknowledgeRestore = async (
  application: Application,
  {
    witnesses,
    reason,
    given = [],
  }: { readonly witnesses: readonly Witness[]; readonly reason: string; readonly given?: readonly AuditHead[] },
): Promise<Acknowledgement> => {
  const { services } = application
  const { config, keys, clock, pools, scopes, log } = services
  const [one, two, ...more] = witnesses
  if (!one || !two || more.length > 0) throw new StartRefusal(usage)
  if (reason.trim().length < 10 || reason.length > 400)
    throw new StartRefusal('--reason takes 10 to 400 characters: what happened, and what the data is of.')
  const ids = [await proveWitness(application, one), await proveWitness(application, two)]
  if (ids[0] === ids[1]) throw new StartRefusal('Two different people are needed: both accounts are one.')
  const client = await pools.kaopu_platform.connect()
  try {
    await client.query('set statement_timeout = 0')
    const known = withoutAcknowledged(
      await remembered(config, keys.auditKey, given),
      await readAcknowledgements(client, keys.auditKey.accepted()),
    )
    const lost = await lostOf(client, [...new Map(known.map(head => [`${head.tenant} ${head.seq} ${head.chain}`, head])).values()])
    if (lost.length === 0) throw new StartRefusal('There is nothing to acknowledge: the chains hold every head that anybody remembers.')
    const tenants = [...new Set(lost.map(({ tenant }) => tenant))]
    const acknowledgement: Acknowledgement = {
      at: clock.now().toISOString(),
      by: [one.account, two.account],
      reason: reason.trim(),
      lost,
      heads: await headsOf(client, tenants),
    }
    const written = await scopes.tx(systemOf(platformTenant), clock.now(), async db => {
      await audit(db, undefined, {
        action: acknowledgedAction,
        entity: 'audit',
        entityId: null,
        after: signAcknowledgement(keys.auditKey.current(), acknowledgement),
        reason: acknowledgement.reason,
      })
      return db.one(sql<{ id: string }>`select max(id)::text as id from audit_log where action = ${acknowledgedAction}`)
    })
    // Until it is sealed it excuses nothing. The program that runs seals it, or this command does.
    const sealer = createSealer({ pool: pools.kaopu_platform, key: keys.auditKey, clock, log, heads: null, isTicking: false })
    try {
      for (const until = performance.now() + sealWithinMs; ; await new Promise(next => setTimeout(next, 200))) {
        await sealer.sealNow()
        const { rowCount } = await client.query('select 1 from audit_seal where tenant_id = $1 and audit_id = $2', [
          platformTenant,
          written.id,
        ])
        if (rowCount === 1) break
        if (performance.now() > until)
          throw new StartRefusal(
            `The line was written and not sealed within half a minute. Does the program run? Then run ${called('audit:verify')}.`,
          )
      }
    } finally {
      await sealer.stop()
    }
    const path = anchorPath(config.dataDir)
    const excused = new Set(lost.map(({ tenant }) => tenant))
    const anchors = (await readAnchors(path)).filter(({ tenant }) => !excused.has(tenant))
    await writeAnchors(path, movedAnchors(anchors, await headsOf(client, tenants)))
    return acknowledgement
  } finally {
    client.release(true)
  }
}

/** Asks at the terminal without showing what is typed, or takes the next line of what is piped in. */
const asker = () => {
  const isTerminal = process.stdin.isTTY === true
  const quiet = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: isTerminal ? quiet : undefined, terminal: isTerminal })
  const lines = reader[Symbol.asyncIterator]()
  return {
    ask: async (question: string): Promise<string> => {
      if (isTerminal) process.stderr.write(question)
      const next = await lines.next()
      if (isTerminal) process.stderr.write('\n')
      return next.done ? '' : next.value
    },
    end: () => reader.close(),
  }
}

if (import.meta.main)
  await command(async () => {
    const parse = () => {
      try {
        return parseArgs({
          args: process.argv.slice(2),
          options: {
            account: { type: 'string', multiple: true },
            reason: { type: 'string' },
            head: { type: 'string', multiple: true },
          },
        })
      } catch (error) {
        throw new StartRefusal(`${(error as Error).message}\n\n${usage}`)
      }
    }
    const { account = [], reason = '', head = [] } = parse().values
    if (account.length !== 2) throw new StartRefusal(usage)
    const given = headsGiven(head.flatMap(text => ['--head', text]))
    const input = asker()
    try {
      await withInstallation(async ({ config, secrets, databaseUrl, log }) => {
        const application = await createApplication({
          config: { ...config, publicUrl: config.publicUrl ?? `http://localhost:${config.port}` },
          ...{ secrets, databaseUrl, log },
          withoutWorker: true,
          // It answers for what is there and changes nothing else: the start has brought the database up to date.
          isPrepared: true,
        })
        try {
          const witnesses: Witness[] = []
          for (const name of account)
            witnesses.push({
              account: name,
              password: await input.ask(`Password of ${name}: `),
              code: () => input.ask(`Code of the second factor of ${name}: `),
            })
          const done = await acknowledgeRestore(application, { witnesses, reason, given })
          for (const line of acknowledgementLines(done)) console.log(line)
        } finally {
          await application.close()
        }
      })
    } finally {
      input.end()
    }
    return 0
  })
