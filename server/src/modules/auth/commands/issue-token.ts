import { refuseAuth } from '#contract/auth/auth.errors.ts'
import type { token } from '#contract/auth/auth.routes.ts'
import { maskPhone } from '#contract/kernel/mask.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { checkMobile } from '#contract/person/mobile.ts'
import { audit } from '#kernel/audit.ts'
import { hashToken } from '#kernel/crypto/token.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import type { Client } from '../clients.ts'
import {
  type AccountRow,
  findAccount,
  findAccountById,
  findByPhone,
  isInvited,
  isTenantLive,
  rolesOf,
  writeLoginLog,
} from '../data/account.repo.ts'
import { endSession, lockByRefreshHash, rotate, storeChoice } from '../data/session.repo.ts'
import type { AuthDeps } from '../deps.ts'
import { accountKey, phoneKey } from '../domain/attempts.ts'
import { chooseFrom, wishOf } from '../domain/choice.ts'
import { refreshGraceMs } from '../domain/session.ts'
import { checkCaptcha } from './challenge.ts'
import { checkPassword } from './check-password.ts'
import { checkSmsCode, faultOfCode } from './check-sms-code.ts'
import { finishLogin, resultOf } from './finish-login.ts'
import { logRefusal, openedOrLogged } from './log-refusal.ts'
import { openText, spendSecret } from './open-cipher.ts'
import { answerOf, avatarOf, fingerprintOf, holdSessions, successors, wishFrom } from './open-session.ts'
import { isFactorRequired } from './second-factor.ts'
import { accountOf, openGuest, returningPerson } from './third-party.ts'
import { type Granted, lockedFor, no, oneTimeRefusal, statusRefusal, tenantRefusal } from './token-refusals.ts'

type Input = InputOf<typeof token>
const captchaOf = (ctx: Ctx, input: Input): { readonly key: string; readonly answer: string } => ({
  key: ctx.header('captcha-key') ?? input.key ?? '',
  answer: ctx.header('captcha-code') ?? input.code ?? '',
})
/** A missing captcha is a wrong one; the challenge is used up either way, so the caller commits whatever comes of it. */
const captchaPassed = async (deps: AuthDeps, ctx: Ctx, db: TenantDb, input: Input, now: Date): Promise<boolean> => {
  if (!deps.settings.captchaOn) return true
  const { key, answer } = captchaOf(ctx, input)
  return key !== '' && answer !== '' && (await checkCaptcha(db, { key, answer }, { ctx, secret: deps.services.secrets.tokenKey, now }))
}

const namedAccount = async (
  deps: AuthDeps,
  ctx: Ctx,
  { username, ...given }: Pick<Parameters<typeof checkPassword>[2], 'password' | 'admits' | 'onRight'> & { readonly username: string },
  now: Date,
): Promise<AccountRow | Refusal> => {
  const key = accountKey(username)
  const phone = checkMobile(username)
  const phoneIndex = phone.ok ? deps.services.cipher.blindIndex(ctx.tenantId, 'phone', phone.mobile) : null
  const who = {
    key: phoneIndex === null ? key : phoneKey(phoneIndex),
    typed: key,
    find: (db: TenantDb) => findAccount(db, key, phoneIndex),
  }
  const checked = await checkPassword(deps, ctx, { door: 'password', who, ...given }, now)
  if (checked.verdict === 'right') return checked.account
  return checked.verdict === 'wrong' ? no('auth/invalid-grant') : lockedFor(checked.minutes)
}

