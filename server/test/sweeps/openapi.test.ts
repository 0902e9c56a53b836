import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileTypesOf, type Route } from '#contract/kernel/route.ts'
import { sql } from '#kernel/db/sql.ts'
import { openApiOf } from '#kernel/http/openapi.ts'
import { type Person, startTestApp, type TestApp } from '../support/app.ts'
import { sweptRoutes } from '../support/swept-routes.ts'

let t: TestApp
let staff: Person
let operator: Person
let candidate: Person
let guest: Pick<Person, 'token'>
beforeAll(async () => {
  t = await startTestApp()
  const tenant = await t.tenant()
  for (const one of [tenant, t.platform()])
    await one.db(db =>
      db.run(
        sql`insert into role_menu (tenant_id, role_id, menu_id) select ${one.tenantId}, r.id, m.id from role r cross join menu m where r.role_alias = 'admin' on conflict do nothing`,
      ),
    )
  staff = await tenant.staff('admin')
  operator = await t.platform().staff(['administrator', 'admin'])
  candidate = await tenant.candidate()
  guest = await tenant.guest()
})
afterAll(() => t.close())

const tokenFor = ({ access }: Route): string =>
  'guest' in access
    ? guest.token
    : 'platform' in access
      ? operator.token
      : 'candidate' in access && !('staff' in access)
        ? candidate.token
        : staff.token

const ask = async (route: Route, of: { readonly query?: string; readonly type?: string; readonly payload?: string }) => {
  const answer = await t.app.server.inject({
    method: route.method,
    url: `/api${route.path.replace(/:\w+/g, '1')}${of.query ? `?${of.query}` : ''}`,
    headers: {
      ...('public' in route.access ? {} : { 'blade-auth': `bearer ${tokenFor(route)}` }),
      ...(of.type ? { 'content-type': of.type } : {}),
    },
    ...(of.payload === undefined ? {} : { payload: of.payload }),
  })
  return { status: answer.statusCode, body: answer.headers['content-type']?.includes('json') ? answer.json() : undefined }
}

const document = openApiOf(sweptRoutes, 'test')
interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Record<string, unknown> }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: { readonly properties?: object } }>> }
  readonly responses: { readonly 200: { readonly content: object } }
}
const operationOf = (route: Route): Operation =>
  document.paths[`/api${route.path.replace(/:(\w+)/g, '{$1}')}`]?.[route.method.toLowerCase()] as Operation

/** Ends the session of the caller, whoever sends it. */
const isEnding = (route: Route): boolean => route.path.endsWith('/logout')
const bodies: Readonly<Record<string, readonly [type: string, payload: string]>> = {
  'application/json': ['application/json', '{"notAField":1}'],
  'application/x-www-form-urlencoded': ['application/x-www-form-urlencoded', 'notAField=1'],
  'multipart/form-data': [
    'multipart/form-data; boundary=XX',
    '--XX\r\nContent-Disposition: form-data; name="notAField"\r\n\r\n1\r\n--XX--\r\n',
  ],
  'application/xml': ['application/xml', '<notAField/>'],
}

describe('[21.11] what docs/openapi.json says of calls is what they do', () => {
  test('the content types of bodies: those that are declared are taken, the others are not', async () => {
    const wrong: unknown[] = []
    for (const route of sweptRoutes) {
      if (route.method !== 'POST' || route.rawBody || isEnding(route)) continue
      const declared = Object.keys(operationOf(route).requestBody?.content ?? {})
      for (const [kind, [type, payload]] of Object.entries(bodies)) {
        const { status } = await ask(route, { type, payload })
        if ((status !== 415) !== declared.includes(kind)) wrong.push([route.path, kind, status])
      }
    }
    expect(wrong).toEqual([])
  })

  test('the arguments of the query: each that is declared is looked at, in a POST too', async () => {
    const wrong: unknown[] = []
    for (const route of sweptRoutes) {
      if (isEnding(route) || route.answer === 'bare' || route.rawBody) continue
      const { parameters } = operationOf(route)
      expect(parameters.map(({ name }) => name)).toEqual(Object.keys((route.input as { properties?: object }).properties ?? {}))
      // Only what no text can be is refused for sure; a text may be any.
      const strict = parameters.filter(
        one =>
          one.in === 'query' &&
          (one.schema['type'] === 'integer' || (one.schema['type'] === 'string' && one.schema['pattern'] !== undefined)),
      )
      if (strict.length === 0 || route.selfChecked) continue
      const { body } = await ask(route, { query: strict.map(({ name }) => `${name}=%F0%9F%8E%89`).join('&') })
      const named = new Set((body?.data?.fields ?? []).map(({ field }: { field: string }) => field))
      for (const { name } of strict) if (!named.has(name)) wrong.push([route.path, name, body?.msg])
    }
    expect(wrong).toEqual([])
  })

  test('files are answered as what they are, and parts of uploads are named', () => {
    for (const route of sweptRoutes) {
      const { responses, requestBody } = operationOf(route)
      const types = Object.keys(responses[200].content)
      if (route.answer === 'file') expect(types.slice(0, fileTypesOf(route).length)).toEqual(fileTypesOf(route))
      else expect(types).toEqual(['application/json'])
      const parts = Object.keys(requestBody?.content['multipart/form-data']?.schema.properties ?? {})
      for (const { name } of route.files ?? [])
        if (!name.endsWith('*')) expect([route.path, parts]).toEqual([route.path, expect.arrayContaining([name])])
    }
  })

  test('every address that is served is described, its other spellings too', () => {
    const places = sweptRoutes.flatMap(route => [`${route.method} ${route.path}`, ...(route.also ?? [])])
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map(method => `${method.toUpperCase()} ${path.slice('/api'.length).replace(/\{(\w+)\}/g, ':$1')}`),
    )
    expect(new Set(described)).toEqual(new Set(places))
  })
})
