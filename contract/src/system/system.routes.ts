import { Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { flag, id, ids, nullable, optional, strict, text } from '../kernel/schema.ts'
import { treeOf } from '../kernel/tree.ts'
import { menuLevels } from './menu.ts'
import { roleNames } from './role.routes.ts'

const menuFields = {
  id: Type.String(),
  parentId: Type.String(),
  code: Type.String(),
  name: Type.String(),
  alias: Type.String(),
  path: Type.String(),
  source: Type.String(),
  sort: Type.Integer(),
  category: Type.Integer(),
  action: Type.Integer(),
  isOpen: Type.Integer(),
  remark: Type.String(),
  meta: Type.Object({ i18n: Type.Object({ zh: Type.String(), en: Type.String() }), roles: Type.Array(Type.String()) }),
}
/** A menu with its children (S3.15): menus of every level, buttons below the last. */
export const menuNode = treeOf(Type.Object(menuFields), menuLevels + 1)

const own = { signedIn: true, because: 'it answers with what the caller’s own roles hold' } as const

export const menuRoutes = defineRoute({
  method: 'GET',
  path: '/blade-system/menu/routes',
  access: own,
  input: strict({ topMenuId: optional(id()) }),
  output: Type.Array(menuNode),
  tx: 'read',
})
export const externalRoutes = defineRoute({
  method: 'GET',
  path: '/blade-system/menu/routes-ext',
  access: own,
  input: strict({}),
  output: Type.Array(menuNode),
  tx: 'read',
  means: 'of the caller’s menus those that lead to another site',
})
export const authRoutes = defineRoute({
  method: 'GET',
  path: '/blade-system/menu/auth-routes',
  access: own,
  input: strict({}),
  output: Type.Array(Type.Record(Type.String(), Type.Object({ authority: Type.Array(Type.String()) }))),
  tx: 'read',
  means: 'the caller’s menus by path, each with the aliases of the roles that hold it',
})
export const menuButtons = defineRoute({
  method: 'GET',
  path: '/blade-system/menu/buttons',
  access: own,
  input: strict({}),
  output: Type.Array(menuNode),
  tx: 'read',
})
const topMenu = {
  id: Type.String(),
  code: Type.String(),
  name: Type.String(),
  nameEn: Type.String(),
  source: Type.String(),
  sort: Type.Integer(),
  /** 1: what the home item of the bar shows. */
  isMain: Type.Integer(),
}
export const topMenus = defineRoute({
  method: 'GET',
  path: '/blade-system/menu/top-menu',
  access: own,
  input: strict({}),
  output: Type.Array(Type.Object(topMenu)),
  tx: 'read',
})
export const mainMenu = defineRoute({
  method: 'GET',
  path: '/blade-system/menu/main-menu',
  access: own,
  input: strict({}),
  output: Type.Partial(Type.Object(topMenu)),
  tx: 'read',
  means: 'the top menu that is the main one; empty where none is, or where the caller holds nothing of it',
})
export const roleList = defineRoute({
  method: 'GET',
  path: '/blade-system/role/role-list',
  access: own,
  input: strict({}),
  output: roleNames,
  tx: 'read',
})

const dictEntry = Type.Object({
  code: Type.String(),
  dictKey: Type.String(),
  dictValue: Type.String(),
  dictValueEn: Type.String(),
  sort: Type.Integer(),
  remark: Type.String(),
})
const dictionaryOf = <const P extends string>(path: P) =>
  defineRoute({
    method: 'GET',
    path,
    access: { public: true, because: 'labels of the registration form; nothing personal is in a dictionary' },
    input: strict({ code: text(60) }),
    output: Type.Array(dictEntry),
    tx: 'read',
  })
export const dictionary = dictionaryOf('/blade-system/dict/dictionary')
export const dictionaryBiz = dictionaryOf('/blade-system/dict-biz/dictionary')

export const tenantInfo = defineRoute({
  method: 'GET',
  path: '/blade-system/tenant/info',
  access: { public: true, because: 'the login page shows title and background before anybody is known' },
  input: strict({ domain: optional(text(255)), tenantId: optional(text(12)) }),
  output: Type.Object({
    tenantId: optional(Type.String()),
    domain: optional(Type.String()),
    domainUrl: optional(Type.String()),
    backgroundUrl: optional(Type.String()),
    logoUrl: optional(Type.String()),
    title: optional(Type.Object({ zh: Type.String(), en: Type.String() })),
  }),
  tx: 'own',
  background: true,
})

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
    name: text(60, { minLength: 1, 'x-required': { zh: '请输入用户名称', en: 'Please enter user name' } }),
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

export const systemRoutes = [
  menuRoutes,
  externalRoutes,
  authRoutes,
  menuButtons,
  topMenus,
  mainMenu,
  roleList,
  dictionary,
  dictionaryBiz,
  tenantInfo,
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
