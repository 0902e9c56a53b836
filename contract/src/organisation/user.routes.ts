import { type Static, Type } from 'typebox'
import { sure } from '../kernel/asking.ts'
import { exportJobView } from '../kernel/export-job.ts'
import { markOf, nounOf, searches, shows, showsAll, writes } from '../kernel/field-rule.ts'
import { cappedPageOf, countInput, pageInput } from '../kernel/page.ts'
import { defineRoute } from '../kernel/route.ts'
import { day, id, ids, int, named, optional, strict, text, time } from '../kernel/schema.ts'
import { userView } from './account.routes.ts'
import { post } from './post.resource.ts'
import { userNoun } from './user.noun.ts'

/** An account as its administrators see it. */
const userLine = Type.Object({
  ...showsAll(userNoun, { ...userView.properties, leaderName: Type.String() }, { sexName: 'sex', leaderName: 'realName' }),
  /** 1: the password is a one-time one that its owner has not changed yet. */
  passwordDue: Type.Integer(),
  /** 1: an authenticator app is set up. */
  secondFactor: Type.Integer(),
  /** Until when wrong passwords keep the account closed; empty when they do not. */
  lockedUntil: Type.String(),
  /** Why somebody locked the account. */
  lockReason: Type.String(),
  version: Type.Integer(),
})
export type UserLine = Static<typeof userLine>

const view = { staff: 'user_view' } as const
const realName = optional(searches([markOf(userNoun, 'realName')], text(60)))
const filter = {
  account: optional(text(60)),
  realName,
  userType: optional(int(0, 9)),
  status: optional(int(0, 9)),
  /** With everything below it. */
  deptId: optional(Type.Union([id(), Type.Literal('')])),
  roleId: optional(Type.Union([id(), Type.Literal('')])),
  /** 1: staff who have no password yet, as after an import. */
  withoutPassword: optional(named({ zh: '没有密码', en: 'Without a password' }, Type.Literal(1))),
}
const many = { userIds: optional(ids()), ids: optional(ids()) }
const changed = Type.Object({ changed: Type.Integer() })
/** Who takes over what somebody can do no longer; without it their work goes where it came from. */
const handTo = optional(named({ zh: '工作交接给', en: 'Hand over to' }, Type.Union([id(), Type.Literal('')])))
/** How many pieces of work were handed over, and how many went back to where they came from. */
const givenUp = { handedOver: Type.Integer(), returned: Type.Integer() }
/** What ends the work of a person: the account is disabled or removed, its roles are others, or its departments. */
const leaving = named(
  { zh: '操作', en: 'What is done' },
  Type.Union([Type.Literal('disable'), Type.Literal('remove'), Type.Literal('roles'), Type.Literal('move')]),
)
const optionalText = (max: number, zh: string, en: string) => optional(Type.Union([text(max, { 'x-label': { zh, en } }), Type.Null()]))
const idList = optional(Type.Union([ids(), Type.Literal(''), Type.Null()]))

/** A password that is shown once and opens nothing but its own change. */
const oneTime = Type.Object({ userId: Type.String(), account: Type.String(), password: Type.String(), until: Type.String() })
/** Why a change of somebody else’s log-in has not happened yet: it needs a second person, or its time has not come. */
const waiting = Type.String()
/** What the person shows to both who decide: nobody waits then. */
const document = optional(text(200, { 'x-label': { zh: '当面出示的证件', en: 'Document shown in person' } }))

/** A change of name or phone that waits for a second person or for its time; the phone with its middle hidden, empty where it is taken away. */
const proposed = Type.Object({
  realName: shows(userNoun, 'realName', optional(Type.String())),
  phone: shows(userNoun, 'phone', optional(Type.String())),
  document: Type.String(),
  firstUser: shows(userNoun, 'realName', Type.String()),
  beganTime: Type.String(),
  secondUser: shows(userNoun, 'realName', Type.String()),
  /** When it takes effect, once two persons have agreed. */
  applyTime: Type.String(),
  /** The caller entered it: somebody else agrees. */
  mine: Type.Boolean(),
})