const grantPassword = async (deps: AuthDeps, ctx: Ctx, input: Input, client: Client, now: Date): Promise<Granted | Refusal> => {
  const username = input.username ?? ''
  if (username === '' || !input.password) return no('auth/invalid-request')
  const tried = { grant: 'password', accountKey: accountKey(username) }
  const sealed = input.password
  let password = ''
  // The captcha is used up whatever comes of it, the ciphertext where the captcha is right.
  const admits = async (db: TenantDb): Promise<Refusal | undefined> => {
    const passed = captchaPassed(deps, ctx, db, input, now)
    const open = spendSecret(db, deps.loginKeys, sealed, deps.settings.captchaOn ? captchaOf(ctx, input).key : undefined)
    if (!(await passed)) return no('auth/invalid-captcha')
    const opened = await open()
    if (opened === undefined) return refuseAuth('auth/bad-cipher', {})
    password = opened
    return undefined
  }
  const entry = (userId: string, result: string) => ({
    ...tried,
    userId,
    result,
    ip: ctx.ip,
    userAgent: ctx.userAgent,
  })
  let end: Granted | Refusal | undefined
  // In the transaction that ends the count of tries.
  const onRight = async (db: TenantDb, account: AccountRow): Promise<void> => {
    // Asked for together; whose tenant has expired gets no session of it.
    const [expired, held, factorRule] = await Promise.all([
      tenantRefusal(db, account),
      holdSessions(db, account.id),
      account.userType === 1 ? deps.settings.secondFactor(db) : undefined,
    ])
    end =
      statusRefusal(account) ??
      oneTimeRefusal(account, now) ??
      expired ??
      (await finishLogin(deps, db, ctx, account, client, now, {
        ...{ grant: 'password', held, factorRule, wish: wishFrom(ctx, input) },
        closing: () => writeLoginLog(db, entry(account.id, 'ok')),
      }))
    if (isRefusal(end)) await writeLoginLog(db, entry(account.id, end.reason))
  }
  const account = await openedOrLogged(deps, ctx, tried, () =>
    namedAccount(deps, ctx, { username, password: () => password, admits, onRight }, now),
  )
  if (isRefusal(account)) return account
  return end ?? no('auth/invalid-grant')
}

const grantSms = async (deps: AuthDeps, ctx: Ctx, input: Input, client: Client, now: Date): Promise<Granted | Refusal> => {
  const { phone: sealed, id, value } = input
  if (!sealed || !id || !value) return no('auth/invalid-request')
  const opened = await openedOrLogged(deps, ctx, { grant: 'sms_code', accountKey: '' }, () =>
    ctx.asSystem('login', db => openText(db, deps.loginKeys, sealed)),
  )
  const phone = checkMobile(opened)
  if (!phone.ok) return no('auth/invalid-sms-code')
  const sms = await ctx.asSystem('login', deps.settings.smsLogin)
  const phoneIndex = deps.services.cipher.blindIndex(ctx.tenantId, 'phone', phone.mobile)
  const phoneMask = maskPhone(phone.mobile)
  const fault = faultOfCode(await checkSmsCode(deps, ctx, { key: id, answer: value, phoneIndex, phoneMask }, now))
  if (fault !== undefined) return no(fault)
  const end = await ctx.asSystem('login', async db => {
    const account = await findByPhone(db, phoneIndex, sms)
    if (!account) return undefined
    const end =
      statusRefusal(account) ??
      (await tenantRefusal(db, account)) ??
      (await finishLogin(deps, db, ctx, account, client, now, { grant: 'sms_code', wish: wishFrom(ctx, input) }))
    await writeLoginLog(db, {
      userId: account.id,
      accountKey: accountKey(account.account),
      grant: 'sms_code',
      result: resultOf(end),
      ip: ctx.ip,
      userAgent: ctx.userAgent,
    })
    return end
  })
  if (end) return end
  // The code was right, and the phone is nobody's who may log in by it; whoever holds it is told that a sign-up waits to be claimed.
  if (sms.candidate && (await ctx.asSystem('login', db => isInvited(db, phoneIndex)))) {
    await logRefusal(deps, ctx, { grant: 'sms_code', accountKey: phoneMask }, 'auth/unclaimed')
    return no('auth/unclaimed')
  }
  await logRefusal(deps, ctx, { grant: 'sms_code', accountKey: phoneMask }, 'auth/invalid-sms-code')
  return no('auth/invalid-sms-code')
}

