import { Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { named, none, optional, strict, text } from '../kernel/schema.ts'
import { captcha, logout, token } from './auth.routes.ts'
import { detail } from './token-answer.ts'

// The log-in as clients of the framework's open edition know it (framework-contract 8.3): the same grants under other paths and names, and
// answers in the envelope.

export const openToken = defineRoute({
  method: 'POST',
  path: '/blade-auth/token',
  access: token.access,
  input: strict({
    grantType: named({ zh: '授权类型', en: 'Grant type' }, text(40)),
    tenantId: optional(text(12)),
    account: optional(text(60)),
    password: optional(text(1100)),
    type: optional(named({ zh: '登录方式', en: 'Way of logging in' }, text(20))),
    scope: optional(named({ zh: '授权范围', en: 'Scope' }, text(20))),
    refreshToken: optional(named({ zh: '刷新令牌', en: 'Refresh token' }, text(100))),
    source: optional(text(40)),
    code: optional(named({ zh: '验证码', en: 'Code' }, text(2000))),
    state: optional(text(200)),
  }),
  output: Type.Object({
    accessToken: Type.String(),
    tokenType: Type.Literal('bearer'),
    refreshToken: Type.String(),
    expiresIn: Type.Integer(),
    tenantId: Type.String(),
    userId: Type.String(),
    oauthId: Type.String(),
    account: Type.String(),
    userName: Type.String(),
    nickName: Type.String(),
    realName: Type.String(),
    /** Aliases of the roles, comma-joined: clients look for `admin` in it. */
    authority: Type.String(),
    avatar: Type.String(),
    license: Type.String(),
    passwordDue: Type.Boolean(),
    detail,
  }),
  tx: 'own',
  background: true,
  rank: { field: 'grantType', cases: { refresh_token: 'submit' }, otherwise: 'arrive' },
  means: 'oauth/token with the names of the open edition',
})

export const openCaptcha = defineRoute({
  method: 'GET',
  path: '/blade-auth/captcha',
  access: captcha.access,
  input: none(),
  output: captcha.output,
  tx: 'own',
  background: true,
  rank: 'arrive',
  means: 'oauth/captcha in the envelope',
})

export const openLogout = defineRoute({
  method: 'POST',
  path: '/blade-auth/logout',
  access: logout.access,
  input: none(),
  output: Type.Null(),
  tx: 'own',
  whileLocked: true,
  guests: true,
  whilePasswordDue: true,
  means: 'oauth/logout of the open edition',
})

export const openEditionRoutes = [openToken, openCaptcha, openLogout] as const
