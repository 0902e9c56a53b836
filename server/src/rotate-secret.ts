import { randomBytes } from 'node:crypto'
import { platformTenant } from '#contract/kernel/platform.ts'
import { audit } from '#kernel/audit.ts'
import { auditPrint, handOver, nameSealingKey } from '#kernel/audit-chain/hand-over.ts'
import { systemClock } from '#kernel/clock.ts'
import { fieldKeyTag } from '#kernel/crypto/field.ts'
import { fingerprintOf } from '#kernel/crypto/fingerprint.ts'
import { createSm2KeyPair } from '#kernel/crypto/sm2.ts'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'
import type { Pool } from '#kernel/db/pool.ts'
import { ensureRoles } from '#kernel/db/roles.ts'
import { systemOf } from '#kernel/db/scope.ts'
import {
  acceptedKeys,
  changeSecretsFile,
  type KeyName,
  type LoginPair,
  newPasswords,
  type Secrets,
  type StoredSecrets,
  secretsPath,
} from '#kernel/secrets.ts'
import type { Application } from '#server/app.ts'
import { fingerprintsOf, type InstallationPlace, shortPrint, writeMarks } from '#server/installation-identity.ts'
import { type Holder, runningHolders } from '#server/key-holders.ts'
import { resealAll } from '#server/reseal.ts'

/** Everything that a command can replace. */
export const rotatable = [
  'fieldRootKey',
  'blindIndexKey',
  'tokenKey',
  'passwordPepper',
  'auditKey',
  'ticketDrawKey',
  'login',
  'databasePasswords',
] as const
export type Rotatable = (typeof rotatable)[number]

export interface Rotation {
  readonly app: Application
  readonly owner: Pool
  readonly place: InstallationPlace
  readonly say: (line: string) => void
  readonly signal: AbortSignal
  /** How long instances may take to read the file. */
  readonly patienceMs?: number | undefined
}

/** Running instances read the file within moments; one that does not has a copy of its own. */
const usualPatienceMs = 30_000
const lookEveryMs = 200

const keyBytes = 32

/** A key of 32 bytes whose mark on sealed fields differs from those of the others, so that what is done can be told from what is to be done. */
const newKey = (name: KeyName, secrets: Secrets): string => {
  for (;;) {
    const key = randomBytes(keyBytes)
    if (name !== 'fieldRootKey' || acceptedKeys(secrets, name).every(other => fieldKeyTag(other) !== fieldKeyTag(key)))
      return key.toString('base64url')
  }
}

const change = async ({ app, place }: Rotation, edit: (stored: StoredSecrets) => StoredSecrets): Promise<Secrets> => {
  const secrets = await changeSecretsFile(secretsPath(place), edit)
  app.keys.replace(secrets)
  return secrets
}

/** Every instance reads its file again. */
const tellAll = async ({ app }: Rotation): Promise<void> => {
  await app.services.pools.kaopu_platform.query(`select pg_notify('kaopu_installation', 'secrets')`)
}

const waitFor = async (
  { app, signal, place, patienceMs = usualPatienceMs }: Rotation,
  what: string,
  has: (holder: Holder) => boolean,
): Promise<void> => {
  const platform = app.services.pools.kaopu_platform
  for (const until = performance.now() + patienceMs; ; await new Promise<void>(next => setTimeout(next, lookEveryMs))) {
    signal.throwIfAborted()
    const behind = (await runningHolders(platform)).filter(holder => !has(holder))
    if (behind.length === 0) return
    if (performance.now() > until)
      throw new StartRefusal(
        `The instance on ${behind.map(({ host }) => host).join(' and ')} does not have ${what} yet. Copy ${secretsPath(place)}, as it is now, to its secrets file (mode 0600), then run the same command again: it goes on from here.`,
      )
  }
}

const note = async ({ app }: Rotation, secret: Rotatable, from: string, to: string): Promise<void> => {
  const { scopes, clock } = app.services
  await scopes.tx(systemOf(platformTenant), clock.now(), db =>
    audit(db, undefined, {
      action: 'installation.key-rotated',
      entity: 'installation',
      entityId: null,
      after: { secret, from: shortPrint(from), to: shortPrint(to), by: 'command line' },
    }),
  )
}

/** Whether a running instance makes things with another key than the present one: the change to that one has not reached it yet. */
const isBehind = async ({ app }: Rotation, name: string, print: string): Promise<boolean> =>
  (await runningHolders(app.services.pools.kaopu_platform)).some(holder => !holder.current.includes(`${name} ${print}`))

/** The second half of a change, after the file has the new key as the present one. */
const finishKey = async (of: Rotation, name: KeyName, before: Buffer): Promise<void> => {
  const { app, say } = of
  const present = app.keys.secrets[name]
  const print = fingerprintOf(name, present)
  await waitFor(of, `the new ${name}`, holder => holder.current.includes(`${name} ${print}`))
  if (name === 'auditKey') {
    const client = await app.services.pools.kaopu_platform.connect()
    await handOver(client, before, present).finally(() => client.release())
  }
  await note(of, name, fingerprintOf(name, before), print)
  say(`${name}: ${shortPrint(print)} is used from now on; what the former one made is still accepted.`)
}

