import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An S3-compatible service as tests need one: what versitygw 1.8.0 answered when it was asked for real. It checks every signature. */
export interface FakeS3 {
  readonly origin: string
  /** Objects by their names, of each bucket. */
  readonly buckets: Map<string, Map<string, Buffer>>
  /** `PUT /bucket/object`, in order. */
  readonly asked: string[]
  /** Multipart uploads that were begun and neither ended nor broken off. */
  readonly openUploads: () => number
  /** Answers nothing any more, or something else than it should. */
  mode: 'well' | 'silent' | 'redirect' | 'broken' | 'full'
  /** When its objects were written, as lists of them say. */
  writtenAt: string
  /** Where it redirects to. */
  redirectTo: string
  /** Called before each answer that it gives; the answer waits for it. */
  before: ((method: string, path: string) => unknown) | undefined
  close(): Promise<void>
}

export const s3Keys = { accessKey: 'kaopukey', secretKey: 'kaopusecret123', region: 'us-east-1' } as const
const leastPartBytes = 5 * 1024 * 1024

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

class Declined extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

/** Signature Version 4 in the Authorization header, worked out anew from what arrived. */
const checkSignature = (request: IncomingMessage, url: URL): void => {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    )
  if (!given) throw new Declined(403, 'AccessDenied')
  const [, keyId = '', day = '', region = '', names = '', signature = ''] = given
  if (keyId !== s3Keys.accessKey) throw new Declined(404, 'XAdminUserNotFound')
  if (region !== s3Keys.region) throw new Declined(400, 'AuthorizationHeaderMalformed')
  const at = String(request.headers['x-amz-date'])
  const instant = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(Date.now() - instant) < 15 * 60_000)) throw new Declined(403, 'RequestTimeTooSkewed')
  const query = [...url.searchParams]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join('&')
  const headers = names.split(';').map(name => `${name}:${String(request.headers[name]).trim()}\n`)
  const canonical = [request.method, url.pathname, query, headers.join(''), names, request.headers['x-amz-content-sha256']].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', at, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const key = hmac(hmac(hmac(hmac(`AWS4${s3Keys.secretKey}`, day), region), 's3'), 'aws4_request')
  if (hmac(key, toSign).toString('hex') !== signature) throw new Declined(403, 'SignatureDoesNotMatch')
}