const page = defineRoute({
  method: 'GET',
  path: '/blade-system/user/page',
  access: view,
  contains: ['account', 'realName'],
  input: strict({ ...pageInput, ...countInput, ...filter }),
  output: cappedPageOf(userLine),
  tx: 'read',
  also: ['GET /blade-system/user/list'],
})
const detail = defineRoute({
  method: 'GET',
  path: '/blade-system/user/detail',
  access: view,
  input: strict({ id: id() }),
  output: Type.Object({ ...userLine.properties, change: optional(proposed) }),
  tx: 'read',
})
/** Agrees to what another person entered for an account that is in use, or refuses it. */
const decideChange = defineRoute({
  method: 'POST',
  path: '/blade-system/user/decide-change',
  access: { staff: 'user_edit' },
  input: strict({
    id: id(),
    state: Type.Union([Type.Literal(1), Type.Literal(2)], { 'x-label': { zh: '决定', en: 'Decision' } }),
    remark: optional(text(200, { 'x-label': { zh: '驳回原因', en: 'Reason' } })),
    document,
  }),
  output: Type.Object({ waiting: optional(waiting) }),
  says: 'waiting',
  tx: 'own',
  means: 'agrees (1) to a change of the name or phone of an account that another person entered, or refuses it (2)',
})
/** A member of staff as selectors name them. */
const userChoice = Type.Object({
  id: Type.String(),
  account: Type.String(),
  realName: shows(userNoun, 'realName', Type.String()),
  deptName: Type.String(),
})
const pick = defineRoute({
  method: 'GET',
  path: '/blade-system/user/user-page',
  access: view,
  input: strict({ ...pageInput, ...countInput, account: optional(text(60)), name: named({ zh: '姓名', en: 'Name' }, realName) }),
  output: cappedPageOf(userChoice),
  tx: 'read',
  means: 'staff who may be chosen, by page; `name` is part of the real name',
})
/** For selectors: staff who may be chosen, at most 200. */
const choices = defineRoute({
  method: 'GET',
  path: '/blade-system/user/user-list',
  access: view,
  input: strict({ account: optional(text(60)), realName, deptId: optional(id()) }),
  output: Type.Array(userChoice),
  tx: 'read',
})
/** Who leads a department, for selectors; at most 200. */
const leaders = defineRoute({
  method: 'GET',
  path: '/blade-system/user/leader-list',
  access: { staff: ['user_view', 'dept_view'] },
  input: strict({ tenantId: optional(text(12)), realName }),
  output: Type.Array(Type.Object({ id: Type.String(), realName: shows(userNoun, 'realName', Type.String()) })),
  tx: 'read',
})
const setLeader = defineRoute({
  method: 'POST',
  path: '/blade-system/user/set-leader',
  access: { staff: 'user_edit' },
  input: strict({ userId: id() }),
  output: Type.Object({ isLeader: Type.Integer() }),
  means: 'turns the mark of a leader on, or off where it is on',
})
const roleChoices = defineRoute({
  method: 'GET',
  path: '/blade-system/user/role-choices',
  access: { staff: ['user_role', 'user_add', 'user_edit'] },
  input: strict({}),
  output: Type.Array(
    Type.Object({
      id: Type.String(),
      parentId: Type.String(),
      roleName: Type.String(),
      roleAlias: Type.String(),
      /** The caller may hand it out: it holds nothing beyond the caller's own rights. */
      grantable: Type.Boolean(),
    }),
  ),
  tx: 'read',
})
const postChoices = defineRoute({
  method: 'GET',
  path: '/blade-system/post/select',
  access: { staff: ['user_view', 'post_view'] },
  input: strict({}),
  output: Type.Array(Type.Object(showsAll(nounOf(post), { id: Type.String(), postName: Type.String(), postCode: Type.String() }))),
  tx: 'read',
})

