import { type Static, Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { named, none, optional, strict, text } from '../kernel/schema.ts'
import { tokenAnswer } from './token-answer.ts'

/**
 * What a login asks for next when the first factor was right: in `data` of the refusal `auth/second-factor`. `code` wants the six digits of the
 * app or a recovery code; `enrol` wants an app to be set up first, because the organisation demands one.
 */
const nextStep = Type.Object({
  next: Type.Union([Type.Literal('code'), Type.Literal('enrol')]),
  /** Good once, for this client and browser. */
  ticket: Type.String(),
  /** Seconds. */
  expiresIn: Type.Integer(),
})
export type NextStep = Static<typeof nextStep>

/** What an app needs: the picture, and the same in letters. */
const enrolment = Type.Object({
  /** Base32. */
  secret: Type.String(),
  uri: Type.String(),
  /** The address as a QR code, a data URL. */
  qr: Type.String(),
})
/** Shown once. */
const recoveryCodes = Type.Object({ recoveryCodes: Type.Array(Type.String()) })

const ticket = text(60, { minLength: 1 })
const code = text(40, {
  minLength: 1,
  'x-label': { zh: '验证码', en: 'Code' },
  'x-required': { zh: '请输入验证码', en: 'Please enter the code' },
})
const password = text(1100, {
  minLength: 1,
  'x-label': { zh: '密码', en: 'Password' },
  'x-required': { zh: '请输入密码', en: 'Please enter the password' },
})
const own = { signedIn: true, because: 'everybody keeps their own second factor; candidates have none and are told so' } as const

const logIn = defineRoute({
  method: 'POST',
  path: '/blade-auth/oauth/second-factor',
  access: { public: true, because: 'the second step of a login has no session yet; ticket, attempts and the client guard it' },
  input: strict({ ticket, code }),
  output: Type.Object({ ...tokenAnswer.properties, recoveryCodes: optional(Type.Array(Type.String())) }),
  answer: 'bare',
  tx: 'own',
  background: true,
  // The first step is done.
  rank: 'submit',
  keepsPlace: true,
  means: 'opens the session that the first step asked for; with a ticket for setting up, answers the recovery codes too',
})
const beginByTicket = defineRoute({
  method: 'POST',
  path: '/blade-auth/oauth/second-factor/begin',
  access: { public: true, because: 'whoever must have a second factor sets it up before there is a session; the ticket guards it' },
  input: strict({ ticket }),
  output: enrolment,
  tx: 'own',
  background: true,
  rank: 'submit',
})
const state = defineRoute({
  method: 'GET',
  path: '/blade-auth/second-factor/state',
  access: own,
  input: none(),
  output: Type.Object({
    /** Staff may have one. */
    isOffered: Type.Boolean(),
    isOn: Type.Boolean(),
    /** The organisation demands it of the caller. */
    isRequired: Type.Boolean(),
    /** Empty when it is off. */
    since: Type.String(),
    recoveryLeft: Type.Integer(),
  }),
  tx: 'own',
})
const begin = defineRoute({
  method: 'POST',
  path: '/blade-auth/second-factor/begin',
  access: own,
  input: strict({ password, code: optional(named({ zh: '动态验证码', en: 'Code of the app' }, text(40))) }),
  output: enrolment,
  tx: 'own',
  means: 'a new secret that opens nothing until its first code; `code` is asked for when another one is on',
})
const confirm = defineRoute({
  method: 'POST',
  path: '/blade-auth/second-factor/confirm',
  access: own,
  input: strict({ code }),
  output: recoveryCodes,
  tx: 'own',
})
const renewCodes = defineRoute({
  method: 'POST',
  path: '/blade-auth/second-factor/recovery',
  access: own,
  input: strict({ password, code }),
  output: recoveryCodes,
  tx: 'own',
  means: 'new recovery codes; the earlier ones open nothing any more',
})
const remove = defineRoute({
  method: 'POST',
  path: '/blade-auth/second-factor/remove',
  access: own,
  input: strict({ password, code }),
  output: Type.Null(),
  tx: 'own',
})

export const secondFactor = { logIn, beginByTicket, state, begin, confirm, renewCodes, remove } as const
export const secondFactorRoutes = [logIn, beginByTicket, state, begin, confirm, renewCodes, remove] as const