/** Back from a provider: a login for whoever has an account, a guest's token for everybody else (S2.43). */
const grantThirdParty = async (
  deps: AuthDeps,
  ctx: Ctx,
  input: Input,
  client: Client,
  browser: string,
  now: Date,
): Promise<Granted | Refusal> => {
  const { code, state, source, redirect_uri: redirectUri } = input
  if (!code || !state) return no('auth/invalid-request')
  const kind = input.grant_type === 'social' ? 'social' : 'sso'
  const person = await returningPerson(deps, ctx, {
    kind,
    code,
    state,
    browser,
    redirects: client.redirects,
    ...(source ? { source } : {}),
    ...(redirectUri ? { redirectUri } : {}),
  })
  if (!person) {
    await logRefusal(deps, ctx, { grant: input.grant_type, accountKey: '' }, 'auth/social-failed')
    return no('auth/social-failed')
  }
  return ctx.asSystem('login', async db => {
    const { socialId, account } = await accountOf(db, ctx, person)
    const grant = input.grant_type
    const refusal = (account && statusRefusal(account)) ?? (await tenantRefusal(db, account))
    const end =
      refusal ??
      (account
        ? await finishLogin(deps, db, ctx, account, client, now, { grant, socialId, wish: wishFrom(ctx, input) })
        : { answer: await openGuest(db, ctx, person, socialId, client.id, now), refresh: '' })
    await writeLoginLog(db, {
      userId: account?.id ?? '0',
      accountKey: accountKey(account?.account ?? person.profile.account),
      grant,
      result: account || refusal ? resultOf(end) : 'guest',
      ip: ctx.ip,
      userAgent: ctx.userAgent,
    })
    return end
  })
}

/** Somebody without a provider asks for an account of a member of staff (decision 3.12): it waits for approval, so no token comes of it. */
const grantRegister = async (deps: AuthDeps, ctx: Ctx, input: Input, now: Date): Promise<Refusal> => {
  const { isOpen, isLive } = await ctx.asSystem('login', async db => ({
    isOpen: await deps.settings.staffRegister(db),
    isLive: await isTenantLive(db),
  }))
  if (!isLive) return no('auth/tenant-expired')
  if (!isOpen) return no('auth/staff-registration-off')
  const { name, password, phone, email } = input
  const account = input.account || input.username || ''
  if (account === '' || !name || !password) return no('auth/invalid-request')
  const tried = { grant: 'register', accountKey: accountKey(account) }
  if (!(await ctx.asSystem('login', db => captchaPassed(deps, ctx, db, input, now)))) {
    await logRefusal(deps, ctx, tried, 'auth/invalid-captcha')
    return no('auth/invalid-captcha')
  }
  await openedOrLogged(deps, ctx, tried, () =>
    deps.registerStaff(ctx, { account, name, password, ...(phone ? { phone } : {}), ...(email ? { email } : {}) }),
  )
  return no('auth/registration-waits')
}

