import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What the page of an address needs, as the build wrote it (web/parts.ts). */
interface PagePart {
  readonly path: string
  readonly entry: string
  readonly part: unknown
}

type Encoding = 'br' | 'gzip' | 'identity'
const encoders: Readonly<Record<Encoding, (html: Buffer) => Promise<Buffer> | Buffer>> = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
  identity: html => html,
}
const encodingOf = (accepted: string | undefined): Encoding =>
  /\bbr\b/.test(accepted ?? '') ? 'br' : /\bgzip\b/.test(accepted ?? '') ? 'gzip' : 'identity'

const matches = (pattern: string, path: string): boolean => {
  const [want, have] = [pattern.split('/'), path.split('/')]
  return want.length === have.length && want.every((part, index) => (part.startsWith(':') ? have[index] !== '' : part === have[index]))
}

/** What the HTML of an address says by itself, to programs that read it without running anything. */
export interface PageHead {
  readonly status: 200 | 410
  readonly title: string
  readonly description: string
  readonly isIndexed: boolean
  /** The one address of what stands here. */
  readonly canonical?: string
  readonly feed?: string
  /** Structured data (schema.org). */
  readonly data?: object
  /** Clean HTML: what is shown where no script runs. */
  readonly article: string
}

export interface WebPage {
  /** Hashes of the scripts that stand in the page, as a content security policy names them. */
  readonly scriptHashes: readonly string[]
  readonly send: (request: FastifyRequest, reply: FastifyReply, head?: PageHead) => Promise<FastifyReply>
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
const meta = (name: string, content: string): string => `<meta name="${name}" content="${escaped(content)}" />`
const property = (name: string, content: string): string => `<meta property="${name}" content="${escaped(content)}" />`
const headHtml = ({ title, description, isIndexed, canonical, feed, data }: PageHead): string =>
  [
    `<title>${escaped(title)}</title>`,
    meta('description', description),
    isIndexed ? '' : meta('robots', 'noindex'),
    property('og:title', title),
    property('og:description', description),
    property('og:type', 'article'),
    canonical === undefined ? '' : `<link rel="canonical" href="${escaped(canonical)}" />${property('og:url', canonical)}`,
    feed === undefined ? '' : `<link rel="alternate" type="application/rss+xml" href="${escaped(feed)}" />`,
    // A block of data: nothing in it may end the element.
    data === undefined ? '' : `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`,
  ].join('')

/**
 * The one HTML page of the web. It says which hosts may be framed, so that the program can explain itself before the browser refuses, and
 * what the page of the address will need, so that it is asked for at once. Nothing in it belongs to a person.
 */
export const loadWebPage = async (webRoot: string, frameHosts: readonly string[]): Promise<WebPage | undefined> => {
  const html = await readFile(join(webRoot, 'index.html'), 'utf8').catch(() => undefined)
  if (html === undefined) return undefined
  const text = await readFile(join(webRoot, '.vite', 'pages.json'), 'utf8').catch(() => '[]')
  const parts = JSON.parse(text) as readonly PagePart[]
  const exact = new Set(parts.map(({ path }) => path))
  const patterns = [...exact].filter(path => path.includes(':'))
  const bodies = new Map<string, Promise<Buffer>>()

  const written = (pattern: string | undefined): Buffer => {
    const own = Object.fromEntries(parts.filter(({ path }) => path === pattern).map(({ entry, part }) => [entry, part]))
    const page = Object.keys(own).length === 0 ? '' : meta('kaopu-page', JSON.stringify(own))
    // Before the script, which reads it.
    return Buffer.from(html.replace('<script>', () => `${page}${meta('kaopu-frame-hosts', frameHosts.join(','))}<script>`))
  }
  const patternOf = (path: string): string | undefined => (exact.has(path) ? path : patterns.find(each => matches(each, path)))
  /** One per declared page and encoding: an address that nobody declared has the page without parts. */
  const bodyOf = (path: string, encoding: Encoding): Promise<Buffer> => {
    const pattern = patternOf(path)
    const key = `${encoding} ${pattern ?? ''}`
    const known = bodies.get(key)
    if (known !== undefined) return known
    const made = Promise.resolve(encoders[encoding](written(pattern)))
    bodies.set(key, made)
    return made
  }
  // Pages that stand by themselves beside it bring their script along.
  const beside = (await readdir(webRoot)).filter(name => name.endsWith('.html') && name !== 'index.html')
  const pages = [html, ...(await Promise.all(beside.map(name => readFile(join(webRoot, name), 'utf8'))))]
  return {
    scriptHashes: [...pages.join('').matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
      ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    ),
    send: async (request, reply, head) => {
      if (head) {
        // Made for each call, and packed by the server as every answer is.
        const path = request.url.split('?')[0] ?? ''
        const plain = written(patternOf(path)).toString()
        const body = plain
          .replace(/<title>[^<]*<\/title>/, () => headHtml(head))
          .replace('<noscript>', () => `<noscript><article>${head.article}</article>`)
        return reply
          .status(head.status)
          .type('text/html; charset=utf-8')
          .headers({ 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' })
          .send(body)
      }
      const encoding = encodingOf(request.headers['accept-encoding'])
      const body = await bodyOf(request.url.split('?')[0] ?? '', encoding)
      reply.type('text/html; charset=utf-8').headers({ 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' })
      if (encoding !== 'identity') reply.header('Content-Encoding', encoding)
      return reply.send(body)
    },
  }
}
