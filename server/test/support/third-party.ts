import type { Answer, TestApp } from './app.ts'

/** The address of the test's server; what a browser would send as Host. */
export const testHost = 'localhost:7300'

export interface Flow {
  readonly cookie: string
  /** Query of the way to the provider. */
  readonly asked: URLSearchParams
}

const cookiesOf = (answer: Answer): string[] => [answer.headers['set-cookie'] ?? []].flat().map(line => String(line).split(';')[0] ?? '')

/** A browser that leaves for a provider. */
export const leaveFor = async (t: TestApp, tenantId: string, source: string, cookie = ''): Promise<Flow> => {
  const answer = await t.anonymous().get(`/blade-auth/oauth/render/${source}`, {
    query: { tenantId },
    headers: { host: testHost, ...(cookie ? { cookie } : {}) },
  })
  const place = new URL(String(answer.headers['location']), `http://${testHost}`)
  return { cookie: cookiesOf(answer)[0] ?? '', asked: place.searchParams }
}

/** A person says at the provider who they are. @returns the query the browser comes back with, or the status of a page that stops it */
export const decide = async (
  t: TestApp,
  asked: URLSearchParams,
  sub: string,
  change: Readonly<Record<string, string>> = {},
): Promise<{ status: number; back: URLSearchParams; place: string }> => {
  const answer = await t.anonymous().post('/demo/oauth/authorize', {
    form: { ...Object.fromEntries(asked), ...change, sub },
    headers: { host: testHost },
  })
  const place = String(answer.headers['location'] ?? '')
  return { status: answer.status, back: place === '' ? new URLSearchParams() : new URL(place).searchParams, place }
}

/** The browser is back and changes the code for a token. */
export const comeBack = (
  t: TestApp,
  tenantId: string,
  grant: 'social' | 'authorization_code',
  back: URLSearchParams,
  cookie: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  t.anonymous(tenantId).post('/blade-auth/oauth/token', {
    form: { grant_type: grant, code: back.get('code') ?? '', state: back.get('state') ?? '', scope: 'all', ...more },
    headers: { cookie, host: testHost },
  })

/** The whole way. */
export const logInAs = async (t: TestApp, tenantId: string, source: 'demo_social' | 'demo_sso', sub: string): Promise<Answer> => {
  const { cookie, asked } = await leaveFor(t, tenantId, source)
  const { back } = await decide(t, asked, sub)
  return comeBack(t, tenantId, source === 'demo_social' ? 'social' : 'authorization_code', back, cookie)
}