/** One-use refresh tokens; a replay outside the grace ends the session it belongs to (decision 3.7). */
const grantRefresh = async (
  deps: AuthDeps,
  ctx: Ctx,
  input: Input,
  used: string,
  client: Client,
  now: Date,
): Promise<Granted | Refusal> => {
  if (used === '') return no('auth/invalid-refresh')
  return ctx.asSystem('login', async db => {
    const session = await lockByRefreshHash(db, hashToken(used))
    if (!session || session.endedAt || session.refreshUntil <= now || session.clientId !== client.id) return no('auth/invalid-refresh')
    const withinGrace = session.rotatedAt !== null && now.getTime() - session.rotatedAt.getTime() < refreshGraceMs
    if (session.isSpent || (session.isPrevious && !(withinGrace && session.fingerprint === fingerprintOf(ctx, client.id)))) {
      await endSession(db, session.id, 'refresh-replayed', now)
      await writeLoginLog(db, {
        userId: session.userId,
        accountKey: '',
        grant: 'refresh_token',
        result: 'refresh-replayed',
        ip: ctx.ip,
        userAgent: ctx.userAgent,
      })
      await audit(db, ctx, {
        action: 'session.refresh-replayed',
        entity: 'session',
        entityId: session.id,
        after: { userId: session.userId },
      })
      await deps.notify(db, {
        userId: session.userId,
        examId: null,
        kind: 7,
        title: { zh: '一处登录已被强制退出', en: 'One of your logins was ended' },
        content: {
          zh: '同一登录凭证被使用了两次，可能有人复制了它。如果不是您本人操作，请修改密码。',
          en: 'A login token was used twice, so somebody may have a copy of it. If this was not you, change your password.',
        },
        link: '',
        eventKey: `refresh-replayed-${session.id}`,
      })
      return no('auth/invalid-refresh')
    }
    const account = await findAccountById(db, session.userId)
    if (!account || statusRefusal(account) || oneTimeRefusal(account, now) || (await tenantRefusal(db, account)))
      return no('auth/invalid-refresh')
    // Demanded since this session began: the next login leads to setting it up.
    if (!account.hasSecondFactor && (await isFactorRequired(deps, db, account))) return no('auth/invalid-refresh')
    const all = await rolesOf(db, account.id)
    const held = { roleIds: all.map(role => role.id), deptIds: wishOf(account.deptId ?? '') }
    const current = session.isNarrowed ? { roleIds: session.roleIds, deptIds: wishOf(session.deptId ?? '') } : held
    const choice = chooseFrom(held, current, wishFrom(ctx, input))
    // The session goes on as it was: nothing has been rotated yet.
    if (choice === 'foreign') return no('auth/foreign-choice')
    if (choice.roleIds.join() !== session.roleIds.join() || choice.deptIds.join() !== wishOf(session.deptId ?? '').join())
      await storeChoice(db, session.id, choice)
    // The absolute end of a session is the end of its last access token too.
    const lifeMs = Math.min(client.accessMs, session.refreshUntil.getTime() - now.getTime())
    // A tab that lost the race is answered by the key that answered the winner.
    const next = session.isPrevious
      ? (deps.services.keys.tokenKey
          .accepted()
          .map(key => successors(key, session.id, used))
          .find(one => hashToken(one.refresh) === session.refreshHash) ?? successors(deps.services.secrets.tokenKey, session.id, used))
      : successors(deps.services.secrets.tokenKey, session.id, used)
    if (!session.isPrevious)
      await rotate(
        db,
        session.id,
        { accessHash: hashToken(next.access), accessUntil: new Date(now.getTime() + lifeMs), refreshHash: hashToken(next.refresh) },
        now,
      )
    const chosen = all.filter(role => choice.roleIds.includes(role.id))
    const answer = answerOf(account, chosen, {
      deptId: choice.deptIds.join(','),
      tenantId: db.actor.tenantId,
      clientId: client.id,
      access: next.access,
      expiresInSeconds: Math.floor(lifeMs / 1000),
      avatar: avatarOf(deps, ctx, account),
      socialId: session.socialId,
    })
    return { answer, refresh: next.refresh }
  })
}

/** Every grant of S7.06 goes through here; the ones that are not configured are refused by name. */
export const issueToken = async (
  deps: AuthDeps,
  ctx: Ctx,
  input: Input,
  client: Client,
  cookies: { readonly refresh: string; readonly browser: string },
): Promise<Granted | Refusal> => {
  const now = deps.clock.now()
  if (!client.grants.has(input.grant_type)) return no('auth/unsupported-grant')
  switch (input.grant_type) {
    case 'password':
    case 'captcha':
      return grantPassword(deps, ctx, input, client, now)
    case 'sms_code':
      return grantSms(deps, ctx, input, client, now)
    case 'refresh_token':
      return grantRefresh(deps, ctx, input, input.refresh_token || cookies.refresh, client, now)
    case 'social':
    case 'authorization_code':
      return grantThirdParty(deps, ctx, input, client, cookies.browser, now)
    case 'register':
      return grantRegister(deps, ctx, input, now)
    default:
      return no('auth/unsupported-grant')
  }
}
