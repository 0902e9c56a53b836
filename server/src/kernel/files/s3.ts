import { Readable } from 'node:stream'
import { S3mini, S3ServiceError } from 's3mini'
import type { Label } from '#contract/kernel/label.ts'
import { outboundProblems } from '#kernel/allowed-servers.ts'
import type { KeyRing } from '#kernel/crypto/key-ring.ts'
import { type Outbound, OutboundError, type OutboundRequest } from '#kernel/outbound.ts'
import { createChunkKeys, HEADER_BYTES, SEALED_CHUNK_BYTES } from './chunk-cipher.ts'
import { openFile, sealFile } from './sealed-file.ts'
import { storageFaultOf } from './storage-fault.ts'
import { type ByteStore, FileDamagedError, FileMissingError, isFileKey, newFileKey, StorageError, type StoredFile } from './store.ts'

export interface Bucket {
  /** Origin of the service. */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
}

/** The whole of one exchange; a part is 8 MB at most. */
const usualTimeoutMs = 20_000
/** Larger files travel in parts of this size: 5 MB is the least that stores take of one that is not the last. */
const partBytes = 8 * 1024 * 1024
/** Chunks that are fetched at a time: 4 MB, so that a picture takes one call and a large file little memory. */
const chunksAtOnce = 64
/** A backup is read in pieces of 8 MB. */
const maxAnswerBytes = 9 * 1024 * 1024

const problems = {
  credentials: {
    zh: 'AccessKey 或 SecretKey 不正确，或没有该存储桶的权限',
    en: 'the access key or secret key is wrong, or has no right to the bucket',
  },
  bucket: { zh: '存储桶不存在', en: 'there is no such bucket' },
  clock: {
    zh: '服务器时钟与存储服务相差过大，请校准时间',
    en: 'the clocks of this server and of the store differ too much: set them right',
  },
  region: { zh: '地域不正确', en: 'the region is wrong' },
  bucketTaken: { zh: '同名存储桶已存在', en: 'there is a bucket of this name already' },
  full: { zh: '存储服务空间已满', en: 'the store has no room left' },
  answer: { zh: '存储服务的答复无法识别', en: 'the answer of the store cannot be read' },
  bucketFull: { zh: '存储桶不是空的', en: 'the bucket is not empty' },
} as const satisfies Record<string, Label>

const codeOf = (error: S3ServiceError): string =>
  (/<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(error.body ?? '')?.[1] ?? error.serviceCode ?? '').replace('Unknown', '')

/** What a key id or a secret that is not known is answered with depends on the service: 403, or 404 with a code of its own. */
const problemOf = (error: S3ServiceError): Label => {
  const code = codeOf(error)
  if (code === 'RequestTimeTooSkewed') return problems.clock
  if (code === 'AuthorizationHeaderMalformed' || code === 'IncorrectEndpoint') return problems.region
  if (error.status === 403 || code === 'XAdminUserNotFound') return problems.credentials
  if (code === 'NoSuchBucket') return problems.bucket
  if (code === 'BucketNotEmpty') return problems.bucketFull
  if (code.startsWith('BucketAlready')) return problems.bucketTaken
  const said = `HTTP ${error.status}${code === '' ? '' : ` ${code}`}`
  return { zh: `存储服务答复 ${said}`, en: `the store answered ${said}` }
}

const hasNoRoom = (error: S3ServiceError): boolean =>
  error.status === 507 || /(StorageFull|QuotaExceeded|InsufficientStorage|InsufficientCapacity|NoSpace)/i.test(codeOf(error))

/** Whether the store says that there is no object of this name. */
export const isMissing = (error: unknown): boolean => error instanceof S3ServiceError && codeOf(error) === 'NoSuchKey'

/** What went wrong in an exchange with the store, in words for whoever set it up. */
export const asStorageError = (error: unknown): unknown => {
  if (error instanceof StorageError || error instanceof FileDamagedError || error instanceof FileMissingError) return error
  if (error instanceof S3ServiceError) {
    const isFull = hasNoRoom(error)
    return new StorageError(isFull ? problems.full : problemOf(error), { cause: error, isFull })
  }
  const cause = error instanceof OutboundError ? error : (error as { cause?: unknown } | undefined)?.cause
  // Whatever else the client says of an exchange is about what came back: no part of ours runs in it.
  return new StorageError(cause instanceof OutboundError ? outboundProblems[cause.failure] : problems.answer, { cause: error })
}

