import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { called } from '#kernel/called.ts'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'
import { openOwnerPool, openPools } from '#kernel/db/pool.ts'
import { prefixAt } from '#kernel/db/roles.ts'
import { changeSecretsFile, keyNames, loadSecrets, type Secrets, secretsPath } from '#kernel/secrets.ts'
import { createApplication } from '#server/app.ts'
import { type Environment, loadConfig } from '#server/config.ts'
import { type Acceptance, acceptancePath, fingerprintsOf, readAcceptance, readMarks, shortPrint } from '#server/installation-identity.ts'
import { runningHolders } from '#server/key-holders.ts'
import { command, type Installation, withInstallation } from '#server/operator.ts'
import { rotateIndex } from '#server/rotate-index.ts'
import { type Rotatable, resealCommand, rotatable, rotate } from '#server/rotate-secret.ts'

const usage = `Shows and replaces the secrets of the installation.

  ${called('secrets', 'status')}
  ${called('secrets', 'rotate <name>')}
  ${called('secrets', 'reseal')}
  ${called('secrets', 'forget <name> --yes')}
  ${called('secrets', 'accept secrets|folder --yes')}

Names: ${rotatable.join(', ')}.
"rotate" replaces a secret while the program runs (blindIndexKey: while it stands still); broken off, it goes on when it is run again.
"reseal" goes on sealing fields and files for the present fieldRootKey. "forget" gives up the former keys of a name.
"accept" has the next start take the secrets file or the data folder that it refuses, where the right one is lost for good.`

/** What stays closed without a secret. */
const losses: Readonly<Record<Rotatable, string>> = {
  fieldRootKey:
    'phones, numbers of documents, sealed answers, seeds of draws, keys of payment and message services, and every uploaded file',
  blindIndexKey: 'finding people by phone or number of a document: they count as unknown',
  tokenKey: 'links to files and the browsers that were known; nobody is logged out',
  passwordPepper: 'every password: each person needs a new one',
  auditKey: 'the proof of all audit lines until now',
  ticketDrawKey: 'nothing that was drawn; packs for the examination day are made again',
  login: 'nothing; pages that are open are loaded again',
  databasePasswords: 'nothing; the roles get those of the file',
}

type Wish =
  | { readonly verb: 'status' | 'reseal' }
  | { readonly verb: 'rotate' | 'forget'; readonly name: Rotatable; readonly isSure: boolean }
  | { readonly verb: 'accept'; readonly what: 'secrets' | 'folder'; readonly isSure: boolean }

/** @throws StartRefusal with the usage */
export const wishOf = (args: readonly string[]): Wish => {
  let parsed: { readonly values: { readonly yes?: boolean }; readonly positionals: readonly string[] }
  try {
    parsed = parseArgs({ args: [...args], allowPositionals: true, options: { yes: { type: 'boolean' } } })
  } catch (error) {
    throw new StartRefusal(`${(error as Error).message}\n\n${usage}`)
  }
  const [verb, about, ...more] = parsed.positionals
  const isSure = parsed.values.yes === true
  if (more.length === 0) {
    if ((verb === 'status' || verb === 'reseal') && about === undefined) return { verb }
    const name = rotatable.find(one => one === about)
    if ((verb === 'rotate' || verb === 'forget') && name !== undefined) return { verb, name, isSure }
    if (verb === 'accept' && (about === 'secrets' || about === 'folder')) return { verb, what: about, isSure }
  }
  throw new StartRefusal(usage)
}

type Say = (line: string) => void

const status = async ({ config, secrets, databaseUrl, log }: Installation, say: Say): Promise<void> => {
  const pools = openPools(databaseUrl, secrets.databasePasswords, log, 1, await prefixAt(databaseUrl, log))
  const owner = openOwnerPool(databaseUrl, log)
  try {
    const marks = await readMarks(owner)
    const prints = fingerprintsOf(secrets)
    say(`Installation ${marks.identity?.installation ?? 'not written down yet'}, secrets in ${secretsPath(config)}`)
    for (const [name, print] of prints) {
      if (name.startsWith('databasePasswords.')) continue
      const key = keyNames.find(one => one === name)
      const former = key === undefined ? secrets.formerLogins.map(one => one.until) : secrets.former[key].map(one => one.until)
      const coming = (key === undefined ? secrets.comingLogin : secrets.coming[key]) === undefined ? '' : ', a change is going on'
      say(
        `  ${name}  ${shortPrint(print)}${former.length > 0 ? `, replaced ${former.map(one => one.toISOString()).join(', ')}` : ''}${coming}`,
      )
    }
    const client = await pools.kaopu_platform.connect()
    try {
      for (const { host } of await runningHolders(client)) say(`  running on ${host}`)
    } finally {
      client.release()
    }
  } finally {
    await Promise.all([owner.end(), pools.end()])
  }
}

