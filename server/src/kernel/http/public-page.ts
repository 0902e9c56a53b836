import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Language, languageOf } from '#contract/kernel/label.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'

export interface PublicPage {
  /** Outside /api, as `/t/:token`. */
  readonly path: string
  readonly render: (call: {
    readonly params: Readonly<Record<string, string>>
    readonly language: Language
    /** Whose address it is. */
    readonly tenantId: string
  }) => Promise<PublicAnswer>
}
export interface PublicAnswer {
  readonly status: number
  readonly html: string
  /** Of what programs read: its content type, where it is no HTML page. */
  readonly type?: string
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, char => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[char] ?? '')

const sendPage = (reply: FastifyReply, { status, html, type }: PublicAnswer): FastifyReply => {
  reply
    .status(status)
    .type(type ?? 'text/html; charset=utf-8')
    .header('Cache-Control', type === undefined ? 'no-store' : 'public, max-age=60')
    .header('Content-Security-Policy', policy)
  if (type === undefined) reply.header('X-Robots-Tag', 'noindex')
  return reply.serializer((text: unknown) => text as string).send(html)
}

const refusalTexts = {
  zh: { title: '文件无法打开', home: '返回首页' },
  en: { title: 'The file cannot be opened', home: 'To the first page' },
} as const

const refusalStyle = `
:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:20px;box-sizing:border-box;
font:16px/1.6 -apple-system,"PingFang SC","Microsoft YaHei","Noto Sans SC",sans-serif}
main{max-width:480px}h1{font-size:20px}p{overflow-wrap:anywhere}a{display:inline-block;padding:8px 0}`

/** A refusal for somebody who opened the address of a file: a browser would show them the envelope. */
export const sendRefusalPage = (reply: FastifyReply, language: Language, refusal: Refusal): FastifyReply => {
  const t = refusalTexts[language]
  const html = `<!doctype html><html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${t.title}</title><style>${refusalStyle}</style></head><body><main><h1>${t.title}</h1><p>${escapeHtml(refusal.text[language])}</p><a href="/">${t.home}</a></main></body></html>`
  return sendPage(reply, { status: refusal.status, html })
}

/** Pages that the server writes whole: no script, no cookie, nothing to load. For addresses that stand on paper, and for programs that read. */
export const mountPages = (
  app: FastifyInstance,
  pages: readonly PublicPage[],
  tenantOf: (request: FastifyRequest) => Promise<string>,
): void => {
  for (const page of pages)
    app.get(page.path, async (request, reply) =>
      sendPage(
        reply,
        await page.render({
          params: request.params as Record<string, string>,
          language: languageOf(request.headers['accept-language']),
          tenantId: await tenantOf(request),
        }),
      ),
    )
}
