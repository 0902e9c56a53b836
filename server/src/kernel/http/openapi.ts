import type { TSchema } from 'typebox'
import { fileTypesOf, type Route } from '#contract/kernel/route.ts'

const binary = { type: 'string', format: 'binary' }
const nonePerProperty: Readonly<Record<string, TSchema>> = {}

/** Path and query: every field of a call may stand in its query (decision 3.2), in a POST beside or instead of the body. */
const parametersOf = (route: Route, path: string) => {
  const { properties = nonePerProperty, required = [] } = route.input as {
    properties?: Readonly<Record<string, TSchema>>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) =>
    path.includes(`:${name}`)
      ? { name, in: 'path', required: true, schema }
      : { name, in: 'query', required: route.method === 'GET' && required.includes(name), schema },
  )
}

const envelope = (data: TSchema) => ({
  type: 'object',
  required: ['code', 'success', 'msg'],
  properties: { code: { type: 'integer' }, success: { type: 'boolean' }, data, msg: { type: 'string' } },
})

/** The body of a POST in every content type that is taken. */
const bodyOf = (route: Route) => {
  const { input, files } = route
  if (route.rawBody) return { 'application/json': { schema: { type: 'object' } } }
  const plain = { 'application/json': { schema: input }, 'application/x-www-form-urlencoded': { schema: input } }
  if (!files) return plain
  const named = Object.fromEntries(
    files
      .filter(({ name }) => !name.endsWith('*'))
      .map(({ name, maxCount }) => [name, maxCount > 1 ? { type: 'array', items: binary } : binary]),
  )
  const prefixed = files.filter(({ name }) => name.endsWith('*')).map(({ name }) => [`^${name.slice(0, -1)}`, binary] as const)
  const { properties = nonePerProperty, ...rest } = input as { properties?: Readonly<Record<string, TSchema>> }
  return {
    'multipart/form-data': {
      schema: {
        ...rest,
        properties: { ...properties, ...named },
        ...(prefixed.length > 0 ? { patternProperties: Object.fromEntries(prefixed) } : {}),
      },
    },
    ...plain,
  }
}

const answerOf = (route: Route) => {
  if (route.answer === 'bare' || route.answer === 'plain') return { 'application/json': { schema: route.output } }
  if (route.answer !== 'file') return { 'application/json': { schema: envelope(route.output) } }
  return {
    ...Object.fromEntries(fileTypesOf(route).map(type => [type, { schema: binary }])),
    // Where the file is made in the background, what is answered is its order.
    ...('type' in route.output ? { 'application/json': { schema: envelope(route.output) } } : {}),
  }
}

const operation = (route: Route, method: string, path: string) => ({
  operationId: `${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase())}`,
  tags: [path.split('/')[1] ?? ''],
  ...(route.means ? { summary: route.means } : {}),
  security: 'public' in route.access ? [] : [{ bladeAuth: [] }],
  'x-access': route.access,
  parameters: parametersOf(route, path),
  ...(method === 'POST' ? { requestBody: { content: bodyOf(route) } } : {}),
  responses: {
    200: { description: 'OK', content: answerOf(route) },
    default: { description: 'Refusal', content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } } },
  },
})

/** OpenAPI 3.1 of all routes, from the same schemas that check them. */
export const openApiOf = (routes: readonly Route[], version: string) => {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes)
    for (const place of [`${route.method} ${route.path}`, ...(route.also ?? [])]) {
      const [method = '', wire = ''] = place.split(' ')
      const path = `/api${wire.replace(/:(\w+)/g, '{$1}')}`
      paths[path] = { ...paths[path], [method.toLowerCase()]: operation(route, method, wire) }
    }
  return {
    openapi: '3.1.0',
    info: { title: 'Kaopu', version },
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      securitySchemes: { bladeAuth: { type: 'apiKey', in: 'header', name: 'Blade-Auth' } },
      schemas: {
        Refusal: {
          type: 'object',
          required: ['code', 'success', 'msg', 'reason'],
          properties: {
            code: { type: 'integer' },
            success: { const: false },
            data: {},
            msg: { type: 'string' },
            reason: { type: 'string' },
            traceId: { type: 'string' },
          },
        },
      },
    },
  }
}
