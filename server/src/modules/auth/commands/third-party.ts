import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { audit } from '#kernel/audit.ts'
import { hashToken, newToken, pkceChallenge } from '#kernel/crypto/token.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { OutboundError } from '#kernel/outbound.ts'
import { type AccountRow, findAccount, findAccountById } from '../data/account.repo.ts'
import { findOwnTenant } from '../data/tenant.repo.ts'
import { bindSocial, countFlows, type FlowRow, insertFlow, insertGuest, keepSocial, takeFlow } from '../data/third-party.repo.ts'
import type { AuthDeps } from '../deps.ts'
import { accountKey } from '../domain/attempts.ts'
import { authorizeAddress, type LoginProvider, offersTo, type Profile, profileOf } from '../domain/provider.ts'
import type { TokenAnswer } from './open-session.ts'

const flowMs = 10 * 60_000
/** A minute; what an address may ask for is a parameter. */
const flowsPerBrowser = 20
const guestMs = 30 * 60_000

/** The browser must come back to the address it left from: its tenant's own, or the installation's. */
const siteOf = async (deps: AuthDeps, ctx: Ctx): Promise<string> => {
  const { publicUrl, port } = deps.services.config
  const own = await ctx.asSystem('a provider sends the browser back to its tenant', findOwnTenant)
  const { host } = ctx
  const isOwn = own?.domain != null && URL.canParse(own.domain) && new URL(own.domain).host === host
  return isOwn ? new URL(own.domain ?? '').origin : (publicUrl ?? `http://localhost:${port}`)
}

/**
 * Begins the way to a provider. The state carries the tenant's number in front of its point, so that the page that comes back knows where to ask.
 *
 * @param browser - secret of the browser, kept in its cookie
 * @returns the address of the provider, or undefined when this tenant does not offer it
 */
export const startFlow = async (deps: AuthDeps, ctx: Ctx, source: string, browser: string): Promise<string | undefined> => {
  const provider = (await deps.thirdParty.providers()).find(one => one.source === source && offersTo(one, ctx.tenantId))
  if (!provider) return undefined
  const now = deps.clock.now()
  const state = `${ctx.tenantId}.${newToken()}`
  const flow: FlowRow = { source, verifier: newToken(), redirectUri: `${await siteOf(deps, ctx)}/oauth/redirect/${source}` }
  await ctx.asSystem('a login belongs to nobody yet', async db => {
    const asked = await countFlows(db, { ip: ctx.ip, browserHash: hashToken(browser) }, new Date(now.getTime() - 60_000))
    const { flowMinute } = await deps.settings.busyAddress(db)
    // Nothing works while a browser follows a link: it is sent back to the page with what it has to do.
    if (asked.ofBrowser >= flowsPerBrowser || asked.ofAddress >= flowMinute)
      throw new Refused(refuseAuth('auth/address-busy', {}, { retryAfterSeconds: 60 }))
    await insertFlow(db, {
      ...flow,
      stateHash: hashToken(state),
      browserHash: hashToken(browser),
      ip: ctx.ip,
      until: new Date(now.getTime() + flowMs),
      now,
    })
  })
  return authorizeAddress(provider, { state, redirectUri: flow.redirectUri, challenge: pkceChallenge(flow.verifier) })
}

const json = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Changes the code for a token and asks who it is. Undefined when the provider does not say; why stands in the log. */
const askProvider = async (deps: AuthDeps, provider: LoginProvider, flow: FlowRow, code: string): Promise<Profile | undefined> => {
  const { outbound } = deps.thirdParty
  const secret = { client_id: provider.clientId, client_secret: provider.clientSecret }
  const basic = `${encodeURIComponent(provider.clientId)}:${encodeURIComponent(provider.clientSecret)}`
  try {
    const tokens = await outbound({
      method: 'POST',
      url: provider.tokenUrl,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        ...(provider.clientAuth === 'basic' ? { authorization: `Basic ${Buffer.from(basic).toString('base64')}` } : {}),
      },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: flow.redirectUri,
        code_verifier: flow.verifier,
        ...(provider.clientAuth === 'post' ? secret : {}),
      }).toString(),
    })
    const access = (json(tokens.body) as { access_token?: unknown } | undefined)?.access_token
    if (tokens.status !== 200 || typeof access !== 'string') {
      deps.services.log.warn({ source: provider.source, status: tokens.status }, 'a provider gave no token')
      return undefined
    }
    const info = await outbound({
      method: 'GET',
      url: provider.userinfoUrl,
      headers: { authorization: `Bearer ${access}`, accept: 'application/json' },
    })
    const profile = info.status === 200 ? profileOf(provider, json(info.body)) : undefined
    if (!profile) deps.services.log.warn({ source: provider.source, status: info.status }, 'a provider did not say who it is')
    return profile
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    deps.services.log.warn({ source: provider.source, err: error }, 'a provider could not be asked')
    return undefined
  }
}

