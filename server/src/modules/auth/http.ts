import { refuseAuth } from '#contract/auth/auth.errors.ts'
import {
  captcha,
  captchaWork,
  clearCache,
  doors,
  lockPasswordEmpty,
  lockSession,
  logout,
  logoutOrErrors,
  publicKey,
  render,
  sendValidate,
  token,
  unlockSession,
  userInfo,
} from '#contract/auth/auth.routes.ts'
import { choices } from '#contract/auth/choices.routes.ts'
import { openCaptcha, openLogout, openToken } from '#contract/auth/open-edition.routes.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { isRefusal } from '#contract/kernel/refusal.ts'
import type { InputOf, OutputOf } from '#contract/kernel/route.ts'
import { toWireDay } from '#contract/kernel/when.ts'
import { checkMobile, mobileMessages } from '#contract/person/mobile.ts'
import { numberProblem } from '#contract/person/passport.ts'
import { audit } from '#kernel/audit.ts'
import { createCaptcha, newCaptchaText } from '#kernel/captcha.ts'
import { sm3 } from '#kernel/crypto/sm3.ts'
import { newToken } from '#kernel/crypto/token.ts'
import { tellCaches, tellSession } from '#kernel/db/changes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, handle, handlePlain, sessionOf } from '#kernel/http/context.ts'
import { randomDigits } from '#kernel/random.ts'
import { recordBrowserErrors } from '#modules/log/index.ts'
import type { Clients } from './clients.ts'
import { type ChallengeDeps, createCaptchaChallenge, createSmsChallenge, createWorkChallenge } from './commands/challenge.ts'
import { checkLockWord } from './commands/check-password.ts'
import { issueToken } from './commands/issue-token.ts'
import { isEmptyCipher, openSecret, openText } from './commands/open-cipher.ts'
import { startFlow } from './commands/third-party.ts'
import { type Granted, tokenRefused } from './commands/token-refusals.ts'
import { cookieOf, handOver, refreshCookie, setCookie, setRefreshCookie } from './cookies.ts'
import { findByPhone, heldOf } from './data/account.repo.ts'
import { clearLock, endSession, findLock, storeLock } from './data/session.repo.ts'
import { endGuest } from './data/third-party.repo.ts'
import type { AuthDeps } from './deps.ts'
import { deviceHashOf, keepDevice } from './device.ts'
import { offersTo } from './domain/provider.ts'
import type { SessionCache } from './session-cache.ts'

/** Roles whose clear-cache is everybody's (framework-contract 3.1): rights, settings and figures are read anew. */
const administrators = ['administrator', 'admin', 'secadmin'] as const
/** Binds a way to a provider to the browser that began it; Lax, because the browser comes back from elsewhere. */
const browserCookie = 'kaopu-login-browser'
const browserCookieSeconds = 10 * 60

/** A cookie proves nothing by itself: the page that sends it must be our own (decision 3.14). */
const isOwnPage = (ctx: Ctx): boolean => {
  const site = ctx.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const origin = ctx.header('origin')
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === ctx.host
}

/** The names of the open edition for the ones of oauth/token, and back. */
const openInput = ({ grantType, account, refreshToken, ...same }: InputOf<typeof openToken>): InputOf<typeof token> => ({
  ...same,
  grant_type: grantType,
  ...(account === undefined ? {} : { username: account }),
  ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
})
const openAnswer = ({ answer, refresh }: Granted): OutputOf<typeof openToken> => ({
  accessToken: answer.access_token,
  tokenType: answer.token_type,
  refreshToken: refresh,
  expiresIn: answer.expires_in,
  tenantId: answer.tenant_id,
  userId: answer.user_id,
  oauthId: answer.oauth_id,
  account: answer.account,
  userName: answer.user_name,
  nickName: answer.nick_name,
  realName: answer.real_name,
  authority: answer.role_name,
  avatar: answer.avatar,
  license: answer.license,
  passwordDue: answer.password_due,
  detail: answer.detail,
})