/** Ctrl-C ends the work at the next place where it may end. @param what - is then so */
const stoppable = async (what: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
  const stopper = new AbortController()
  const stop = (): void => stopper.abort(new StartRefusal(`Stopped. ${what}`))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    await work(stopper.signal)
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

const withApplication = async (
  { config, secrets, databaseUrl, log }: Installation,
  say: Say,
  work: (of: Parameters<typeof rotate>[0]) => Promise<void>,
): Promise<void> => {
  const application = await createApplication({
    config: { ...config, publicUrl: config.publicUrl ?? `http://localhost:${config.port}` },
    secrets,
    databaseUrl,
    log,
    withoutWorker: true,
  })
  const owner = openOwnerPool(databaseUrl, log)
  try {
    await stoppable('What was done stays; the same command goes on.', signal =>
      work({ app: application, owner, place: { ...config, databaseUrl }, say, signal }),
    )
  } finally {
    await owner.end()
    await application.close()
  }
}

const rotateIndexOf = async (
  { config, secrets, databaseUrl, log, isIndexFinished }: Installation,
  say: Say,
  mayLose: boolean,
): Promise<void> => {
  if (isIndexFinished)
    return say(
      `blindIndexKey: the change that was broken off is finished; ${shortPrint(fingerprintsOf(secrets).get('blindIndexKey') ?? '')} is used from now on. Start the program again.`,
    )
  const pools = openPools(databaseUrl, secrets.databasePasswords, log, 1, await prefixAt(databaseUrl, log))
  try {
    await stoppable('Nothing was changed; the same command begins again.', signal =>
      rotateIndex({ platform: pools.kaopu_platform, secrets, place: { ...config, databaseUrl }, say, signal, mayLose }),
    )
  } finally {
    await pools.end()
  }
}

const forget = async ({ config }: Installation, name: Rotatable, isSure: boolean, say: Say): Promise<void> => {
  if (name === 'auditKey') throw new StartRefusal('Former audit keys are what proves the lines that they signed; they are not given up.')
  if (!isSure)
    throw new StartRefusal(`Without its former keys this is closed, as far as it was not made again: ${losses[name]}. Run it with --yes.`)
  await changeSecretsFile(secretsPath(config), stored =>
    name === 'login'
      ? { ...stored, formerLogins: [] }
      : name === 'databasePasswords'
        ? { ...stored, formerPasswords: {} }
        : { ...stored, former: { ...stored.former, [name]: [] } },
  )
  say(`${name}: the former keys are out of the file. Running instances drop them when they are started again.`)
}

const accept = async (what: 'secrets' | 'folder', isSure: boolean, say: Say, env?: Environment): Promise<void> => {
  const config = loadConfig(env)
  const explanation =
    what === 'secrets'
      ? `The next start takes ${secretsPath(config)} as it is, or makes one. For good is closed, of each secret that is not the former one:\n${rotatable.map(name => `  ${name}: ${losses[name]}`).join('\n')}`
      : `The next start takes ${config.dataDir} as the data folder. Files that lie in another one are missing.`
  say(explanation)
  if (!isSure) throw new StartRefusal('Run it with --yes to accept that.')
  let secrets: Secrets | undefined
  if (what === 'secrets') secrets = await loadSecrets({ dataDir: config.dataDir, file: config.secretsFile, mayMake: 'in a used folder' })
  const accepted: Acceptance = {
    ...(await readAcceptance(config.dataDir)),
    ...(secrets === undefined ? { folder: true } : { secrets: Object.fromEntries(fingerprintsOf(secrets)) }),
  }
  await writeFile(acceptancePath(config.dataDir), `${JSON.stringify(accepted, null, 2)}\n`, { mode: 0o600 })
  say('Accepted: start the program now. It writes it down in the audit trail.')
}

/**
 * Runs one command line. @returns its exit code
 *
 * @param patienceMs - how long running instances may take to read the file; half a minute where it is not said
 * @throws StartRefusal with the sentence to print
 */
export const secretsCommand = async (
  args: readonly string[],
  say: (line: string) => void,
  env?: Environment,
  patienceMs?: number,
): Promise<number> => {
  const wish = wishOf(args)
  if (wish.verb === 'accept') {
    await accept(wish.what, wish.isSure, say, env)
    return 0
  }
  const isIndex = wish.verb === 'rotate' && wish.name === 'blindIndexKey'
  await withInstallation(
    async installation => {
      if (!('name' in wish)) return wish.verb === 'status' ? status(installation, say) : withApplication(installation, say, resealCommand)
      if (wish.verb === 'forget') return forget(installation, wish.name, wish.isSure, say)
      if (isIndex) return rotateIndexOf(installation, say, wish.isSure)
      return withApplication(installation, say, of => rotate({ ...of, patienceMs }, wish.name))
    },
    env,
    { mayIndexDiffer: isIndex },
  )
  return 0
}

if (import.meta.main) await command(() => secretsCommand(process.argv.slice(2), line => console.log(line)))
