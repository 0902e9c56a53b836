import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { S3mini } from 's3mini'
import { createAllowedServers } from '#kernel/allowed-servers.ts'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'
import { asStorageError, fetchBy, isMissing, sendObject } from '#kernel/files/s3.ts'
import { neverHeld } from '#kernel/hold.ts'
import { token } from '#kernel/random.ts'

/** Where backups lie. Names have slashes between their parts and no dots at the beginning of one. */
export interface Place {
  /** As the operator named it. */
  readonly address: string
  /** Whole when it resolves; nothing is there under the name when it fails. */
  readonly put: (name: string, source: AsyncIterable<Uint8Array>) => Promise<void>
  /** @throws StartRefusal where there is no such object */
  readonly read: (name: string) => AsyncIterable<Uint8Array>
  /** Names below a folder, which ends with a slash. */
  readonly list: (folder: string) => Promise<ReadonlySet<string>>
  /** In a folder, the folders that it leaves empty go too. */
  readonly remove: (name: string) => Promise<void>
}

/** The service of `s3://…` places. */
export interface StoreAccess {
  readonly endpoint: string | undefined
  readonly region: string | undefined
  readonly accessKey: string | undefined
  readonly secretKey: string | undefined
}

const missing = (address: string, name: string): StartRefusal =>
  new StartRefusal(`${name} is missing in ${address}: the backup is not whole. Use another backup.`)

const folderPlace = (address: string): Place => {
  const root = resolve(address)
  const pathOf = (name: string): string => join(root, ...name.split('/'))
  return {
    address: root,
    async put(name, source) {
      const path = pathOf(name)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const draft = `${path}.${token(6)}.part`
      const file = await open(draft, 'wx', 0o600)
      try {
        try {
          for await (const bytes of source) await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(draft, path)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
      if (process.platform === 'win32') return
      const folder = await open(dirname(path), 'r')
      await folder.sync().finally(() => folder.close())
    },
    async *read(name) {
      const stream = createReadStream(pathOf(name), { highWaterMark: 1024 * 1024 })
      try {
        yield* stream as AsyncIterable<Buffer>
      } catch (error) {
        throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? missing(root, name) : error
      }
    },
    async list(folder) {
      const at = pathOf(folder)
      const entries = await readdir(at, { recursive: true, withFileTypes: true }).catch((error: NodeJS.ErrnoException) =>
        error.code === 'ENOENT' ? [] : Promise.reject(error),
      )
      return new Set(
        entries
          .filter(entry => entry.isFile() && !entry.name.endsWith('.part'))
          .map(entry =>
            join(entry.parentPath, entry.name)
              .slice(root.length + 1)
              .split(sep)
              .join('/'),
          ),
      )
    },
    async remove(name) {
      await rm(pathOf(name), { force: true })
      // A folder that is not empty refuses to go, and so do those above it.
      for (let folder = dirname(pathOf(name)); folder !== root; folder = dirname(folder)) {
        const isGone = await rmdir(folder).then(
          () => true,
          () => false,
        )
        if (!isGone) return
      }
    },
  }
}

/** Larger objects travel in parts of this size. A service takes ten thousand parts: an object may have 640 GB. */
const partBytes = 64 * 1024 * 1024
/** Of one answer. */
const blockBytes = 8 * 1024 * 1024

const storePlace = (address: string, access: StoreAccess): Place => {
  const { bucket = '', prefix = '' } =
    /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?<prefix>.*))?$/.exec(address)?.groups ?? {}
  if (bucket === '') throw new StartRefusal(`${address} is no place for backups: write s3://<bucket>/<prefix>.`)
  const { endpoint, region, accessKey, secretKey } = access
  if (!endpoint || !accessKey || !secretKey)
    throw new StartRefusal(
      `A backup in ${address} needs the service's address and keys: set AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, unless it is us-east-1, AWS_REGION.`,
    )
  const { origin } = new URL(endpoint)
  const client = new S3mini({
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    endpoint: `${origin}/${bucket}`,
    region: region ?? 'us-east-1',
    // An operator's command: it runs on a restored installation too, whose backups are read and written on purpose.
    fetch: fetchBy(createAllowedServers(origin, neverHeld).outbound, { timeoutMs: 120_000 }),
  })
  const before = prefix.replace(/\/+$/, '') === '' ? '' : `${prefix.replace(/\/+$/, '')}/`
  const ask = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      const known = asStorageError(error)
      throw known instanceof Error ? new StartRefusal(`${address}: ${known.message}`, { cause: error }) : known
    }
  }
  return {
    address,
    put: (name, source) =>
      sendObject({ client, ask, object: before + name, partBytes }, async write => {
        for await (const bytes of source) await write(bytes)
      }),
    async *read(name) {
      for (let at = 0, total = 1; at < total; at += blockBytes) {
        const answer = await ask(() => client.getObjectRaw(before + name, false, at, at + blockBytes)).catch((error: Error) => {
          throw isMissing(error.cause) ? missing(address, name) : error
        })
        total = Number(/\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1] ?? 0)
        yield Buffer.from(await answer.arrayBuffer())
      }
    },
    async list(folder) {
      const names = new Set<string>()
      for (let next: string | undefined, isFirst = true; isFirst || next !== undefined; isFirst = false) {
        const from = next
        // The library asks the bucket itself by the first argument and sends no delimiter: names of every depth come back.
        const page = await ask(() => client.listObjectsPaged('/', before + folder, 1_000, from))
        for (const { Key } of page?.objects ?? []) names.add(Key.slice(before.length))
        next = page?.nextContinuationToken
      }
      return names
    },
    remove: name => ask(async () => void (await client.deleteObject(before + name))),
  }
}

/** @param address - a folder, or `s3://bucket/prefix` @throws StartRefusal for what is neither */
export const openPlace = (address: string, access: StoreAccess): Place =>
  address.startsWith('s3:') ? storePlace(address, access) : folderPlace(address)
