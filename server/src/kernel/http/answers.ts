import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Envelope } from '#contract/kernel/envelope.ts'
import type { Language } from '#contract/kernel/label.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { ByteRange } from '#kernel/files/store.ts'
import type { FileAnswer, PlainAnswer } from './context.ts'
import type { Coding, Written } from './written-answer.ts'

/** Texts inside a refusal's data become the reader's language. */
const localize = (value: unknown, language: Language): unknown => {
  if (Array.isArray(value)) return value.map(item => localize(item, language))
  if (typeof value !== 'object' || value === null) return value
  const keys = Object.keys(value)
  if (keys.length === 2 && keys.includes('zh') && keys.includes('en')) return (value as Record<string, unknown>)[language]
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, localize(item, language)]))
}

/** The one place that turns a refusal into an envelope. */
export const envelopeOf = (refusal: Refusal, language: Language, traceId: string): Envelope<unknown> => ({
  code: refusal.code,
  success: false,
  data: localize(refusal.data ?? null, language),
  msg: refusal.text[language],
  reason: refusal.reason,
  traceId,
})

/** An answer as it is, without the envelope. */
export const sendJson = (reply: FastifyReply, value: unknown): FastifyReply =>
  reply
    .type('application/json; charset=utf-8')
    .serializer((json: unknown) => JSON.stringify(json))
    .send(value)

const takes = (coding: Coding): RegExp => new RegExp(`(^|[ ,])${coding}(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))([ ,;]|$)`, 'i')
const takesCoding: readonly (readonly [Coding, RegExp])[] = [
  ['zstd', takes('zstd')],
  ['br', takes('br')],
]

/** An answer that is kept as text, and compressed for whoever takes it so. */
export const sendWritten = async (
  reply: FastifyReply,
  { bytes, compressed }: Written,
  accepts: string | undefined,
): Promise<FastifyReply> => {
  const [coding] = takesCoding.find(([, taken]) => taken.test(accepts ?? '')) ?? []
  const packed = coding && (await compressed(coding))
  reply.type('application/json; charset=utf-8').header('Vary', 'Accept-Encoding')
  return packed === undefined ? reply.send(bytes()) : reply.header('Content-Encoding', coding).send(packed)
}

/** @param isBare - a token failure has OAuth's shape beside the envelope's (decision 3.3, S3.21) */
export const sendRefusal = (
  reply: FastifyReply,
  { language, traceId, isBare }: { readonly language: Language; readonly traceId: string; readonly isBare: boolean },
  refusal: Refusal,
): FastifyReply => {
  const oauth = {
    error: (refusal.data as { error?: string } | undefined)?.error ?? 'invalid_request',
    error_code: refusal.code,
    error_description: refusal.text[language],
  }
  if (refusal.retryAfterSeconds !== undefined) reply.header('Retry-After', String(refusal.retryAfterSeconds))
  return sendJson(reply.status(refusal.status), { ...(isBare ? oauth : {}), ...envelopeOf(refusal, language, traceId) })
}

/** The part of a file that a download asks for; undefined when the whole of it is meant, `none` when there is no such part. */
const rangeOf = (reply: FastifyReply, sizeBytes: number, version: string): ByteRange | 'none' | undefined => {
  const { range, 'if-range': ifRange } = reply.request.headers
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? []
  if ((from === '' && to === '') || (ifRange !== undefined && ifRange !== `"${version}"`)) return undefined
  const start = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from)
  const end = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  return start > end || start >= sizeBytes ? 'none' : { start, end }
}

export const sendFile = async (reply: FastifyReply, file: FileAnswer): Promise<FastifyReply> => {
  const name = encodeURIComponent(file.name).replace(/['()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  const { body, sizeBytes, version } = file
  reply
    .header('Content-Disposition', `${file.inline ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`)
    .header('Content-Security-Policy', "default-src 'none'; sandbox")
    .type(file.mime)
    .serializer((value: unknown) => value as string)
  if (typeof body !== 'function' || sizeBytes === undefined || version === undefined) {
    if (sizeBytes !== undefined) reply.header('Content-Length', String(sizeBytes))
    const whole = typeof body === 'function' ? await body() : body
    return reply.send(whole instanceof Readable ? whole : Buffer.from(whole))
  }
  const range = rangeOf(reply, sizeBytes, version)
  reply.header('Accept-Ranges', 'bytes').header('ETag', `"${version}"`)
  if (range === 'none') return reply.status(416).header('Content-Range', `bytes */${sizeBytes}`).send('')
  if (range === undefined) return reply.header('Content-Length', String(sizeBytes)).send(await body())
  return reply
    .status(206)
    .header('Content-Range', `bytes ${range.start}-${range.end}/${sizeBytes}`)
    .header('Content-Length', String(range.end - range.start + 1))
    .send(await body(range))
}

export const sendPlain = (reply: FastifyReply, { status, json, text }: PlainAnswer): FastifyReply => {
  reply.status(status)
  if (text !== undefined) return reply.type('text/plain; charset=utf-8').send(text)
  if (json === undefined) return reply.send()
  return sendJson(reply, json)
}

export const isFile = (value: unknown): value is FileAnswer =>
  typeof value === 'object' && value !== null && 'body' in value && 'mime' in value && 'name' in value