/** The key before the present one, where the change from it to the present one was broken off in its second half. */
const openChange = async (of: Rotation, name: KeyName): Promise<Buffer | undefined> => {
  const { secrets } = of.app.keys
  const before = secrets.former[name][0]?.key
  if (before === undefined || secrets.coming[name] !== undefined) return undefined
  if (await isBehind(of, name, fingerprintOf(name, secrets[name]))) return before
  if (name !== 'auditKey') return undefined
  const { rows } = await of.app.services.pools.kaopu_platform.query<{ print: string | null }>('select key_print as print from audit_sealer')
  return rows[0]?.print === auditPrint(before) ? before : undefined
}

const rotateKey = async (of: Rotation, name: KeyName): Promise<void> => {
  const { app, owner, say } = of
  const platform = app.services.pools.kaopu_platform
  const open = await openChange(of, name)
  if (open !== undefined) {
    await tellAll(of)
    return finishKey(of, name, open)
  }
  const before = app.keys.secrets[name]
  if (name === 'auditKey') await nameSealingKey(platform, before)
  const begun = await change(of, stored =>
    stored.coming?.[name] ? stored : { ...stored, coming: { ...stored.coming, [name]: newKey(name, app.keys.secrets) } },
  )
  const coming = begun.coming[name]
  if (!coming) throw new Error(`no coming ${name}`)
  const print = fingerprintOf(name, coming)
  await tellAll(of)
  say(`${name}: the next key ${shortPrint(print)} is in the secrets file; every running instance takes it.`)
  await waitFor(of, `the next ${name}`, holder => holder.accepted.includes(`${name} ${print}`))
  const until = systemClock.now().toISOString()
  const secrets = await change(of, stored => {
    const { [name]: next, ...others } = stored.coming ?? {}
    if (next === undefined) return stored
    return {
      ...stored,
      [name]: next,
      coming: others,
      former: { ...stored.former, [name]: [{ key: stored[name], until }, ...(stored.former?.[name] ?? [])] },
    }
  })
  await writeMarks(owner, { prints: fingerprintsOf(secrets) })
  await finishKey(of, name, before)
}

const finishLogin = async (of: Rotation, before: LoginPair): Promise<void> => {
  const print = fingerprintOf('login', of.app.keys.secrets.login.privateKey)
  await waitFor(of, 'the new log-in key', holder => holder.current.includes(`login ${print}`))
  await note(of, 'login', fingerprintOf('login', before.privateKey), print)
  of.say(`login: ${shortPrint(print)} is used from now on; pages that are open may use the former one for a day.`)
}

const rotateLogin = async (of: Rotation): Promise<void> => {
  const { app, owner } = of
  const { login: before, formerLogins, comingLogin } = app.keys.secrets
  const [former] = formerLogins
  if (former && !comingLogin && (await isBehind(of, 'login', fingerprintOf('login', before.privateKey)))) {
    await tellAll(of)
    return finishLogin(of, former)
  }
  const begun = await change(of, stored => (stored.comingLogin ? stored : { ...stored, comingLogin: createSm2KeyPair() }))
  const next = begun.comingLogin
  if (!next) throw new Error('no coming log-in key')
  const print = fingerprintOf('login', next.privateKey)
  await tellAll(of)
  await waitFor(of, 'the next log-in key', holder => holder.accepted.includes(`login ${print}`))
  const until = systemClock.now().toISOString()
  const secrets = await change(of, ({ comingLogin, ...stored }) =>
    comingLogin === undefined
      ? stored
      : { ...stored, login: comingLogin, formerLogins: [{ ...stored.login, until }, ...(stored.formerLogins ?? [])] },
  )
  await writeMarks(owner, { prints: fingerprintsOf(secrets) })
  await finishLogin(of, before)
}

const rotatePasswords = async (of: Rotation): Promise<void> => {
  const { app, owner, say } = of
  const print = (secrets: Secrets): string => fingerprintOf('databasePasswords', Object.values(secrets.databasePasswords).join())
  const from = print(app.keys.secrets)
  const secrets = await change(of, stored => ({ ...stored, formerPasswords: stored.databasePasswords, databasePasswords: newPasswords() }))
  // All at once: an instance that is refused with the former password reads the file, which has all of the new ones already.
  const client = await owner.connect()
  try {
    await client.query('begin')
    await ensureRoles(client, secrets.databasePasswords)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
  app.services.pools.renew(secrets.databasePasswords)
  await writeMarks(owner, { prints: fingerprintsOf(secrets) })
  await note(of, 'databasePasswords', from, print(secrets))
  say('databasePasswords: the roles have new passwords; connections that are open go on.')
}

/** Seals everything anew for the present root key. */
export const resealCommand = async ({ app, say, signal }: Rotation): Promise<void> => {
  say('Sealing fields and files for the present key; Ctrl-C stops it, the same command goes on.')
  const { cipher, files, pools } = app.services
  const done = await resealAll({ platform: pools.kaopu_platform, cipher, files, say, signal })
  say(`${done.values} values and ${done.files} files sealed anew.`)
  for (const one of done.closed) say(`not opened by any key of the secrets file, left as it is: ${one}`)
}

/**
 * Replaces a secret while the program runs. What was begun and broken off goes on when it is called again.
 *
 * @throws StartRefusal with what to do where an instance does not take the new key
 */
export const rotate = async (of: Rotation, name: Rotatable): Promise<void> => {
  if (name === 'login') return rotateLogin(of)
  if (name === 'databasePasswords') return rotatePasswords(of)
  await rotateKey(of, name)
  if (name === 'fieldRootKey') await resealCommand(of)
}
