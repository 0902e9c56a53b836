import type { FastifyInstance } from 'fastify'
import { type Language, languageOf } from '#contract/kernel/label.ts'

export interface PublicPage {
  /** Outside /api, as `/t/:token`. */
  readonly path: string
  readonly render: (call: {
    readonly params: Readonly<Record<string, string>>
    readonly language: Language
  }) => Promise<{ readonly status: number; readonly html: string }>
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Pages that the server writes whole: no script, no cookie, nothing to load. For addresses that stand on paper. */
export const mountPages = (app: FastifyInstance, pages: readonly PublicPage[]): void => {
  for (const page of pages)
    app.get(page.path, async (request, reply) => {
      const { status, html } = await page.render({
        params: request.params as Record<string, string>,
        language: languageOf(request.headers['accept-language']),
      })
      return reply
        .status(status)
        .type('text/html; charset=utf-8')
        .header('Cache-Control', 'no-store')
        .header('Content-Security-Policy', policy)
        .header('X-Robots-Tag', 'noindex')
        .send(html)
    })
}
