import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Language } from '#contract/kernel/label.ts'
import { called } from '#kernel/called.ts'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'
import { openOwnerPool } from '#kernel/db/pool.ts'
import { applicationVersion, createApplication } from '#server/app.ts'
import { gatherEvidence } from '#server/evidence/gather.ts'
import { lookFromOutside } from '#server/evidence/outside.ts'
import { shareOf, writeEvidence } from '#server/evidence/write.ts'
import { command, withInstallation } from '#server/operator.ts'

const usage = `Writes what an assessor asks for, out of the running installation: a page for each clause of classified protection level 3 and of
GB/T 39786 with settings, live tests and samples, the record of processing, impact assessment, data map and retention, and the accessibility statement.

  ${called('evidence', '<folder> [--language zh|en]')}

Nothing is changed: tests that write are rolled back. Exit code 1 when a live test fails.`

/** @throws StartRefusal saying what is wrong with the command line. */
export const evidenceWish = (args: readonly string[]): { readonly folder: string; readonly language: Language } => {
  let parsed: { readonly values: { readonly language?: string | undefined }; readonly positionals: readonly string[] }
  try {
    parsed = parseArgs({ args: [...args], allowPositionals: true, options: { language: { type: 'string' } } })
  } catch (error) {
    throw new StartRefusal(`${(error as Error).message}\n\n${usage}`)
  }
  const [folder, ...more] = parsed.positionals
  const { language = 'zh' } = parsed.values
  if (folder === undefined || more.length > 0 || (language !== 'zh' && language !== 'en')) throw new StartRefusal(usage)
  return { folder: resolve(folder), language }
}

if (import.meta.main)
  await command(async () => {
    const { folder, language } = evidenceWish(process.argv.slice(2))
    let failed = 0
    await withInstallation(async ({ config, secrets, databaseUrl, log }) => {
      const application = await createApplication({ config, secrets, databaseUrl, log, withoutWorker: true })
      const owner = openOwnerPool(databaseUrl, log)
      try {
        const at = { application, config, owner, now: application.services.clock.now(), outside: await lookFromOutside(config.publicUrl) }
        const evidence = await gatherEvidence(at, applicationVersion, log, line => console.log(line))
        const files = await writeEvidence(folder, evidence, language)
        const share = shareOf(evidence.clauses)
        failed = share.fails
        console.log(`${files.length} files in ${folder}; begin with index.html.`)
        console.log(
          `${share.withEvidence} of ${share.all} clauses have evidence out of the machine (${share.percent} %): ${share.holds} hold, ${share.fails} fail, ${share.unset} are not switched on or cannot be seen from here; ${share.gap} gaps.`,
        )
      } finally {
        await owner.end()
        await application.close()
      }
    })
    return failed === 0 ? 0 : 1
  })