export const startFakeS3 = async (): Promise<FakeS3> => {
  const buckets = new Map<string, Map<string, Buffer>>()
  const uploads = new Map<string, Map<number, Buffer>>()
  const asked: string[] = []
  const xml = (response: ServerResponse, status: number, text: string): void =>
    void response.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`)
  const etag = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`

  const read = (request: IncomingMessage, response: ServerResponse, bytes: Buffer | undefined): void => {
    if (!bytes) throw new Declined(404, 'NoSuchKey')
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    if (from === undefined) return void response.writeHead(200).end(bytes)
    const [start, end] = [Number(from), Math.min(to ? Number(to) : bytes.length - 1, bytes.length - 1)]
    if (start >= bytes.length) throw new Declined(416, 'InvalidRange')
    response.writeHead(206, { 'content-range': `bytes ${start}-${end}/${bytes.length}` }).end(bytes.subarray(start, end + 1))
  }
  const answer = async (request: IncomingMessage, response: ServerResponse, url: URL, body: Buffer): Promise<void> => {
    checkSignature(request, url)
    const [, bucket = '', object = ''] = /^\/([^/]+)\/?(.*)$/.exec(url.pathname) ?? []
    const { method } = request
    if (object === '' && method === 'PUT') {
      if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) throw new Declined(400, 'InvalidBucketName')
      if (buckets.has(bucket)) throw new Declined(409, 'BucketAlreadyOwnedByYou')
      buckets.set(bucket, new Map())
      return void response.end()
    }
    const objects = buckets.get(bucket)
    if (!objects) throw new Declined(404, 'NoSuchBucket')
    if (object === '' && method === 'DELETE') {
      if (objects.size > 0) throw new Declined(409, 'BucketNotEmpty')
      buckets.delete(bucket)
      return void response.writeHead(204).end()
    }
    if (object === '' && method === 'GET') {
      const prefix = url.searchParams.get('prefix') ?? ''
      const after = url.searchParams.get('continuation-token') ?? ''
      const delimiter = url.searchParams.get('delimiter') ?? ''
      const below = [...objects.keys()].filter(name => name.startsWith(prefix)).sort()
      /** A name, or what it has in common with others up to the next delimiter. */
      const shown = (name: string): string => {
        const end = delimiter === '' ? -1 : name.indexOf(delimiter, prefix.length)
        return end < 0 ? name : name.slice(0, end + delimiter.length)
      }
      const entries = [...new Set(below.map(shown))].filter(entry => entry > after)
      const page = entries.slice(0, Math.min(1_000, Number(url.searchParams.get('max-keys') ?? 1_000)))
      const rest = entries.length > page.length ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
      const contents = page.map(entry =>
        objects.has(entry)
          ? `<Contents><Key>${entry}</Key><LastModified>${state.writtenAt}</LastModified><Size>${objects.get(entry)?.length}</Size></Contents>`
          : `<CommonPrefixes><Prefix>${entry}</Prefix></CommonPrefixes>`,
      )
      return xml(
        response,
        200,
        `<ListBucketResult><KeyCount>${page.length}</KeyCount><IsTruncated>${rest !== ''}</IsTruncated>${rest}${contents.join('')}</ListBucketResult>`,
      )
    }
    if (state.mode === 'full' && method === 'PUT') throw new Declined(507, 'InsufficientStorage')
    const uploadId = url.searchParams.get('uploadId')
    if (method === 'POST' && url.searchParams.has('uploads')) {
      const id = randomUUID()
      uploads.set(id, new Map())
      return xml(response, 200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    }
    if (uploadId !== null) {
      const parts = uploads.get(uploadId)
      if (!parts) throw new Declined(404, 'NoSuchUpload')
      if (method === 'PUT') {
        parts.set(Number(url.searchParams.get('partNumber')), body)
        return void response.setHeader('etag', etag(body)).end()
      }
      if (method === 'DELETE') {
        uploads.delete(uploadId)
        return void response.writeHead(204).end()
      }
      const wanted = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, number]) => parts.get(Number(number)))
      const whole = wanted.map((part, at) => {
        if (!part) throw new Declined(400, 'InvalidPart')
        if (at < wanted.length - 1 && part.length < leastPartBytes) throw new Declined(400, 'EntityTooSmall')
        return part
      })
      const bytes = Buffer.concat(whole)
      objects.set(object, bytes)
      uploads.delete(uploadId)
      return xml(response, 200, `<CompleteMultipartUploadResult><ETag>${etag(bytes)}</ETag></CompleteMultipartUploadResult>`)
    }
    if (method === 'PUT') {
      objects.set(object, body)
      return void response.setHeader('etag', etag(body)).end()
    }
    if (method === 'DELETE') {
      objects.delete(object)
      return void response.writeHead(204).end()
    }
    read(request, response, objects.get(object))
  }

  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', state.origin)
      const body = await bodyOf(request)
      asked.push(`${request.method} ${url.pathname}`)
      await state.before?.(request.method ?? '', url.pathname)
      if (state.mode === 'silent') return
      if (state.mode === 'broken') return void request.socket.destroy()
      if (state.mode === 'redirect') return void response.writeHead(307, { location: state.redirectTo }).end()
      try {
        await answer(request, response, url, body)
      } catch (error) {
        if (!(error instanceof Declined)) throw error
        xml(response, error.status, `<Error><Code>${error.code}</Code><Message>${error.code}</Message></Error>`)
      }
    })()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const state: FakeS3 = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    buckets,
    asked,
    openUploads: () => uploads.size,
    mode: 'well',
    writtenAt: '2026-01-01T00:00:00.000Z',
    redirectTo: 'http://127.0.0.1:1/',
    before: undefined,
    close: () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
  return state
}