const submit = defineRoute({
  method: 'POST',
  path: '/blade-system/user/submit',
  access: { staff: ['user_add', 'user_edit'] },
  input: strict({
    id: optional(Type.Union([id(), Type.Literal('')])),
    /** Of clients that offer a choice of tenants: an account is made in the caller's own, so it is that one or refused. */
    tenantId: optional(text(12, { 'x-label': { zh: '所属租户', en: 'Tenant' } })),
    account: optional(
      text(60, {
        pattern: '^[A-Za-z0-9_.@-]{4,60}$',
        'x-label': { zh: '账号', en: 'Account' },
      }),
    ),
    userType: optional(Type.Union([Type.Literal(1), Type.Literal(3)], { 'x-label': { zh: '用户平台', en: 'Kind of user' } })),
    sure: optional(sure()),
    name: writes(userNoun, 'name', optionalText(60, '昵称', 'Nick name')),
    /** Needed for an addition; may be left out of a change, by whoever does not see it. */
    realName: writes(userNoun, 'realName', optional(text(60, { minLength: 1, 'x-label': { zh: '姓名', en: 'Name' } }))),
    /** SM2-sealed, or as it is typed in other clients; absent or empty on an addition: the server makes a one-time password. */
    password: optional(text(1100)),
    password2: optional(text(1100)),
    /** SM2-sealed, or as it is typed in other clients; as it is shown: it stays; empty takes the number away. */
    phone: writes(userNoun, 'phone', optional(text(1100))),
    email: writes(userNoun, 'email', optionalText(120, '邮箱', 'E-mail')),
    sex: writes(userNoun, 'sex', optional(Type.Union([int(-1, 3), Type.Null()], { 'x-label': { zh: '性别', en: 'Sex' } }))),
    birthday: writes(
      userNoun,
      'birthday',
      optional(Type.Union([day({ 'x-label': { zh: '出生日期', en: 'Birth date' } }), Type.Literal(''), Type.Null()])),
    ),
    code: optionalText(40, '用户编号', 'Number'),
    userCode: optionalText(20, '单位编码', 'Unit code'),
    roleId: idList,
    deptId: idList,
    postId: idList,
    leaderId: idList,
    isLeader: optional(Type.Union([Type.Literal(0), Type.Literal(1)])),
    version: optional(Type.Integer({ minimum: 0 })),
    /** Of a change of roles or departments. */
    handTo,
    /** Of a change of name or phone of an account in use. */
    document,
  }),
  several: { because: 'roles, departments and posts of one account' },
  /** With `waiting` name and phone are as they were: another person has to agree. */
  output: Type.Object({ id: Type.String(), oneTime: optional(oneTime), waiting: optional(waiting), ...givenUp }),
  says: 'waiting',
  also: ['POST /blade-system/user/save', 'POST /blade-system/user/update', 'POST /blade-system/user/saveUser'],
  tx: 'own',
})
/** Open work of people, before something is done that ends it. */
const holdings = defineRoute({
  method: 'GET',
  path: '/blade-system/user/holdings',
  access: { staff: ['user_view', 'user_edit', 'user_delete', 'user_role'] },
  input: strict({
    userIds: ids(),
    /** Without it everything is shown and nothing ends. */
    act: optional(leaving),
    /** The roles they will have. */
    roleIds: optional(Type.Union([ids(), Type.Literal('')])),
    /** The departments they will be in. */
    deptId: optional(Type.Union([ids(), Type.Literal('')])),
    handTo,
  }),
  output: Type.Object({
    people: Type.Array(
      Type.Object({
        userId: Type.String(),
        account: Type.String(),
        realName: shows(userNoun, 'realName', Type.String()),
        work: Type.Array(
          Type.Object({
            kind: Type.String(),
            label: Type.String(),
            /** Pieces of work, such as sign-ups that wait. */
            count: Type.Integer(),
            /** Of these, how many end by the act, and how many of those the person named in `handTo` gets. */
            ends: Type.Integer(),
            handedOver: Type.Integer(),
            /** Where the others go. */
            pool: Type.String(),
            /** The first five, as people call them. */
            names: Type.Array(Type.String()),
          }),
        ),
      }),
    ),
  }),
  tx: 'own',
  means: 'what people hold that is open: reviews, tasks, departments they lead, alarms they get',
})
const remove = defineRoute({
  method: 'POST',
  path: '/blade-system/user/remove',
  access: { staff: 'user_delete' },
  input: strict({ ids: optional(ids()), handTo }),
  output: Type.Object({ removed: Type.Integer(), ...givenUp }),
  // What a person holds may lie in departments that the caller does not reach; it is given up in the same transaction.
  tx: 'own',
})
const grant = defineRoute({
  method: 'POST',
  path: '/blade-system/user/grant',
  access: { staff: 'user_role' },
  input: strict({ userIds: optional(ids()), roleIds: optional(Type.Union([ids(), Type.Literal('')])), handTo }),
  output: Type.Object({ changed: Type.Integer(), ...givenUp }),
  tx: 'own',
})
const resetPassword = defineRoute({
  method: 'POST',
  path: '/blade-system/user/reset-password',
  access: { staff: 'user_reset' },
  input: strict({ userIds: optional(ids()), document }),
  /** With `waiting` there is no password yet. */
  output: Type.Array(Type.Object({ ...oneTime.properties, waiting: optional(waiting) })),
  says: 'waiting',
  // Its own transactions: a stored answer of a repeated call would keep the passwords.
  tx: 'own',
  several: { because: 'the list of passwords that is handed over is whole or not made' },
})
const resetSecondFactor = defineRoute({
  method: 'POST',
  path: '/blade-system/user/reset-second-factor',
  access: { staff: 'user_totp' },
  input: strict({
    ...many,
    reason: text(200, {
      minLength: 1,
      'x-label': { zh: '重置原因', en: 'Reason' },
      'x-required': { zh: '请输入重置原因', en: 'Please enter the reason' },
    }),
    document,
  }),
  output: Type.Object({
    changed: Type.Integer(),
    waiting: Type.Array(Type.Object({ userId: Type.String(), account: Type.String(), waiting })),
  }),
  says: 'waiting',
  means: 'takes the second factor of others away and ends their sessions; the password stays',
})
/** When a lock begins and ends by itself; without them at once and for good. */
export const lockSpan = {
  lockBeginTime: optional(Type.Union([time(), Type.Literal('')])),
  lockEndTime: optional(Type.Union([time(), Type.Literal('')])),
}
const lock = defineRoute({
  method: 'POST',
  path: '/blade-system/user/lock',
  access: { staff: 'user_lock' },
  input: strict({
    ...many,
    reason: text(200, {
      minLength: 1,
      'x-label': { zh: '锁定原因', en: 'Reason' },
      'x-required': { zh: '请输入锁定原因', en: 'Please enter the reason' },
    }),
    ...lockSpan,
  }),
  output: changed,
  means: 'from now or from `lockBeginTime` on, until somebody unlocks or until `lockEndTime`',
})
const unlock = defineRoute({
  method: 'POST',
  path: '/blade-system/user/unlock',
  access: { staff: 'user_lock' },
  input: strict({
    ...many,
    /** Clients of the framework ask for none. */
    reason: optional(
      text(200, {
        minLength: 1,
        'x-label': { zh: '解锁原因', en: 'Reason' },
        'x-required': { zh: '请输入解锁原因', en: 'Please enter the reason' },
      }),
    ),
  }),
  output: changed,
  means: 'ends the lock somebody set and the one that wrong passwords set',
})
const changeStatus = defineRoute({
  method: 'POST',
  path: '/blade-system/user/changeStatus',
  access: { staff: 'user_edit' },
  input: strict({
    id: id(),
    status: Type.Union([Type.Literal(1), Type.Literal(2)], {
      'x-label': { zh: '状态', en: 'Status' },
      'x-required': { zh: '请选择状态', en: 'Please select the status' },
    }),
    reason: optional(text(200)),
    handTo,
  }),
  output: Type.Object({ changed: Type.Integer(), ...givenUp }),
  tx: 'own',
  means: '1 enables, 2 disables and ends every session',
})
const platformDetail = defineRoute({
  method: 'GET',
  path: '/blade-system/user/platform-detail',
  access: view,
  input: strict({ id: id() }),
  output: Type.Object({ id: Type.String(), userType: Type.Integer(), userExt: Type.String() }),
  tx: 'read',
})
const updatePlatform = defineRoute({
  method: 'POST',
  path: '/blade-system/user/update-platform',
  access: { staff: 'user_edit' },
  input: strict({
    userId: id(),
    userType: optional(int(1, 9)),
    userExt: text(2000, { 'x-label': { zh: '平台扩展信息', en: 'Platform data' } }),
  }),
  output: changed,
})
const exportUsers = defineRoute({
  method: 'GET',
  path: '/blade-system/user/export-user',
  access: { staff: 'user_export' },
  input: strict(filter),
  output: exportJobView,
  answer: 'file',
  tx: 'own',
})

export const user = {
  page,
  detail,
  decideChange,
  pick,
  choices,
  leaders,
  setLeader,
  roleChoices,
  postChoices,
  submit,
  holdings,
  remove,
  grant,
  resetPassword,
  resetSecondFactor,
  lock,
  unlock,
  changeStatus,
  platformDetail,
  updatePlatform,
  exportUsers,
} as const

export const userRoutes = Object.values(user)
