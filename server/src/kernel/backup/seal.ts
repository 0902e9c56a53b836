import { readFile } from 'node:fs/promises'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { called } from '#kernel/called.ts'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'

// The format of age (age-encryption.org/v1): a key for each object, wrapped for every recipient. The `age` program opens what is written here, so a
// backup can be read without this product.

/** A pair of keys: what opens a backup, and what it is sealed for. */
export interface BackupKey {
  /** `AGE-SECRET-KEY-1…`; whoever has it opens every backup that was sealed for it. */
  readonly identity: string
  /** `age1…`, public. */
  readonly recipient: string
}

export const makeBackupKey = async (): Promise<BackupKey> => {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))

/** Reads the public keys that backups are sealed for. @throws StartRefusal unless there are two different ones at least */
export const readRecipients = async (path: string): Promise<readonly string[]> => {
  const how = `Make two keys with: ${called('backup', 'keys <folder of the first> <folder of the second>')}`
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new StartRefusal(`There are no keys to seal a backup for: ${path} does not exist. ${how}`) : error
  })
  const recipients = [...new Set(linesOf(text))]
  const encrypter = new Encrypter()
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient)
    } catch {
      throw new StartRefusal(`${path} holds a line that is no public key of age (age1…). ${how}`)
    }
  }
  if (recipients.length < 2)
    throw new StartRefusal(
      `${path} holds ${recipients.length} public keys; a backup is sealed for two, so that the loss of one is not the loss of all. ${how}`,
    )
  return recipients
}

/** Reads a private key. @throws StartRefusal for a file that holds none */
export const readIdentity = async (path: string): Promise<string> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new StartRefusal(`The key file ${path} cannot be read (${error.code}).`)
  })
  const identity = linesOf(text).find(line => line.startsWith('AGE-SECRET-KEY-'))
  if (identity === undefined) throw new StartRefusal(`${path} holds no private key (a line AGE-SECRET-KEY-…).`)
  return identity
}

/** Seals for all recipients; any one of their keys opens it. */
export async function* seal(recipients: readonly string[], source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  yield* (await encrypter.encrypt(ReadableStream.from(source) as ReadableStream<Uint8Array>)) as AsyncIterable<Uint8Array>
}

/** @throws StartRefusal for a key that it was not sealed for, or bytes that were changed */
export async function* unseal(identity: string, source: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  let opened: AsyncIterable<Uint8Array>
  try {
    opened = (await decrypter.decrypt(ReadableStream.from(source) as ReadableStream<Uint8Array>)) as AsyncIterable<Uint8Array>
  } catch (error) {
    if (error instanceof StartRefusal) throw error
    throw new StartRefusal(`${name} does not open with this key: it was sealed for other keys, or was changed.`, { cause: error })
  }
  try {
    yield* opened
  } catch (error) {
    if (error instanceof StartRefusal) throw error
    throw new StartRefusal(`${name} was changed or is cut off.`, { cause: error })
  }
}
