import { anchorPath, movedAnchors, readAnchors, writeAnchors } from '#kernel/audit-chain/anchor.ts'
import { type AuditProblem, verifyAudit } from '#kernel/audit-chain/verify.ts'
import { systemClock } from '#kernel/clock.ts'
import { openPools } from '#kernel/db/pool.ts'
import { command, withInstallation } from '#server/operator.ts'

// `npm run audit:verify`: proves the audit chain of every tenant (decision 4.3). Exit code 1 when anything is wrong.
// The heads it and the sealer have seen stand in <data>/audit-anchor.json; keep a copy of that file on another machine.

const words: Readonly<Record<AuditProblem, string>> = {
  changed: 'the line was changed after it was sealed',
  removed: 'the line was removed',
  sealMissing: 'a seal before it is missing',
  sealForged: 'the seal was not made with this installation’s key',
  chainBroken: 'the seal does not follow the one before it',
  added: 'the line was slipped in without the program',
  unsealed: 'the line has waited for its seal for more than a minute: does the program run?',
  anchorLost: 'an earlier check, or the sealer, has seen this seal with another value: the chain was cut or restored from an old copy',
}

await command(async () => {
  let isSound = true
  await withInstallation(async ({ config, secrets, databaseUrl, log }) => {
    const path = anchorPath(config.dataDir)
    const anchors = await readAnchors(path)
    const pools = openPools(databaseUrl, secrets.databasePasswords, log, 2)
    try {
      const client = await pools.kaopu_platform.connect()
      // A long chain takes longer than a request may.
      await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
      const verdict = await verifyAudit(client, secrets.auditKey, systemClock.now(), anchors)
      client.release(true)
      for (const { tenant, place, problem } of verdict.findings) console.log(`${tenant}  ${place}: ${words[problem]}`)
      for (const { tenant, seq, chain } of verdict.heads) console.log(`${tenant}  ${seq} lines, head ${chain}`)
      isSound = verdict.findings.length === 0
      console.log(
        isSound
          ? `${verdict.lines} audit lines verified, ${verdict.waiting} wait for their seal.`
          : `${verdict.findings.length} findings in ${verdict.lines} audit lines.`,
      )
      if (!isSound) return
      // Read again: the sealer may have gone on meanwhile.
      await writeAnchors(path, movedAnchors(await readAnchors(path), verdict.heads))
    } finally {
      await pools.end()
    }
  })
  return isSound ? 0 : 1
})
