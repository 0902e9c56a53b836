import { refuseUnfinished } from '#kernel/backup/unfinished.ts'
import { startEmbedded } from '#kernel/db/embedded.ts'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'
import { checkServer, ensureDatabase } from '#kernel/db/embedded-probe.ts'
import { createLog, type Log } from '#kernel/log.ts'
import { loadSecrets, type Secrets } from '#kernel/secrets.ts'
import { type Config, type Environment, loadConfig, loadProductionConfig, namesProfile } from '#server/config.ts'
import { checkInstallation, loadSecretsFor, recordedUse } from '#server/installation-identity.ts'

/** The installation an operator's command works on: the one that the same environment starts. */
export interface Installation {
  readonly config: Config
  readonly secrets: Secrets
  readonly databaseUrl: string
  readonly log: Log
  /** Whether a change of the look-up key that was broken off was finished just now. */
  readonly isIndexFinished: boolean
}

/** The settings of a command: where they do not say what the installation is for, its database does. */
const configOf = async (env?: Environment): Promise<Config> => {
  const config = loadConfig(env)
  if (namesProfile(env) || config.databaseUrl === undefined) return config
  await checkServer(config.databaseUrl)
  return (await recordedUse(config.databaseUrl)) === 'production' ? loadProductionConfig(env) : config
}

/**
 * Opens the installation beside a running program or without one, and leaves a bundled database as it was found.
 *
 * @throws StartRefusal before anything is touched where secrets or data folder are not those of the database
 */
export const withInstallation = async (
  work: (installation: Installation) => Promise<void>,
  env?: Environment,
  options: { readonly mayIndexDiffer?: boolean } = {},
): Promise<void> => {
  const config = await configOf(env)
  await refuseUnfinished(config.dataDir)
  const log = createLog(config.logLevel === 'silent' ? 'silent' : 'error')
  const checked = async (databaseUrl: string, given: Secrets): Promise<void> => {
    const { secrets, isIndexFinished } = await checkInstallation({ ...config, databaseUrl }, given, options)
    await work({ config, secrets, databaseUrl, log, isIndexFinished })
  }
  if (config.databaseUrl !== undefined) {
    await checkServer(config.databaseUrl)
    return checked(config.databaseUrl, await loadSecretsFor({ ...config, databaseUrl: config.databaseUrl }))
  }
  const secrets = await loadSecrets({ dataDir: config.dataDir, file: config.secretsFile })
  const embedded = await startEmbedded({ dataDir: config.dataDir, log })
  try {
    await checked(await ensureDatabase(embedded.url, 'kaopu'), secrets)
  } finally {
    if (!embedded.reused) await embedded.stop()
  }
}

/** Runs a command: its exit code is 0, or 1 with one sentence on stderr. */
export const command = async (work: () => Promise<number>): Promise<void> => {
  try {
    process.exitCode = await work()
  } catch (error) {
    process.exitCode = 1
    const sentence = error instanceof StartRefusal || error instanceof Error ? error.message : String(error)
    process.stderr.write(`${sentence}\n`)
  }
}
