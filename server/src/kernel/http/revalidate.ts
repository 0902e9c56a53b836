import { type Ctx, type NotModified, notModified } from './context.ts'

/** What an answer was made from. */
export interface Version {
  /** Differs whenever the answer may differ; without quotes. */
  readonly tag: string
  readonly lastModified: Date | undefined
}

/** The tags of `If-None-Match`, compared weakly (RFC 9110, 13.1.2). */
const namesTag = (header: string, tag: string): boolean =>
  header.trim() === '*' || header.split(',').some(one => one.trim().replace(/^W\//, '') === `"${tag}"`)

/**
 * Names the version of an answer and says whether the caller holds it already: then the handler answers `notModified` and reads no
 * row. `If-None-Match` wins over `If-Modified-Since`, as RFC 9110 wants it. Callers ask again each time, so that nobody sees what
 * another session was shown.
 */
export const held = (ctx: Ctx, { tag, lastModified }: Version): NotModified | undefined => {
  ctx.reply('ETag', `"${tag}"`)
  ctx.reply('Cache-Control', 'private, no-cache')
  if (lastModified) ctx.reply('Last-Modified', lastModified.toUTCString())
  const match = ctx.header('if-none-match')
  if (match !== undefined) return namesTag(match, tag) ? notModified : undefined
  const since = Date.parse(ctx.header('if-modified-since') ?? '')
  // The header knows whole seconds only.
  return lastModified && since >= Math.floor(lastModified.getTime() / 1_000) * 1_000 ? notModified : undefined
}