/** `fetch` as the client of the object store calls it, by the only way out there is. */
export const fetchBy = (outbound: Outbound, { timeoutMs = usualTimeoutMs }: { readonly timeoutMs?: number } = {}): typeof fetch => {
  const send = async (input: unknown, { method = 'GET', headers, body }: RequestInit = {}): Promise<Response> => {
    const { host: _, ...rest } = (headers ?? {}) as Record<string, string>
    const answer = await outbound({
      method: method as OutboundRequest['method'],
      url: String(input),
      headers: rest,
      ...(method === 'GET' || method === 'HEAD' ? {} : { body: body as string | Uint8Array }),
      timeoutMs,
      maxBytes: maxAnswerBytes,
    })
    const isEmpty = answer.status === 204 || answer.status === 304 || method === 'HEAD'
    return new Response(isEmpty ? null : new Uint8Array(answer.body), { status: answer.status, headers: answer.headers })
  }
  return send as typeof fetch
}

/** A service that has the bucket's name in its host is asked without it in the path. */
const addressOf = ({ endpoint, bucket }: Bucket): string => {
  const { origin, hostname } = new URL(endpoint)
  return hostname.startsWith(`${bucket}.`) ? origin : `${origin}/${bucket}`
}

const clientOf = (of: Bucket, outbound: Outbound): S3mini => {
  // The client would ask without a signature.
  if (of.accessKey.trim() === '' || of.secretKey.trim() === '') throw new StorageError(problems.credentials)
  return new S3mini({
    accessKeyId: of.accessKey,
    secretAccessKey: of.secretKey,
    endpoint: addressOf(of),
    region: of.region,
    fetch: fetchBy(outbound),
  })
}

const objectsUnder = 'kaopu/'
/** As many as services list in one answer. */
const listedAtOnce = 1_000
/** Random ASCII, spread by its first letters. */
const objectOf = (key: string): string => {
  if (!isFileKey(key)) throw new FileMissingError('no such file')
  const hex = Buffer.from(key, 'base64url').toString('hex')
  return `${objectsUnder}${hex.slice(0, 2)}/${hex}.kpf`
}

/**
 * Sends an object in parts, each as soon as it is full, or at once where there is one part only; a failed upload leaves nothing behind.
 *
 * @param ask - makes a call to the service and says in words what went wrong
 * @param partBytes - services want five megabytes at least of each part but the last, and take ten thousand parts
 * @param send - writes the pieces of the object, none longer than a part
 */
export const sendObject = async <T>(
  {
    client,
    ask,
    object,
    partBytes,
  }: {
    readonly client: S3mini
    readonly ask: <R>(call: () => Promise<R>) => Promise<R>
    readonly object: string
    readonly partBytes: number
  },
  send: (write: (bytes: Uint8Array) => Promise<void>) => Promise<T>,
): Promise<T> => {
  let pending: Uint8Array[] = []
  let pendingBytes = 0
  let uploadId: string | undefined
  const parts: { partNumber: number; etag: string }[] = []
  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(pending)
    pending = []
    pendingBytes = 0
    uploadId ??= await ask(() => client.getMultipartUploadId(object))
    const id = uploadId
    parts.push(await ask(() => client.uploadPart(object, id, bytes, parts.length + 1)))
  }
  try {
    const sent = await send(async bytes => {
      if (pendingBytes + bytes.length > partBytes) await flush()
      pending.push(bytes)
      pendingBytes += bytes.length
    })
    if (uploadId === undefined) {
      await ask(() => client.putObject(object, Buffer.concat(pending)))
      return sent
    }
    await flush()
    const id = uploadId
    await ask(async () => {
      const done = await client.completeMultipartUpload(object, id, parts)
      // A service may find out late, when it has begun to answer 200.
      if (!done.etag) throw new StorageError({ zh: '存储服务未能合并分段', en: 'the store could not put the parts together' })
    })
    return sent
  } catch (error) {
    const id = uploadId
    if (id !== undefined) await client.abortMultipartUpload(object, id).catch(() => {})
    throw error
  }
}

