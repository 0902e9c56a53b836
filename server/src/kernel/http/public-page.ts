import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Language, languageOf } from '#contract/kernel/label.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { isDatabaseUnavailable } from '../db/unavailable.ts'
import { clientOf } from './client.ts'
import { answeredAtHeader, type LastAnswer, type LastAnswers } from './last-answers.ts'

export interface PublicCall {
  readonly params: Readonly<Record<string, string>>
  /** What stands behind the question mark; the first of several values. */
  readonly query: Readonly<Record<string, string>>
  /** Fields of a form that was sent; all their values. */
  readonly form: Readonly<Record<string, readonly string[]>>
  /** `?lang=` says it before the browser does. */
  readonly language: Language
  /** Whose address it is. */
  readonly tenantId: string
}
export interface PublicPage {
  /** Outside /api, as `/t/:token`. */
  readonly path: string
  /** POST: a form of another page is sent here. What somebody says of themselves stands in no address. */
  readonly method?: 'POST'
  readonly render: (call: PublicCall) => Promise<PublicAnswer>
}
export interface PublicAnswer {
  readonly status: number
  readonly html: string
  /** Of what programs read: its content type, where it is no HTML page. */
  readonly type?: string
  /** A page that everybody may see and keep for so many seconds, and that search engines list. */
  readonly maxAgeS?: number
  /** Stands in the page, which works without it. */
  readonly script?: string
  /** Where the address is another one. */
  readonly location?: string
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64')
const scriptPolicy = (script: string): string =>
  `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${sha256(script)}'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, char => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[char] ?? '')

const cacheOf = ({ type, maxAgeS }: PublicAnswer): string =>
  maxAgeS !== undefined ? `public, max-age=${maxAgeS}` : type === undefined ? 'no-store' : 'public, max-age=60'

/** Sends a page with the policy that lets it do nothing but what it needs. */
export const sendPage = (reply: FastifyReply, answer: PublicAnswer): FastifyReply => {
  const { status, html, type, script, maxAgeS, location } = answer
  reply
    .status(status)
    .type(type ?? 'text/html; charset=utf-8')
    .header('Cache-Control', cacheOf(answer))
    .header('Content-Security-Policy', script === undefined ? policy : scriptPolicy(script))
  if (maxAgeS !== undefined) reply.header('Vary', 'Accept-Encoding, Accept-Language').header('ETag', `W/"${sha256(html).slice(0, 22)}"`)
  else if (type === undefined) reply.header('X-Robots-Tag', 'noindex')
  if (location !== undefined) reply.header('Location', location)
  const isKnown = maxAgeS !== undefined && reply.request.headers['if-none-match'] === reply.getHeader('ETag')
  if (isKnown) return reply.status(304).send()
  return reply.serializer((text: unknown) => text as string).send(html)
}

const refusalTexts = {
  zh: { title: '文件无法打开', away: '页面暂时打不开', home: '返回首页' },
  en: { title: 'The file cannot be opened', away: 'This page cannot be shown at the moment', home: 'To the first page' },
} as const

const refusalStyle = `
:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:20px;box-sizing:border-box;
font:16px/1.6 -apple-system,"PingFang SC","Microsoft YaHei","Noto Sans SC",sans-serif}
main{max-width:480px}h1{font-size:20px}p{overflow-wrap:anywhere}a{display:inline-block;padding:8px 0}`

/** A refusal for somebody who opened the address of a file or a page: a browser would show them the envelope. */
export const sendRefusalPage = (reply: FastifyReply, language: Language, refusal: Refusal): FastifyReply => {
  const { title, away, home } = refusalTexts[language]
  const heading = refusal.status === 503 ? away : title
  const html = `<!doctype html><html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${heading}</title><style>${refusalStyle}</style></head><body><main><h1>${heading}</h1><p>${escapeHtml(refusal.text[language])}</p><a href="/">${home}</a></main></body></html>`
  return sendPage(reply, { status: refusal.status, html })
}

const htmlType = 'text/html; charset=utf-8'
const bannerTexts = {
  zh: (time: string) => `服务正在切换，已提交的内容不会丢失。以下为 ${time} 的内容`,
  en: (time: string) => `The service is being moved, nothing is lost. This is how it was at ${time}`,
} as const
const bannerStyle =
  'position:sticky;top:0;margin:0;padding:10px 16px;background:#fff4ce;color:#3d2f00;font:16px/1.5 -apple-system,&quot;PingFang SC&quot;,&quot;Microsoft YaHei&quot;,sans-serif'

/** A page as it was last shown, with a line that says so; feeds and other files as they were. */
const sendLast = (reply: FastifyReply, { type, body, atMs }: LastAnswer, language: Language): FastifyReply => {
  const time = toWireTime(new Date(atMs)).slice(11, 16)
  const html = String(body).replace(
    /<body[^>]*>/,
    tag => `${tag}<p role="status" style="${bannerStyle}">${bannerTexts[language](time)}</p>`,
  )
  reply.header(answeredAtHeader, String(atMs))
  // No type: nobody keeps what is shown only until the database is back.
  return sendPage(reply, type === htmlType ? { status: 200, html } : { status: 200, html: String(body), type })
}

const firstOf = (values: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries((values ?? {}) as Record<string, unknown>).map(([name, value]) => [
      name,
      String(Array.isArray(value) ? value[0] : value),
    ]),
  )
const allOf = (values: unknown): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries((values ?? {}) as Record<string, unknown>).map(([name, value]) => [
      name,
      (Array.isArray(value) ? value : [value]).map(String),
    ]),
  )

/** Pages that the server writes whole: no cookie, nothing to load. For addresses that stand on paper, that are shared, and for programs that read. */
export const mountPages = (
  app: FastifyInstance,
  pages: readonly PublicPage[],
  tenantOf: (request: FastifyRequest) => Promise<string>,
  last: LastAnswers,
): void => {
  for (const { path, method = 'GET', render } of pages)
    app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const query = firstOf(request.query)
        const { lang } = query
        const language = lang === 'en' || lang === 'zh' ? lang : languageOf(request.headers['accept-language'])
        // What everybody may see and keep is shown from memory while there is no database.
        const key = method === 'GET' ? JSON.stringify([request.url, language, clientOf(request).host]) : undefined
        const known = key === undefined || !last.isAway() ? undefined : last.find(key)
        if (known) return sendLast(reply, known, language)
        try {
          const answer = await render({
            params: request.params as Record<string, string>,
            query,
            form: method === 'POST' ? allOf(request.body) : {},
            language,
            tenantId: await tenantOf(request),
          })
          if (key !== undefined && answer.status === 200 && answer.maxAgeS !== undefined)
            last.keep(key, { type: answer.type ?? htmlType, body: answer.html })
          return sendPage(reply, answer)
        } catch (error) {
          if (!isDatabaseUnavailable(error)) throw error
          last.noteAway()
          const shown = key === undefined ? undefined : last.find(key)
          if (shown === undefined) throw error
          return sendLast(reply, shown, language)
        }
      },
    })
}
