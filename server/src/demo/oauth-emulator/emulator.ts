import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '#kernel/clock.ts'
import { token } from '#kernel/random.ts'
import { type OauthClient, type OauthPerson, oauthClients } from './people.ts'

/** What the browser brings to the authorize page (RFC 6749 4.1.1, RFC 7636 4.3). */
export interface AuthorizeRequest {
  readonly response_type: string
  readonly client_id: string
  readonly redirect_uri: string
  readonly scope: string
  readonly state: string
  readonly code_challenge: string
  readonly code_challenge_method: string
}
/** `redirect` goes back to the client; a `problem` with client or address must not (RFC 6749 4.1.2.1). */
export type AuthorizeOutcome =
  | { readonly client: OauthClient }
  | { readonly problem: 'unknown-client' | 'wrong-redirect' }
  | { readonly redirect: string }

export interface OauthAnswer {
  readonly status: number
  readonly json: object
}

export interface OauthEmulator {
  /** @param host - that the page was asked under; the client's only address is below it */
  check(request: AuthorizeRequest, host: string): AuthorizeOutcome
  /** A person was chosen, or nobody. @returns where the browser goes, or a problem */
  decide(request: AuthorizeRequest, host: string, sub: string | undefined): AuthorizeOutcome
  token(headers: { readonly authorization?: string | undefined }, form: Readonly<Record<string, string>>): OauthAnswer
  userinfo(authorization: string | undefined): OauthAnswer
  readonly secretOf: (clientId: string) => string
}

const codeMs = 60_000
const accessMs = 5 * 60_000

interface Code {
  readonly clientId: string
  readonly redirectUri: string
  readonly challenge: string
  readonly person: OauthPerson
  readonly until: number
  isUsed: boolean
  /** Taken back when the code comes a second time (RFC 6749 4.1.2). */
  access?: string
}

const isSame = (a: string, b: string): boolean => {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
const error = (status: number, name: string): OauthAnswer => ({ status, json: { error: name } })

/** A provider of identities for demo and test: real codes, real client authentication, PKCE, one use and a minute. Memory only. */
export const createOauthEmulator = (clock: Clock): OauthEmulator => {
  const secrets = new Map(oauthClients.map(client => [client.clientId, token(32)]))
  const codes = new Map<string, Code>()
  const tokens = new Map<string, { readonly person: OauthPerson; readonly until: number }>()
  const secretOf = (clientId: string): string => secrets.get(clientId) ?? ''
  const forget = (): void => {
    const now = clock.now().getTime()
    for (const [key, code] of codes) if (code.until + accessMs < now) codes.delete(key)
    for (const [key, access] of tokens) if (access.until < now) tokens.delete(key)
  }

  const back = (request: AuthorizeRequest, answer: Readonly<Record<string, string>>): { redirect: string } => {
    const place = new URL(request.redirect_uri)
    for (const [name, value] of Object.entries({ ...answer, state: request.state })) place.searchParams.set(name, value)
    return { redirect: place.href }
  }
  const check: OauthEmulator['check'] = (request, host) => {
    const client = oauthClients.find(one => one.clientId === request.client_id)
    if (!client) return { problem: 'unknown-client' }
    const isOurs = [`http://${host}`, `https://${host}`].some(
      origin => request.redirect_uri === `${origin}/oauth/redirect/${client.source}`,
    )
    if (!isOurs) return { problem: 'wrong-redirect' }
    if (request.response_type !== 'code') return back(request, { error: 'unsupported_response_type' })
    const hasProof = request.code_challenge_method === 'S256' && /^[\w-]{43}$/.test(request.code_challenge)
    return hasProof && request.state !== '' ? { client } : back(request, { error: 'invalid_request' })
  }

  const clientOf = (authorization: string | undefined, form: Readonly<Record<string, string>>): OauthClient | undefined => {
    const [, basic] = /^basic\s+(\S+)$/i.exec(authorization ?? '') ?? []
    const [id = '', secret = ''] = basic
      ? Buffer.from(basic, 'base64').toString('utf8').split(':').map(decodeURIComponent)
      : [form['client_id'], form['client_secret']]
    const client = oauthClients.find(one => one.clientId === id)
    return client && isSame(secretOf(client.clientId), secret) ? client : undefined
  }

  return {
    secretOf,
    check,
    decide: (request, host, sub) => {
      const checked = check(request, host)
      if (!('client' in checked)) return checked
      const person = checked.client.people.find(one => one.sub === sub)
      if (!person) return back(request, { error: 'access_denied' })
      forget()
      const code = token(32)
      codes.set(code, {
        clientId: checked.client.clientId,
        redirectUri: request.redirect_uri,
        challenge: request.code_challenge,
        person,
        until: clock.now().getTime() + codeMs,
        isUsed: false,
      })
      return back(request, { code })
    },
    token: (headers, form) => {
      const client = clientOf(headers.authorization, form)
      if (!client) return error(401, 'invalid_client')
      if (form['grant_type'] !== 'authorization_code') return error(400, 'unsupported_grant_type')
      const code = codes.get(form['code'] ?? '')
      if (code?.isUsed && code.access !== undefined) tokens.delete(code.access)
      const challenge = createHash('sha256')
        .update(form['code_verifier'] ?? '')
        .digest('base64url')
      const now = clock.now().getTime()
      const fits =
        code !== undefined &&
        !code.isUsed &&
        code.until > now &&
        code.clientId === client.clientId &&
        code.redirectUri === form['redirect_uri'] &&
        code.challenge === challenge
      if (!fits) return error(400, 'invalid_grant')
      const access = token(32)
      Object.assign(code, { isUsed: true, access })
      tokens.set(access, { person: code.person, until: now + accessMs })
      return { status: 200, json: { access_token: access, token_type: 'Bearer', expires_in: accessMs / 1000, scope: 'openid profile' } }
    },
    userinfo: authorization => {
      const [, access = ''] = /^bearer\s+(\S+)$/i.exec(authorization ?? '') ?? []
      const found = tokens.get(access)
      if (!found || found.until <= clock.now().getTime()) return error(401, 'invalid_token')
      const { sub, account, name } = found.person
      return { status: 200, json: { sub, preferred_username: account, name } }
    },
  }
}
