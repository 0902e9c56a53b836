import type { TSchema } from 'typebox'
import type { Route } from '#contract/kernel/route.ts'

const queryParameters = (input: { properties?: Record<string, TSchema>; required?: string[] }) =>
  Object.entries(input.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: input.required?.includes(name) ?? false,
    schema,
  }))

const envelope = (data: TSchema) => ({
  type: 'object',
  required: ['code', 'success', 'msg'],
  properties: { code: { type: 'integer' }, success: { type: 'boolean' }, data, msg: { type: 'string' } },
})

const operation = (route: Route) => {
  const isSubmit = route.method === 'POST'
  const content =
    route.answer === 'file'
      ? {
          'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
          ...('type' in route.output ? { 'application/json': { schema: envelope(route.output) } } : {}),
        }
      : { 'application/json': { schema: route.answer === 'bare' || route.answer === 'plain' ? route.output : envelope(route.output) } }
  return {
    operationId: `${route.method.toLowerCase()}${route.path.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase())}`,
    tags: [route.path.split('/')[1] ?? ''],
    ...(route.means ? { summary: route.means } : {}),
    security: 'public' in route.access ? [] : [{ bladeAuth: [] }],
    'x-access': route.access,
    ...(isSubmit
      ? {
          requestBody: {
            content: route.files
              ? { 'multipart/form-data': { schema: route.input } }
              : { 'application/json': { schema: route.input }, 'application/x-www-form-urlencoded': { schema: route.input } },
          },
        }
      : { parameters: queryParameters(route.input) }),
    responses: {
      200: { description: 'OK', content },
      default: { description: 'Refusal', content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } } },
    },
  }
}

/** OpenAPI 3.1 of all routes, from the same schemas that check them. */
export const openApiOf = (routes: readonly Route[], version: string) => {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const path = `/api${route.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) }
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
