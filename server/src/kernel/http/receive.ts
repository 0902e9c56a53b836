import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type {} from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { refuse } from '#contract/kernel/errors.ts'
import { label } from '#contract/kernel/label.ts'
import type { FilePart } from '#contract/kernel/route.ts'
import { refusalOfMultipart, refuseBody } from './body.ts'
import { type ReceivedFile, Refused } from './context.ts'

const accepts = (parts: readonly FilePart[], name: string): FilePart | undefined =>
  parts.find(part => (part.name.endsWith('*') ? name.startsWith(part.name.slice(0, -1)) : part.name === name))

/** All parts of one call together (decision 4.7: 60 MB per submit). */
const maxTotalBytes = 60 * 1024 * 1024
/** The text of all fields together: as much as a JSON body may have. */
const maxTextLength = 1_048_576

/** What the sender did wrong becomes a refusal; a fault of our own disk stays a defect. */
const blame = (error: unknown): unknown => {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (error instanceof Refused || (syscall !== undefined && code !== 'ECONNRESET')) return error
  return new Refused(refusalOfMultipart(error as Error))
}

const inMb = (bytes: number): string => `${Math.round((bytes / 1_048_576) * 10) / 10} MB`
const tooLarge = (name: string, limitBytes: number) =>
  refuseBody(
    'kernel/too-large',
    name === ''
      ? label(
          `一次上传的文件合计超过 ${inMb(limitBytes)}，请分次上传`,
          `The files of one upload exceed ${inMb(limitBytes)} together; upload them one by one`,
        )
      : label(
          `文件“${name}”超过 ${inMb(limitBytes)}，请压缩或更换后上传`,
          `The file "${name}" is larger than ${inMb(limitBytes)}; make it smaller and upload it again`,
        ),
  )

const maxNameLength = 200

/** A name that people may be shown: without folders, and without controls and marks of direction that make it look like another. */
export const fileNameOf = (raw: string): string => {
  const [, bare = ''] = /([^\\/]*)$/.exec(raw) ?? []
  return [
    ...bare
      .normalize('NFC')
      .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
      .trim(),
  ]
    .slice(-maxNameLength)
    .join('')
}

/** The folder of temporary files may be cleared away while the program runs: it is made again. */
const newFolder = async (): Promise<string> => {
  const prefix = join(tmpdir(), 'kaopu-')
  try {
    return await mkdtemp(prefix)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await mkdir(tmpdir(), { recursive: true })
    return mkdtemp(prefix)
  }
}

export interface Received {
  /** A key that came several times has all its values. */
  readonly fields: Record<string, string | readonly string[]>
  readonly files: readonly ReceivedFile[]
  readonly discard: () => Promise<void>
}

/** Reads a multipart body to its end: fields into memory, files to temporary paths, sizes counted while streaming. */
export const receive = async (request: FastifyRequest, declared: readonly FilePart[]): Promise<Received> => {
  const folder = await newFolder()
  const discard = () => rm(folder, { recursive: true, force: true })
  const fields: Record<string, string | readonly string[]> = {}
  const files: ReceivedFile[] = []
  let textLength = 0
  try {
    for await (const part of request.parts({
      limits: {
        fileSize: Math.max(1, ...declared.map(d => d.maxBytes)),
        files: declared.reduce((sum, d) => sum + d.maxCount, 0),
        fieldSize: maxTextLength,
        fields: 200,
      },
    })) {
      if (part.type === 'field') {
        if (part.fieldname === undefined || part.fieldnameTruncated) throw new Refused(refuse('kernel/unreadable-body', {}))
        const value = String(part.value)
        textLength += part.fieldname.length + value.length
        if (part.valueTruncated || textLength > maxTextLength) throw new Refused(refuse('kernel/too-large', {}))
        const before = fields[part.fieldname]
        fields[part.fieldname] = before === undefined ? value : [before, value].flat()
        continue
      }
      const rule = accepts(declared, part.fieldname)
      if (!rule || files.filter(file => accepts([rule], file.part)).length >= rule.maxCount) {
        part.file.resume()
        throw new Refused(refuse('kernel/file-kind', { detail: part.fieldname }))
      }
      const path = join(folder, String(files.length))
      const digest = createHash('sha256')
      await pipeline(
        part.file,
        async function* (chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            digest.update(chunk)
            yield chunk
          }
        },
        createWriteStream(path),
      )
      const { size } = await stat(path)
      if (part.file.truncated || size > rule.maxBytes) throw new Refused(tooLarge(fileNameOf(part.filename ?? ''), rule.maxBytes))
      if (files.reduce((sum, file) => sum + file.sizeBytes, size) > maxTotalBytes) throw new Refused(tooLarge('', maxTotalBytes))
      files.push({ part: part.fieldname, name: fileNameOf(part.filename ?? ''), path, sizeBytes: size, sha256: digest.digest('hex') })
    }
    return { fields, files, discard }
  } catch (error) {
    await discard()
    throw blame(error)
  }
}