/** Encrypted files in a bucket of an S3-compatible service. The service sees neither their content nor their names. */
export const createS3Store = (
  of: Bucket,
  { outbound, rootKey }: { readonly outbound: Outbound; readonly rootKey: Uint8Array | KeyRing },
): ByteStore => {
  const keys = createChunkKeys(rootKey)
  const client = clientOf(of, outbound)
  const ask = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call()
    } catch (error) {
      throw asStorageError(error)
    }
  }

  const sendInParts = (object: string, send: (part: (bytes: Buffer) => Promise<void>) => Promise<StoredFile>): Promise<StoredFile> =>
    sendObject({ client, ask, object, partBytes }, send)

  const fetchPart = (object: string, from: number, length: number): Promise<{ bytes: Buffer; total: number }> =>
    ask(async () => {
      const answer = await client.getObjectRaw(object, false, from, from + length)
      const bytes = Buffer.from(await answer.arrayBuffer())
      const total = /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1]
      return { bytes, total: total === undefined ? bytes.length : Number(total) }
    }).catch((error: unknown) => {
      const cause = error instanceof StorageError ? error.cause : undefined
      throw isMissing(cause) ? new FileMissingError('no such file') : error
    })

  const store: ByteStore = {
    put: (source, { maxBytes, key = newFileKey() }) =>
      sendInParts(objectOf(key), async write => ({ key, ...(await sealFile(keys.create(key), source, maxBytes, write)) })),

    // A service changes no part of an object: it is sent again whole, and takes the place of the old one when all of it is there.
    async reseal(key) {
      const { bytes, total } = await fetchPart(objectOf(key), 0, HEADER_BYTES)
      const next = keys.rewrap(key, bytes.subarray(0, HEADER_BYTES))
      if (next === 'same') return false
      if (!next) throw new FileDamagedError('a stored file has no readable header')
      await store.put(await store.open(key), { maxBytes: total, key })
      return true
    },

    async open(key, range) {
      const object = objectOf(key)
      const blockBytes = chunksAtOnce * SEALED_CHUNK_BYTES
      const first = await fetchPart(object, 0, HEADER_BYTES + blockBytes)
      const cipher = keys.read(key, first.bytes.subarray(0, HEADER_BYTES))
      if (!cipher) throw new FileDamagedError('a stored file has no readable header')
      let block = { at: 0, bytes: first.bytes.subarray(HEADER_BYTES) }
      /** Chunks lie whole in their blocks. */
      const read = async (position: number, length: number): Promise<Buffer> => {
        const sealedAt = position - HEADER_BYTES
        const at = sealedAt - (sealedAt % blockBytes)
        if (at !== block.at) block = { at, bytes: (await fetchPart(object, HEADER_BYTES + at, blockBytes)).bytes }
        return block.bytes.subarray(sealedAt - at, sealedAt - at + length)
      }
      return Readable.from(openFile(read, cipher, first.total, range), { objectMode: false })
    },

    remove: key => ask(async () => void (await client.deleteObject(objectOf(key)))),

    async *list() {
      for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
        const from: string | undefined = token
        const page = await ask(() => client.listObjectsPaged('/', objectsUnder, listedAtOnce, from))
        if (!page) throw new StorageError(problems.bucket)
        yield (page.objects ?? []).flatMap(({ Key, LastModified }) => {
          const hex = /^kaopu\/[0-9a-f]{2}\/([0-9a-f]{64})\.kpf$/.exec(Key)?.[1]
          return hex === undefined ? [] : [{ key: Buffer.from(hex, 'hex').toString('base64url'), at: new Date(LastModified) }]
        })
        token = page.nextContinuationToken
      }
    },
  }
  return store
}

/** Buckets at a service, made and removed by the keys of one of them. */
export const changeBucket = async (of: Bucket, outbound: Outbound, change: 'make' | 'remove'): Promise<void> => {
  const client = clientOf(of, outbound)
  try {
    // The client's own call names a region in the body, which services refuse for their first region. An object without a name is the bucket.
    await (change === 'make' ? client.putObject('', '') : client.deleteObject('/'))
  } catch (error) {
    throw asStorageError(error)
  }
}

/** Writes, reads back and removes a small file. @throws StorageError saying at which of the three it failed */
export const tryStore = async (store: ByteStore): Promise<void> => {
  const probe = Buffer.from(newFileKey())
  const step = async <T>(name: Label, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      const fault = storageFaultOf(error)
      if (!fault) throw error
      const { kind, why } = fault
      throw new StorageError(
        { zh: `${name.zh}失败：${why.zh}`, en: `${name.en} failed: ${why.en}` },
        { cause: error, isFull: kind === 'full' },
      )
    }
  }
  const { key } = await step({ zh: '写入', en: 'writing' }, () => store.put(probe, { maxBytes: probe.length }))
  const chunks: Buffer[] = []
  await step({ zh: '读取', en: 'reading' }, async () => {
    for await (const chunk of await store.open(key)) chunks.push(chunk as Buffer)
  })
  await step({ zh: '删除', en: 'removing' }, () => store.remove(key))
  if (!Buffer.concat(chunks).equals(probe))
    throw new StorageError({ zh: '读回的内容与写入的不同', en: 'what was read back differs from what was written' })
}
