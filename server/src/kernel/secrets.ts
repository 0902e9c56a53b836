import { createHmac, randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { platform } from 'node:os'
import { dirname, join } from 'node:path'
import { sm2 } from 'sm-crypto-v2'
import type { KeyRing } from './crypto/key-ring.ts'
import { StartRefusal } from './db/embedded-binaries.ts'
import { type DatabaseRole, databaseRoles, narrowRoles } from './db/pool.ts'

/** A key that was replaced: it still opens or verifies what was made with it. */
export interface FormerKey {
  readonly key: Buffer
  /** When the key after it took its place. */
  readonly until: Date
}
export interface LoginPair {
  readonly publicKey: string
  readonly privateKey: string
}

/** Every key of an installation. All 32-byte keys are independent; none is ever in the database or in a log. */
export interface Secrets {
  /** Root of the key ladder for fields at rest (SM4-GCM per tenant). Lost = the fields are lost. */
  readonly fieldRootKey: Buffer
  /** Root of the per-tenant look-up keys (HMAC-SM3 over normalised values). */
  readonly blindIndexKey: Buffer
  /** Keys the digests under which session, reset and file tokens are stored. */
  readonly tokenKey: Buffer
  /** HMAC-SM3 over the Argon2id result. */
  readonly passwordPepper: Buffer
  /** Signs the audit chain. */
  readonly auditKey: Buffer
  /** Keys the order in which seats and candidates are drawn, together with the committed seed, and the order in which sign-ups are handed out. */
  readonly ticketDrawKey: Buffer
  /** SM2 key pair for passwords and phones on their way in: hex, the public key 130 digits from `04`, the private key 64. */
  readonly login: LoginPair
  /** Passwords of the database roles; the owner migrates, the others are policy roles. */
  readonly databasePasswords: Readonly<Record<DatabaseRole | 'kaopu_owner', string>>
  /** Keys that were replaced, the latest first. */
  readonly former: Readonly<Record<KeyName, readonly FormerKey[]>>
  readonly formerLogins: readonly (LoginPair & { readonly until: Date })[]
  /** Keys that are accepted already and make nothing yet: every instance has them before the first one uses them. */
  readonly coming: Readonly<Partial<Record<KeyName, Buffer>>>
  readonly comingLogin: LoginPair | undefined
  /** Passwords of the roles before the present ones, for a change of them that was broken off. */
  readonly formerPasswords: Readonly<Record<string, string>>
}

export const keyNames = ['fieldRootKey', 'blindIndexKey', 'tokenKey', 'passwordPepper', 'auditKey', 'ticketDrawKey'] as const
export type KeyName = (typeof keyNames)[number]
/** Roles whose password follows from that of the role behind them: files made before them stay whole, and an operator's may be read-only. */
const behind = new Map<string, keyof typeof narrowRoles>(
  Object.entries(narrowRoles).map(([role, narrow]) => [narrow, role as keyof typeof narrowRoles]),
)
export const passwordNames = (['kaopu_owner', ...databaseRoles] as const).filter(name => !behind.has(name))

/** 256 bits: as strong as the strongest algorithm that uses one of these keys. */
const keyBytes = 32
const passwordBytes = 24

/** The secrets file. `former` and `coming` are absent in files that were never rotated. */
export type StoredSecrets = Record<KeyName, string> &
  Pick<Secrets, 'login' | 'databasePasswords'> & {
    readonly former?: Partial<Record<KeyName, readonly { readonly key: string; readonly until: string }[]>>
    readonly formerLogins?: readonly (LoginPair & { readonly until: string })[]
    readonly coming?: Partial<Record<KeyName, string>>
    readonly comingLogin?: LoginPair
    readonly formerPasswords?: Readonly<Record<string, string>>
  }

/** Passwords of the roles, as a file of secrets has them. */
export const newPasswords = (): StoredSecrets['databasePasswords'] =>
  Object.fromEntries(
    passwordNames.map(name => [name, randomBytes(passwordBytes).toString('base64url')]),
  ) as StoredSecrets['databasePasswords']

const make = (): StoredSecrets => {
  const keys = Object.fromEntries(keyNames.map(name => [name, randomBytes(keyBytes).toString('base64url')]))
  const { publicKey, privateKey } = sm2.generateKeyPairHex()
  return { ...keys, login: { publicKey, privateKey }, databasePasswords: newPasswords() } as StoredSecrets
}

const refuse = (path: string, what: string): StartRefusal =>
  new StartRefusal(`The secrets file ${path} ${what}. Restore it from the backup; with other keys the stored data cannot be read.`)

/** Few different characters: typed by hand, not drawn. */
const isDull = (text: string): boolean => new Set(text).size < 10

/** @throws StartRefusal naming the weak entry, never its value. */
export const parseSecrets = (path: string, text: string): Secrets => {
  let stored: Partial<StoredSecrets>
  try {
    stored = JSON.parse(text) as Partial<StoredSecrets>
  } catch {
    throw refuse(path, 'is not valid JSON')
  }
  const seen = new Map<string, string>()
  const check = (name: string, value: unknown, lengthBytes: number, encoding: 'base64url' | 'hex'): string => {
    if (typeof value !== 'string' || value === '') throw refuse(path, `has no ${name}`)
    const bytes = Buffer.from(value, encoding)
    if (bytes.toString(encoding) !== value) throw refuse(path, `has a malformed ${name}`)
    if (bytes.length < lengthBytes || isDull(value)) throw refuse(path, `has a weak ${name}`)
    const twin = seen.get(value)
    if (twin !== undefined) throw refuse(path, `uses one value for both ${twin} and ${name}`)
    seen.set(value, name)
    return value
  }
  const keyOf = (name: string, value: unknown): Buffer => Buffer.from(check(name, value, keyBytes, 'base64url'), 'base64url')
  const dateOf = (name: string, value: unknown): Date => {
    const date = new Date(typeof value === 'string' ? value : Number.NaN)
    if (Number.isNaN(date.getTime())) throw refuse(path, `has no date in ${name}`)
    return date
  }
  const keys = Object.fromEntries(keyNames.map(name => [name, keyOf(name, stored[name])])) as Record<KeyName, Buffer>
  const databasePasswords = Object.fromEntries(
    passwordNames.map(name => [name, check(name, stored.databasePasswords?.[name], passwordBytes, 'base64url')]),
  ) as Record<keyof Secrets['databasePasswords'], string>
  for (const [narrow, role] of behind)
    databasePasswords[narrow as DatabaseRole] = createHmac('sha256', databasePasswords[role]).update(narrow).digest('base64url')
  const pairOf = (name: string, pair: Partial<LoginPair> | undefined): LoginPair => {
    const privateKey = check(`${name}.privateKey`, pair?.privateKey, 32, 'hex')
    const publicKey = check(`${name}.publicKey`, pair?.publicKey, 65, 'hex')
    if (!isPair(publicKey, privateKey)) throw refuse(path, 'has a login key pair whose halves do not belong together')
    return Object.freeze({ publicKey, privateKey })
  }
  const login = pairOf('login', stored.login)
  const former = Object.fromEntries(
    keyNames.map(name => [
      name,
      (stored.former?.[name] ?? []).map((one, i) => {
        const place = `former.${name}.${i + 1}`
        return { key: keyOf(place, one.key), until: dateOf(place, one.until) }
      }),
    ]),
  ) as unknown as Secrets['former']
  const formerLogins = (stored.formerLogins ?? []).map((one, i) => {
    const place = `formerLogins.${i + 1}`
    return { ...pairOf(place, one), until: dateOf(place, one.until) }
  })
  const coming = Object.fromEntries(
    keyNames.flatMap(name => (stored.coming?.[name] === undefined ? [] : [[name, keyOf(`coming.${name}`, stored.coming[name])]])),
  ) as Secrets['coming']
  const comingLogin = stored.comingLogin && pairOf('comingLogin', stored.comingLogin)
  const formerPasswords = Object.fromEntries(
    Object.entries(stored.formerPasswords ?? {}).map(([name, value]) => [
      name,
      check(`formerPasswords.${name}`, value, passwordBytes, 'base64url'),
    ]),
  )
  return Object.freeze({
    ...{ ...keys, login, databasePasswords: Object.freeze(databasePasswords) },
    ...{ former, formerLogins, coming, comingLogin, formerPasswords },
  })
}

/** How long a log-in key is accepted after the one that took its place: pages that are open have it. */
const loginGraceMs = 24 * 3_600_000

/** Key pairs that passwords and phones may be sealed for now, the present one first. */
export const acceptedLogins = (secrets: Pick<Secrets, 'login' | 'comingLogin' | 'formerLogins'>, now: Date): readonly LoginPair[] => [
  secrets.login,
  ...(secrets.comingLogin ? [secrets.comingLogin] : []),
  ...secrets.formerLogins.filter(({ until }) => now.getTime() < until.getTime() + loginGraceMs),
]

/** What was sealed for a log-in before then opens no more; undefined where no log-in key has ended. */
export const loginsEndedBefore = ({ formerLogins }: Pick<Secrets, 'formerLogins'>, now: Date): Date | undefined =>
  formerLogins
    .map(({ until }) => until)
    .filter(until => now.getTime() >= until.getTime() + loginGraceMs)
    .sort((a, b) => b.getTime() - a.getTime())[0]

/** All keys of a name that are good for opening or verifying, the present one first. */
export const acceptedKeys = (secrets: Secrets, name: KeyName): readonly Buffer[] => {
  const coming = secrets.coming[name]
  return [secrets[name], ...(coming ? [coming] : []), ...secrets.former[name].map(({ key }) => key)]
}

/** A key of a running program as what it makes and what it accepts. */
export const keyRing = (secrets: Secrets, name: KeyName): KeyRing => ({
  current: () => secrets[name],
  accepted: () => acceptedKeys(secrets, name),
})

/** What a running program makes with its secrets, and what it accepts. */
export interface KeyRings extends Readonly<Record<KeyName, KeyRing>> {
  /** Key pairs that passwords and phones may be sealed for now, the present one first. */
  readonly logins: (now: Date) => readonly LoginPair[]
  /** As `loginsEndedBefore`. */
  readonly loginsEndedBefore: (now: Date) => Date | undefined
}
export const keyRings = (secrets: Secrets): KeyRings => ({
  ...(Object.fromEntries(keyNames.map(name => [name, keyRing(secrets, name)])) as Record<KeyName, KeyRing>),
  logins: now => acceptedLogins(secrets, now),
  loginsEndedBefore: now => loginsEndedBefore(secrets, now),
})

/** The secrets of a running program: they read like `Secrets` and are those that were read last. */
export interface LiveSecrets {
  readonly secrets: Secrets
  readonly replace: (next: Secrets) => void
}
export const liveSecrets = (first: Secrets): LiveSecrets => {
  let present = first
  const names = Object.keys(first) as (keyof Secrets)[]
  const secrets = Object.defineProperties(
    {},
    Object.fromEntries(names.map(name => [name, { enumerable: true, get: () => present[name] }])),
  ) as Secrets
  return {
    secrets,
    replace: next => {
      present = next
    },
  }
}

const isPair = (publicKey: string, privateKey: string): boolean => {
  try {
    return sm2.getPublicKeyFromPrivateKey(privateKey) === publicKey
  } catch {
    return false
  }
}

/** Written to a draft, synced, then linked under its name: a crash leaves the whole file or none, and of two first starts one wins. */
export const writeOnce = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  const draft = `${path}.new-${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(draft, path)
  } catch (error) {
    // File systems without hard links: a rename is whole too, only not first-come.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
  if (platform() === 'win32') return
  const folder = await open(dirname(path), 'r')
  await folder.sync().finally(() => folder.close())
}

const read = async (path: string): Promise<string | undefined> => {
  try {
    const { mode } = await stat(path)
    if (platform() !== 'win32' && (mode & 0o077) !== 0) {
      throw new StartRefusal(`The secrets file ${path} can be read by other users. Run: chmod 600 "${path}"`)
    }
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code === 'EACCES')
      throw new StartRefusal(
        `The secrets file ${path} belongs to another user. Start Kaopu as that user, or set KAOPU_DATA to a new folder.`,
      )
    throw error
  }
}

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined

/**
 * Changes the secrets file: whole or not at all, and only to one that can be read. @returns what it says now
 * @throws StartRefusal for a file that this user may not change
 */
export const changeSecretsFile = async (path: string, edit: (stored: StoredSecrets) => StoredSecrets): Promise<Secrets> => {
  const before = await read(path)
  if (before === undefined) throw refuse(path, 'does not exist')
  parseSecrets(path, before)
  const text = `${JSON.stringify(edit(JSON.parse(before) as StoredSecrets), null, 2)}\n`
  const secrets = parseSecrets(path, text)
  const draft = `${path}.new-${randomBytes(6).toString('hex')}`
  try {
    const { uid, gid } = await stat(path)
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(text)
      if (process.getuid?.() === 0) await file.chown(uid, gid)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    const { code = '' } = error as NodeJS.ErrnoException
    if (['EROFS', 'EACCES', 'EPERM', 'EBUSY'].includes(code))
      throw new StartRefusal(
        `The secrets file ${path} cannot be changed here (${code}). Run the command where it can, on the copy that the instances get theirs from.`,
      )
    throw error
  }
  if (platform() !== 'win32') {
    const folder = await open(dirname(path), 'r')
    await folder.sync().finally(() => folder.close())
  }
  return secrets
}

/** Where the secrets of an installation lie. */
export const secretsPath = ({ dataDir, secretsFile }: { readonly dataDir: string; readonly secretsFile?: string | undefined }): string =>
  secretsFile ?? join(dataDir, 'secrets.json')

/** The secrets as they stand in the file now; undefined where there is none. @throws StartRefusal as `loadSecrets` */
export const readSecrets = async (path: string): Promise<Secrets | undefined> => {
  const text = await read(path)
  return text === undefined ? undefined : parseSecrets(path, text)
}

/**
 * Reads the secrets, or makes them at the first start (decision 4.5). There is no constant to fall back on.
 * @param file a file the operator supplies, which must exist; absent = `<dataDir>/secrets.json`.
 * @throws StartRefusal when they are readable by others, weak, or missing while data made with them exists.
 */
export const loadSecrets = async ({
  dataDir,
  file,
  mayMake = true,
}: {
  readonly dataDir: string
  readonly file?: string | undefined
  /** False where they must be there, because a database is in use. */
  readonly mayMake?: boolean | 'in a used folder'
}): Promise<Secrets> => {
  const path = secretsPath({ dataDir, secretsFile: file })
  let text = await read(path)
  if (text === undefined) {
    if (file !== undefined) throw new StartRefusal(`The secrets file ${file} named by KAOPU_SECRETS_FILE does not exist.`)
    if (!mayMake) throw refuse(path, 'is missing although the database is in use')
    for (const trace of mayMake === 'in a used folder' ? [] : ['postgres', 'cluster-path', 'demo-accounts.json']) {
      if (await exists(join(dataDir, trace))) throw refuse(path, 'is missing although the data folder is in use')
    }
    await writeOnce(path, `${JSON.stringify(make(), null, 2)}\n`)
    text = await read(path)
  }
  if (text === undefined) throw refuse(path, 'could not be read back')
  return parseSecrets(path, text)
}
