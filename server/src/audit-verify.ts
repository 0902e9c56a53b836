import { parseArgs } from 'node:util'
import {
  acknowledgementLines,
  memoriesWithoutAcknowledged,
  readAcknowledgements,
  withoutAcknowledged,
} from '#kernel/audit-chain/acknowledge.ts'
import { movedAnchors, readAnchors, writeAnchors } from '#kernel/audit-chain/anchor.ts'
import type { Journal } from '#kernel/audit-chain/journal.ts'
import type { AuditHead } from '#kernel/audit-chain/line.ts'
import { allHeads, compareMemories, type MemoryProblem, readMemories } from '#kernel/audit-chain/memory.ts'
import { type AuditProblem, verifyAudit } from '#kernel/audit-chain/verify.ts'
import { called } from '#kernel/called.ts'
import { systemClock } from '#kernel/clock.ts'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'
import { openPools } from '#kernel/db/pool.ts'
import { prefixAt } from '#kernel/db/roles.ts'
import { keyRing } from '#kernel/secrets.ts'
import { command, withInstallation } from '#server/operator.ts'

// `npm run audit:verify`: proves the audit chain of every tenant (decision 4.3). Exit code 1 when anything is wrong.
// The heads it and the sealer have seen stand in <data>/audit-anchor.json and, once a minute, in <data>/audit-journal and KAOPU_AUDIT_JOURNAL.
// `--head <tenant>:<seq>:<hash>`, as often as wanted, checks heads that somebody else kept: the auditor's exports carry them.

const words: Readonly<Record<AuditProblem | MemoryProblem, string>> = {
  changed: 'the line was changed after it was sealed',
  removed: 'the line was removed',
  sealMissing: 'a seal before it is missing',
  sealForged: 'the seal was not made with this installation’s key',
  chainBroken: 'the seal does not follow the one before it',
  added: 'the line was slipped in without the program',
  handOverForged: 'the change of the audit key was not signed by both keys, or one of them is no longer in the secrets file',
  unsealed: 'the line has waited for its seal for more than a minute: does the program run?',
  anchorLost: `an earlier check, the sealer or an export has seen this seal with another value: the chain was cut, or restored from an old copy (then two people say so: ${called('audit:acknowledge-restore')})`,
  journalBroken: 'the line of the journal was changed, or lines before it are missing',
  anchorOld: 'the journal has seen chains further than this file says: it was put back to an older copy',
  journalBehind: 'the other journal goes further: lines of this one are missing, or it could not be written',
}

export const headsGiven = (args: readonly string[]): readonly AuditHead[] => {
  const { values } = parseArgs({ args: [...args], options: { head: { type: 'string', multiple: true } } })
  return (values.head ?? []).map(text => {
    const [, tenant, seq, chain] = /^([\w-]{1,12}):(\d{1,19}):([0-9a-f]{64})$/.exec(text) ?? []
    if (!tenant || !seq || !chain)
      throw new StartRefusal(`--head takes <tenant>:<seq>:<64 hex digits>, as an export of the audit trail has it; not ${text}`)
    return { tenant, seq, chain }
  })
}

/** Since when, and except when, somebody outside of the database remembers how far the chains had come. */
export const vouching = ({ folder, since, until, holes }: Journal): readonly string[] =>
  since === undefined || until === undefined
    ? [`${folder}: nothing was written down; what was cut from the end of a chain and put back together with the anchors is not shown.`]
    : [
        `${folder}: vouches from ${since} to ${until}; for what was cut before then, or after, it cannot vouch.`,
        ...holes.map(
          ({ from, to }) => `${folder}: cannot vouch from ${from} to ${to}: nothing was written down. Was the program stopped then?`,
        ),
      ]

if (import.meta.main)
  await command(async () => {
    let isSound = true
    const given = headsGiven(process.argv.slice(2))
    await withInstallation(async ({ config, secrets, databaseUrl, log }) => {
      const memories = await readMemories({ dataDir: config.dataDir, second: config.auditJournal }, keyRing(secrets, 'auditKey'))
      const pools = openPools(databaseUrl, secrets.databasePasswords, log, 2, await prefixAt(databaseUrl, log))
      try {
        const client = await pools.kaopu_platform.connect()
        // A long chain takes longer than a request may.
        await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
        const acknowledged = await readAcknowledgements(client, [secrets.auditKey, ...secrets.former.auditKey.map(one => one.key)])
        const remembered = withoutAcknowledged([...allHeads(memories), ...given], acknowledged)
        const verdict = await verifyAudit(client, keyRing(secrets, 'auditKey'), systemClock.now(), remembered)
        client.release(true)
        const among = compareMemories(memoriesWithoutAcknowledged(memories, acknowledged))
        for (const { tenant, place, problem } of verdict.findings) console.log(`${tenant}  ${place}: ${words[problem]}`)
        for (const { place, problem } of among) console.log(`${place}: ${words[problem]}`)
        for (const line of acknowledged.flatMap(acknowledgementLines)) console.log(line)
        for (const { tenant, seq, chain } of verdict.heads) console.log(`${tenant}  ${seq} lines, head ${chain}`)
        for (const journal of [...memories.own, ...memories.others]) for (const line of vouching(journal)) console.log(line)
        if (config.auditJournal === undefined)
          console.log(
            'All memory of the heads lies in the data folder: set KAOPU_AUDIT_JOURNAL to a folder that whoever owns it cannot put back.',
          )
        const findings = verdict.findings.length + among.length
        isSound = findings === 0
        console.log(
          isSound
            ? `${verdict.lines} audit lines verified, ${verdict.waiting} wait for their seal.`
            : `${findings} findings in ${verdict.lines} audit lines.`,
        )
        if (!isSound) return
        // Read again: the sealer may have gone on meanwhile.
        await writeAnchors(memories.anchorPath, movedAnchors(await readAnchors(memories.anchorPath), verdict.heads))
      } finally {
        await pools.end()
      }
    })
    return isSound ? 0 : 1
  })