export const authHandlers = (deps: AuthDeps, cache: SessionCache, clients: Clients): Handler[] => {
  const { services, clock } = deps
  const { config, secrets, passwords, cipher } = services
  const isSecure = config.publicUrl?.startsWith('https:') === true

  const challengeDeps = async (ctx: Ctx, db: TenantDb): Promise<ChallengeDeps> => ({
    ctx,
    secret: secrets.tokenKey,
    busy: await deps.settings.busyAddress(db),
    now: clock.now(),
  })
  const newCaptcha = async (ctx: Ctx): Promise<{ key: string; image: string }> => {
    const text = config.testCaptcha ?? newCaptchaText()
    const key = await ctx.asSystem('a captcha belongs to nobody yet', async db =>
      createCaptchaChallenge(db, text, await challengeDeps(ctx, db)),
    )
    return { key, image: await createCaptcha(text, { width: 130, height: 48 }) }
  }
  const leave = async (ctx: Ctx): Promise<null> => {
    const { guest } = ctx
    if (guest) {
      await ctx.asSystem('ends the guest’s own token', db => endGuest(db, guest.id, clock.now()))
      return null
    }
    const session = sessionOf(ctx)
    await ctx.asSystem('ends the caller’s own session', db => endSession(db, session.id, 'logout', clock.now()))
    cache.drop(session.id)
    setRefreshCookie(ctx, '', 0, isSecure)
    return null
  }

  return [
    handle(token, async ({ ctx, input }) => {
      const client = await clients.of(ctx.header('authorization'))
      if (!client) throw tokenRefused('auth/invalid-client')
      const cookie = cookieOf(ctx, refreshCookie)
      if (input.grant_type === 'refresh_token' && !input.refresh_token && !isOwnPage(ctx)) throw tokenRefused('auth/invalid-refresh')
      const granted = await issueToken(deps, ctx, input, client, { refresh: cookie, browser: cookieOf(ctx, browserCookie) })
      if (isRefusal(granted)) return granted
      const answer = handOver(ctx, client.id, granted, isSecure)
      if (input.grant_type !== 'refresh_token' && granted.refresh !== '')
        keepDevice(services.keys.tokenKey, ctx, { tenantId: ctx.tenantId, userId: granted.answer.user_id }, clock.now(), isSecure)
      return answer
    }),
    // Such a client keeps its refresh token itself: it gets it whatever it calls itself, and no cookie of our pages.
    handle(openToken, async ({ ctx, input }) => {
      const client = await clients.of(ctx.header('authorization'))
      if (!client) throw tokenRefused('auth/invalid-client')
      const granted = await issueToken(deps, ctx, openInput(input), client, { refresh: '', browser: cookieOf(ctx, browserCookie) })
      return isRefusal(granted) ? granted : openAnswer(granted)
    }),
    handle(captcha, ({ ctx }) => newCaptcha(ctx)),
    handle(openCaptcha, ({ ctx }) => newCaptcha(ctx)),
    handle(captchaWork, ({ ctx }) =>
      ctx.asSystem('a captcha belongs to nobody yet', db => createWorkChallenge(db, { ctx, secret: secrets.tokenKey, now: clock.now() })),
    ),
    handle(publicKey, async () => ({
      keyId: sm3(secrets.login.publicKey).toString('hex').slice(0, 16),
      publicKey: secrets.login.publicKey,
    })),
    handle(logout, ({ ctx }) => leave(ctx)),
    handle(openLogout, ({ ctx }) => leave(ctx)),
    handle(logoutOrErrors, async ({ ctx, input }) => {
      const { list } = input
      if (list === undefined) return leave(ctx)
      const { session } = ctx
      if (!session) return refuse('kernel/forbidden', {})
      await ctx.asSystem('candidates report errors too', db => recordBrowserErrors(db, { ...ctx, session }, list))
      return null
    }),
    handle(doors, async ({ ctx }) => {
      const all = await deps.thirdParty.providers()
      const { sms, register, staffRegister } = await ctx.asSystem('the doors of a tenant are shown to everybody', async db => ({
        sms: await deps.settings.smsLogin(db),
        register: await deps.settings.candidatesRegister(db),
        staffRegister: await deps.settings.staffRegister(db),
      }))
      const thirdParty = all
        .filter(provider => offersTo(provider, ctx.tenantId))
        .map(({ source, kind, name, icon }) => ({
          source,
          kind,
          name,
          icon,
          href: `/api/blade-auth/oauth/render/${source}?tenantId=${ctx.tenantId}`,
        }))
      return { captcha: deps.settings.captchaOn, sms, register, staffRegister, thirdParty }
    }),
    handlePlain(render, async ({ ctx, input }) => {
      const known = cookieOf(ctx, browserCookie)
      const browser = /^[\w-]{43}$/.test(known) ? known : newToken()
      const address = await startFlow(deps, ctx, input.source, browser)
      ctx.reply('Location', address ?? '/login?error=social_failed')
      if (address !== undefined)
        setCookie(ctx, browserCookie, browser, {
          path: '/api/blade-auth/oauth',
          maxAgeSeconds: browserCookieSeconds,
          isSecure,
          sameSite: 'Lax',
        })
      return { status: 303 }
    }),
    handle(userInfo, async ({ ctx }) => {
      const session = sessionOf(ctx)
      return {
        user_id: session.userId,
        tenant_id: session.tenantId,
        account: session.account,
        nick_name: session.nickName,
        real_name: session.realName,
        userType: session.userType,
        roles: [...session.roleAliases],
        permissions: [...session.permissions].sort(),
        oauthId: session.socialId ?? '',
        detail: { type: 'web', userType: session.userType, userCode: session.userCode },
      }
    }),
    handle(clearCache, async ({ ctx }) => {
      const session = sessionOf(ctx)
      const isAdministrator = administrators.some(alias => session.roleAliases.has(alias))
      await ctx.tx(async db => {
        // Told by the database, so that every process of the installation forgets and not only the one that was asked.
        await (isAdministrator ? tellCaches(db, ctx.tenantId) : tellSession(db, session.id))
        if (isAdministrator) await audit(db, ctx, { action: 'cache.cleared', entity: 'installation', entityId: null })
      })
      cache.drop(session.id)
      return null
    }),
    handle(sendValidate, async ({ ctx, input }) => {
      const { idCardType } = input
      const [plain, idCard] = await ctx.asSystem('codes are sent before a session exists', async db => [
        await openText(db, deps.loginKeys, input.phone),
        input.idCard === undefined ? undefined : await openText(db, deps.loginKeys, input.idCard),
      ])
      const wrongNumber = idCard === undefined ? undefined : numberProblem({ idCard, idCardType }, toWireDay(ctx.arrivedAt))
      if (wrongNumber) return refuseField('idCard', wrongNumber)
      const phone = checkMobile(plain ?? '')
      if (!phone.ok) return refuseField('phone', mobileMessages[phone.problem])
      const code = config.testSms ?? randomDigits(6)
      const id = await ctx.asSystem('codes are sent before a session exists', async db => {
        const phoneIndex = cipher.blindIndex(ctx.tenantId, 'phone', phone.mobile)
        const account = await findByPhone(db, phoneIndex, { candidate: true, staff: true })
        const owner = account && { tenantId: ctx.tenantId, userId: account.id }
        const deviceHash = owner && deviceHashOf(services.keys.tokenKey, ctx, owner, clock.now())
        const key = await createSmsChallenge(db, { phoneIndex, code, deviceHash }, await challengeDeps(ctx, db))
        await deps.sendSms(db, { phone: phone.mobile, template: 'login-code', params: { code }, userId: null })
        return key
      })
      return { id }
    }),
    handle(choices, async ({ ctx, db }) => {
      const { session } = ctx
      if (session?.userType !== 1) return { roles: [], departments: [] }
      const held = await heldOf(db, session.userId, ctx.language)
      const isOf = (ids: readonly string[]) => (row: { id: string; name: string }) => ({ ...row, isChosen: ids.includes(row.id) })
      return { roles: held.roles.map(isOf(session.roleIds)), departments: held.departments.map(isOf((session.deptId ?? '').split(','))) }
    }),
    handle(lockSession, async ({ ctx, input }) => {
      const session = sessionOf(ctx)
      if (isEmptyCipher(input.password)) return refuseField('password', lockPasswordEmpty)
      const password = await ctx.asSystem('the lock of the caller’s own session', db => openSecret(db, deps.loginKeys, input.password))
      const hash = await passwords.hash(password)
      await ctx.asSystem('the lock of the caller’s own session', async db => {
        await storeLock(db, session.id, hash, clock.now())
        await audit(db, ctx, { action: 'session.locked', entity: 'session', entityId: session.id })
      })
      cache.drop(session.id)
      return null
    }),
    handle(unlockSession, async ({ ctx, input }) => {
      const session = sessionOf(ctx)
      if (isEmptyCipher(input.password)) return refuseField('password', lockPasswordEmpty)
      const password = await ctx.asSystem('the lock of the caller’s own session', db => openSecret(db, deps.loginKeys, input.password))
      const found = await ctx.asSystem('the lock of the caller’s own session', db => findLock(db, session.id))
      if (!found) return refuse('kernel/bad-token', {})
      // An open session asks for nothing: there is no lock to try a password at.
      if (found.lockHash === null && !session.locked) return refuseAuth('auth/not-locked', {})
      const checked = await checkLockWord(deps, ctx, { userId: session.userId, lockHash: found.lockHash, password }, clock.now())
      const isOver = checked.verdict === 'locked' || (checked.verdict === 'wrong' && checked.isLast)
      await ctx.asSystem('the lock of the caller’s own session', async db => {
        if (isOver) await endSession(db, session.id, 'unlock-failed', clock.now())
        if (checked.verdict !== 'right') return
        await clearLock(db, session.id, clock.now())
        await audit(db, ctx, { action: 'session.unlocked', entity: 'session', entityId: session.id })
      })
      cache.drop(session.id)
      if (checked.verdict === 'right') return null
      return isOver ? refuse('kernel/bad-token', {}) : refuseAuth('auth/wrong-password', {})
    }),
  ]
}
