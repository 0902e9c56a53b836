import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a route for many addresses: whether there is anything at this one, as a path that is decoded. Without it there is at each. */
    readonly exists?: (path: string) => boolean
  }
}

const order = ['GET', 'HEAD', 'POST', 'OPTIONS']

const decoded = (path: string): string => {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .split('/')
      .map(part => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : escaped(part)))
      .join('/')}$`,
  )

/**
 * What HTTP says of a method that an address does not take (RFC 9110): OPTIONS is answered 204 and any other 405, both with `Allow`. Pages of other
 * sites learn nothing by it, because no header about them is sent. Must stand before the first route.
 *
 * @param isPage - whether the address is one of the program's own pages, which no route names
 * @param refused - what the sender of a method that is not taken is told
 */
export const answerMethods = (
  app: FastifyInstance,
  isPage: (path: string) => boolean,
  refused: (request: FastifyRequest, allow: string) => object,
): void => {
  const known = new Map<string, Set<string>>()
  const patterns: { readonly covers: (path: string) => boolean; readonly methods: ReadonlySet<string> }[] = []
  app.addHook('onRoute', ({ url, method, config }) => {
    const methods = known.get(url) ?? new Set<string>()
    for (const one of [method].flat()) methods.add(one)
    if (known.has(url)) return
    known.set(url, methods)
    if (!url.includes(':') && !url.includes('*')) return
    const regex = patternOf(url)
    const exists = config?.exists ?? (() => true)
    patterns.push({ covers: path => regex.test(path) && exists(path), methods })
  })
  const allowed = (path: string): readonly string[] => {
    if (path === '*') return order
    const methods = new Set([...(known.get(path) ?? []), ...patterns.flatMap(({ covers, methods: of }) => (covers(path) ? [...of] : []))])
    if (methods.size === 0 && isPage(path)) methods.add('GET').add('HEAD')
    return methods.size === 0 ? [] : order.filter(method => methods.has(method) || method === 'OPTIONS')
  }
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    if (!request.is404) return
    const allow = allowed(decoded(request.url.split('?')[0] ?? ''))
    const isAsked = request.method === 'OPTIONS'
    if (allow.length === 0 || (allow.includes(request.method) && !isAsked)) return
    reply.header('Allow', allow.join(', '))
    // The body is not looked at: what it holds changes nothing.
    return isAsked ? reply.status(204).send() : reply.status(405).send(refused(request, allow.join(', ')))
  })
}