export interface ThirdPartyPerson {
  readonly provider: LoginProvider
  readonly profile: Profile
}

/** Who came back from a provider: the flow is used up whatever follows. */
export const returningPerson = async (
  deps: AuthDeps,
  ctx: Ctx,
  given: {
    kind: LoginProvider['kind']
    code: string
    state: string
    browser: string
    source?: string
    redirectUri?: string
    /** Of the program that asks; empty for all. */
    redirects: readonly string[]
  },
): Promise<ThirdPartyPerson | undefined> => {
  const flow = await ctx.asSystem('login', db =>
    takeFlow(db, { stateHash: hashToken(given.state), browserHash: hashToken(given.browser) }, deps.clock.now()),
  )
  const provider = flow && (await deps.thirdParty.providers()).find(one => one.source === flow.source && offersTo(one, ctx.tenantId))
  if (!flow || provider?.kind !== given.kind) return undefined
  if ((given.source ?? flow.source) !== flow.source || (given.redirectUri ?? flow.redirectUri) !== flow.redirectUri) return undefined
  if (given.redirects.length > 0 && !given.redirects.includes(flow.redirectUri)) return undefined
  const profile = await askProvider(deps, provider, flow, given.code)
  return profile && { provider, profile }
}

/** The account of a person at a provider, if there is one. One row per person; a directory of our own finds its staff by their names. */
export const accountOf = async (
  db: TenantDb,
  ctx: Ctx,
  { provider, profile }: ThirdPartyPerson,
): Promise<{ socialId: string; account: AccountRow | undefined }> => {
  const social = await keepSocial(db, provider.source, profile)
  const bound = social.userId === null ? undefined : await findAccountById(db, social.userId)
  if (bound && bound.status !== refusedStatus) return { socialId: social.id, account: bound }
  const named = provider.kind === 'sso' && provider.matchAccounts ? await findAccount(db, accountKey(profile.account), null) : undefined
  if (named?.userType !== 1) return { socialId: social.id, account: undefined }
  await bindSocial(db, social.id, named.id)
  await audit(db, ctx, {
    action: 'account.bound',
    entity: 'account',
    entityId: named.id,
    after: { source: provider.source, account: profile.account },
  })
  return { socialId: social.id, account: named }
}
const refusedStatus = 3

/** A token that may ask for an account and leave (S2.43): no user, no role but `guest`, half an hour, no refresh. */
export const openGuest = async (
  db: TenantDb,
  ctx: Ctx,
  person: ThirdPartyPerson,
  socialId: string,
  clientId: string,
  now: Date,
): Promise<TokenAnswer> => {
  const access = newToken()
  const until = new Date(now.getTime() + guestMs)
  await insertGuest(db, { socialId, accessHash: hashToken(access), until, ip: ctx.ip, userAgent: ctx.userAgent, now })
  return {
    access_token: access,
    token_type: 'bearer',
    refresh_token: '',
    expires_in: guestMs / 1000,
    scope: 'all',
    tenant_id: db.actor.tenantId,
    user_id: '-1',
    account: person.profile.account,
    user_name: person.profile.account,
    real_name: person.profile.nickName,
    nick_name: person.profile.nickName,
    role_id: '',
    role_name: 'guest',
    dept_id: '',
    post_id: '',
    oauth_id: socialId,
    client_id: clientId,
    avatar: '',
    license: 'Kaopu',
    userType: 0,
    password_due: false,
    detail: { type: 'web', userType: 0, userCode: null },
  }
}
