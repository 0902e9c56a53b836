import { Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { flag, id, ids, nullable, optional, strict, text } from '../kernel/schema.ts'

/** An account without its secrets; phone and id card masked. */
export const userView = Type.Object({
  id: Type.String(),
  tenantId: Type.String(),
  tenantName: Type.String(),
  account: Type.String(),
  userType: Type.Integer(),
  name: Type.String(),
  realName: Type.String(),
  /** A link for the reader of this answer, ten minutes long; empty without a picture. */
  avatar: Type.String(),
  email: Type.String(),
  phone: Type.String(),
  idCard: Type.String(),
  sex: Type.Integer(),
  birthday: Type.String(),
  code: Type.String(),
  userCode: Type.String(),
  roleId: Type.String(),
  roleName: Type.String(),
  deptId: Type.String(),
  deptName: Type.String(),
  postId: Type.String(),
  postName: Type.String(),
  /** Comma-joined accounts of whom the person reports to. */
  leaderId: Type.String(),
  isLeader: Type.Integer(),
  status: Type.Integer(),
  /** The numbers above in the reader's words, as the framework's views have them. */
  userTypeName: Type.String(),
  sexName: Type.String(),
  statusName: Type.String(),
  createTime: Type.String(),
})
export const userSelf = defineRoute({
  method: 'GET',
  path: '/blade-system/user/info',
  access: { signedIn: true, because: 'it answers with the caller’s own account' },
  input: strict({}),
  output: Type.Object({
    ...userView.properties,
    /** Whether changing the password, and what else has weight, asks for the present one. */
    passwordAsked: optional(Type.Boolean()),
  }),
  tx: 'read',
  whilePasswordDue: true,
})
const imageBytes = 5 * 1024 * 1024
/** Candidate registration (S3.10). Answers whether the account may log in at once. */
/** What a passport's number does not say: ISO 3166-1 alpha-3 code of the country, birth date `yyyy-MM-dd`, 1 male or 2 female. */
const passportFields = { nationality: optional(text(3)), birthday: optional(text(10)), sex: optional(text(1)) } as const

export const register = defineRoute({
  method: 'POST',
  path: '/blade-system/user/register',
  access: { public: true, because: 'a candidate registers before having an account; the SMS code proves the phone' },
  input: strict({
    username: text(60, { minLength: 4, pattern: '^[A-Za-z0-9_.@-]+$', 'x-label': { zh: '账号', en: 'Account' } }),
    password: text(1100),
    password2: text(1100),
    realName: text(60),
    phone: text(1100),
    idCard: text(24),
    /** `4` for a passport; of any other document the number itself says which it is, whatever is sent here. */
    idCardType: optional(text(4)),
    ...passportFields,
    smsId: text(60),
    smsCode: text(10),
    consent: flag(),
    consentVersion: optional(text(20)),
  }),
  output: Type.Object({ userId: Type.String(), status: Type.Integer(), userCode: nullable(Type.String()) }),
  files: [
    { name: 'avatar', maxBytes: 512_000, maxCount: 1 },
    { name: 'cardFront', maxBytes: imageBytes, maxCount: 1 },
    { name: 'cardBack', maxBytes: imageBytes, maxCount: 1 },
  ],
  tx: 'own',
})

/** S3.11; the texts and their order are those of S5.14. */
export const registerGuest = defineRoute({
  method: 'POST',
  path: '/blade-system/user/register-guest',
  access: { guest: true, because: 'a person whom a provider knows asks for an account' },
  input: strict({
    tenantId: optional(text(12)),
    account: text(60, {
      minLength: 1,
      pattern: '^[A-Za-z0-9_.@-]{4,60}$',
      'x-label': { zh: '账号名称', en: 'Account name' },
      'x-required': { zh: '请先输入账号名称', en: 'Please enter account name first' },
    }),
    password: text(1100, { minLength: 1, 'x-required': { zh: '请先输入密码', en: 'Please enter password first' } }),
    password2: optional(text(1100, { minLength: 1, 'x-required': { zh: '请先输入密码', en: 'Please enter password first' } })),
    name: text(60, {
      minLength: 1,
      'x-label': { zh: '用户名称', en: 'User name' },
      'x-required': { zh: '请输入用户名称', en: 'Please enter user name' },
    }),
    oauthId: optional(id()),
  }),
  output: Type.Object({ userId: Type.String(), status: Type.Integer() }),
  tx: 'own',
})

const decideRegistrations = <const P extends string>(path: P) =>
  defineRoute({
    method: 'POST',
    path,
    access: { staff: 'user_audit' },
    input: strict({ userIds: optional(ids()), ids: optional(ids()), reason: optional(text(200)) }),
    output: Type.Object({ changed: Type.Integer() }),
  })
/** Registrations that wait become accounts, or are refused and may be made again (S4.06). */
export const auditPass = decideRegistrations('/blade-system/user/audit-pass')
export const auditRefuse = decideRegistrations('/blade-system/user/audit-refuse')

/**
 * The caller's own profile (S3.08). A field that is left out stays as it is; `avatar` is the file id or the link that put-file answered, empty
 * for none; `phone` is SM2-sealed. What was verified when a candidate registered (name, phone) changes through userupdateinfo only.
 */
export const updateInfo = defineRoute({
  method: 'POST',
  path: '/blade-system/user/update-info',
  access: { signedIn: true, because: 'everybody may change their own profile' },
  input: strict({
    avatar: optional(text(400)),
    realName: optional(text(60, { 'x-label': { zh: '姓名', en: 'Name' } })),
    name: optional(text(60, { 'x-label': { zh: '昵称', en: 'Nick name' } })),
    phone: optional(text(1100)),
    email: optional(text(120, { 'x-label': { zh: '邮箱', en: 'E-mail' } })),
    /** Proves a new phone; without it a member of staff cannot log in with that phone. */
    smsId: optional(text(60)),
    smsCode: optional(text(10)),
  }),
  output: userView,
  tx: 'own',
})

/**
 * The same as a form with the picture in it (S7.19): what a client sends that has no separate upload. Pictures of the identity card were checked
 * when the candidate registered and change through userupdateinfo.
 */
export const userUpdate = defineRoute({
  method: 'POST',
  path: '/blade-system/user/userUpdate',
  access: { signedIn: true, because: 'everybody may change their own profile' },
  input: strict(updateInfo.input.properties),
  output: userView,
  // Above the limit of a picture, so that one that is too large is refused in words.
  files: [{ name: 'avatar', maxBytes: imageBytes, maxCount: 1 }],
  tx: 'own',
})

/**
 * A candidate who forgot the password chooses another one: the SMS code proves the phone, the id number the person (domain 8.5). All but the
 * code is SM2-sealed. Whatever does not belong together is answered alike, whoever has it.
 */
export const resetBySms = defineRoute({
  method: 'POST',
  path: '/blade-system/user/reset-by-sms',
  access: { public: true, because: 'whoever forgot the password cannot log in; the SMS code and the id number prove who it is' },
  input: strict({
    phone: text(1100),
    smsId: text(60),
    smsCode: text(10),
    idCard: text(1100),
    password: text(1100),
    password2: text(1100),
  }),
  output: Type.Object({ account: Type.String() }),
  tx: 'own',
})

export const updatePassword = defineRoute({
  method: 'POST',
  path: '/blade-system/user/update-password',
  access: { signedIn: true, because: 'everybody may change their own password' },
  /** `oldPassword` may be left out while the SMS code that opened the session still proves who it is (`passwordAsked` of user/info). */
  input: strict({ oldPassword: optional(text(1100)), newPassword: text(1100), newPassword1: text(1100) }),
  output: Type.Null(),
  tx: 'own',
  whilePasswordDue: true,
})

export const accountRoutes = [
  userSelf,
  register,
  resetBySms,
  updatePassword,
  updateInfo,
  userUpdate,
  registerGuest,
  auditPass,
  auditRefuse,
] as const
