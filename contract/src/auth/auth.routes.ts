import { Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { named, none, optional, strict, text } from '../kernel/schema.ts'
import { choices } from './choices.routes.ts'
import { detail, tokenAnswer } from './token-answer.ts'

export const token = defineRoute({
  method: 'POST',
  path: '/blade-auth/oauth/token',
  access: { public: true, because: 'a login has no session yet; captcha, attempts and the client guard it' },
  input: strict({
    grant_type: text(40),
    tenantId: optional(text(12)),
    deptId: optional(text(400)),
    roleId: optional(text(400)),
    username: optional(text(60)),
    password: optional(text(1100)),
    type: optional(named({ zh: '登录方式', en: 'Way of logging in' }, text(20))),
    key: optional(named({ zh: '验证码编号', en: 'Number of the captcha' }, text(60))),
    code: optional(named({ zh: '验证码', en: 'Code' }, text(2000))),
    scope: optional(named({ zh: '授权范围', en: 'Scope' }, text(20))),
    refresh_token: optional(text(100)),
    phone: optional(text(1100)),
    id: optional(named({ zh: '短信验证码编号', en: 'Number of the SMS code' }, text(60))),
    value: optional(named({ zh: '短信验证码', en: 'SMS code' }, text(10))),
    source: optional(named({ zh: '登录渠道', en: 'Provider' }, text(40))),
    state: optional(named({ zh: '登录状态标识', en: 'State of the login' }, text(200))),
    redirect_uri: optional(text(300)),
    name: optional(named({ zh: '姓名', en: 'Name' }, text(60))),
    account: optional(text(60)),
    email: optional(text(120)),
  }),
  output: tokenAnswer,
  answer: 'bare',
  tx: 'own',
  background: true,
  // Whoever renews a token has a session.
  rank: { field: 'grant_type', cases: { refresh_token: 'submit' }, otherwise: 'arrive' },
})

export const captcha = defineRoute({
  method: 'GET',
  path: '/blade-auth/oauth/captcha',
  access: { public: true, because: 'it is shown on the login page' },
  input: none(),
  output: Type.Object({ key: Type.String(), image: Type.String() }),
  answer: 'bare',
  tx: 'own',
  background: true,
  rank: 'arrive',
})

/** Instead of the picture, see `work.ts`: `key` and the number that was found go where key and letters of the picture go. */
export const captchaWork = defineRoute({
  method: 'GET',
  path: '/blade-auth/oauth/captcha-work',
  access: { public: true, because: 'it stands beside the picture on the login page' },
  input: none(),
  output: Type.Object({ key: Type.String(), bits: Type.Integer() }),
  answer: 'bare',
  tx: 'own',
  background: true,
  rank: 'arrive',
})

export const publicKey = defineRoute({
  method: 'GET',
  path: '/blade-auth/oauth/public-key',
  access: { public: true, because: 'passwords are sealed with it before they leave the browser' },
  input: none(),
  output: Type.Object({ keyId: Type.String(), publicKey: Type.String() }),
  tx: 'own',
  background: true,
})

export const logout = defineRoute({
  method: 'GET',
  path: '/blade-auth/oauth/logout',
  access: { signedIn: true, because: 'everybody may end their own session' },
  input: none(),
  output: Type.Null(),
  tx: 'own',
  whileLocked: true,
  guests: true,
  whilePasswordDue: true,
})

/**
 * The same path with a JSON list is the upload of the browser's error log and ends nothing (framework-contract 0.3.3). At most 100
 * entries at a time; of each 8 KB are kept.
 */
export const logoutOrErrors = defineRoute({
  method: 'POST',
  path: '/blade-auth/oauth/logout',
  access: { signedIn: true, because: 'everybody may end their own session or report their own errors' },
  input: strict({
    list: optional(
      Type.Array(
        strict({
          type: optional(named({ zh: '错误类型', en: 'Kind of error' }, text(200))),
          message: optional(text(20_000)),
          stack: optional(text(100_000)),
          info: optional(text(20_000)),
          url: optional(named({ zh: '页面地址', en: 'Address of the page' }, text(4_000))),
          time: optional(named({ zh: '发生时间', en: 'Time' }, text(100))),
        }),
        {
          maxItems: 100,
        },
      ),
    ),
  }),
  output: Type.Null(),
  tx: 'own',
  whileLocked: true,
  guests: true,
  whilePasswordDue: true,
})

export const userInfo = defineRoute({
  method: 'GET',
  path: '/blade-auth/oauth/user-info',
  access: { signedIn: true, because: 'it tells the caller about themselves' },
  input: none(),
  output: Type.Object({
    user_id: Type.String(),
    tenant_id: Type.String(),
    account: Type.String(),
    nick_name: Type.String(),
    real_name: Type.String(),
    userType: Type.Integer(),
    roles: Type.Array(Type.String()),
    permissions: Type.Array(Type.String()),
    oauthId: Type.String(),
    detail,
  }),
  tx: 'own',
  whilePasswordDue: true,
})

export const clearCache = defineRoute({
  method: 'GET',
  path: '/blade-auth/oauth/clear-cache',
  access: { signedIn: true, because: 'everybody may have what is kept of their own session forgotten; only administrators clear more' },
  input: none(),
  output: Type.Null(),
  tx: 'own',
  means: 'forgets the session kept in memory; of an administrator: sessions, tenants and figures kept by every process',
})

export const sendValidate = defineRoute({
  method: 'POST',
  path: '/blade-auth/oauth/sms/send-validate',
  access: { public: true, because: 'registration and SMS login start without a session; frequency limits guard it' },
  input: strict({
    tenantId: optional(text(12)),
    phone: text(1100),
    /** Sealed as the phone is. Whoever registers says it, so that no code is sent for a number that cannot be one. */
    idCard: optional(text(1100)),
    idCardType: optional(text(1)),
  }),
  output: Type.Object({ id: Type.String() }),
  tx: 'own',
})

/** What is said where it is empty (S5.12). */
export const lockPasswordEmpty = { zh: '锁屏密码不能为空', en: 'The lock password is required' }
/** SM2-sealed. */
const lockPassword = text(1100, { minLength: 1, 'x-label': { zh: '锁屏密码', en: 'Lock password' }, 'x-required': lockPasswordEmpty })
export const lockSession = defineRoute({
  method: 'POST',
  path: '/blade-auth/oauth/lock',
  access: { signedIn: true, because: 'everybody may lock their own session (S4.02)' },
  input: strict({ password: lockPassword }),
  output: Type.Null(),
  tx: 'own',
})

export const unlockSession = defineRoute({
  method: 'POST',
  path: '/blade-auth/oauth/unlock',
  access: { signedIn: true, because: 'everybody may unlock their own session with its lock password' },
  input: strict({ password: lockPassword }),
  output: Type.Null(),
  tx: 'own',
  whileLocked: true,
})

/** Agrees on a key for encrypted calls (S9.19, `sealed-call.ts`): 64 hex digits that the caller made, SM2-sealed. */
export const agreeKey = defineRoute({
  method: 'POST',
  path: '/blade-auth/oauth/crypto-key',
  access: { signedIn: true, because: 'everybody may encrypt the calls of their own session' },
  input: strict({ key: text(1100, { minLength: 1 }) }),
  /** What calls name the key by. */
  output: Type.Object({ handle: Type.String() }),
  tx: 'own',
})

const labelText = Type.Object({ zh: Type.String(), en: Type.String() })

/** Which doors the login page of this tenant shows. */
export const doors = defineRoute({
  method: 'GET',
  path: '/blade-auth/oauth/doors',
  access: { public: true, because: 'the login page shows its doors before anybody is known; names and addresses only' },
  input: none(),
  output: Type.Object({
    captcha: Type.Boolean(),
    /** Whom a code by SMS logs in. */
    sms: Type.Object({ candidate: Type.Boolean(), staff: Type.Boolean() }),
    /** Candidates may register (decision 3.12). */
    register: Type.Boolean(),
    /** Members of staff may: they wait for approval. */
    staffRegister: Type.Boolean(),
    thirdParty: Type.Array(
      Type.Object({
        source: Type.String(),
        /** Names the grant: `social` for social, `authorization_code` for sso. */
        kind: Type.Union([Type.Literal('social'), Type.Literal('sso')]),
        name: labelText,
        icon: Type.String(),
        /** Where the browser goes, as a whole page. */
        href: Type.String(),
      }),
    ),
  }),
  tx: 'own',
  background: true,
})

/** Sends the browser to a provider; it comes back to `/oauth/redirect/<source>?code=&state=` (framework-contract 2.11). */
export const render = defineRoute({
  method: 'GET',
  path: '/blade-auth/oauth/render/:source',
  access: { public: true, because: 'the way to a provider begins before a session exists; the state is bound to the browser' },
  input: strict({ source: text(40, { pattern: '^[a-z][a-z0-9_]{0,39}$' }), tenantId: optional(text(12)) }),
  output: Type.Unknown(),
  answer: 'plain',
  tx: 'own',
  background: true,
})

export const authRoutes = [
  token,
  choices,
  captcha,
  captchaWork,
  publicKey,
  logout,
  logoutOrErrors,
  userInfo,
  clearCache,
  sendValidate,
  lockSession,
  unlockSession,
  agreeKey,
  doors,
  render,
] as const
