import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { checkPassword, passwordMessage, passwordPolicyOf } from '#contract/auth/password-policy.ts'
import { askAbout } from '#contract/kernel/asking.ts'
import { dayDoubts, dayProblem } from '#contract/kernel/date-facts.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import type { Label } from '#contract/kernel/label.ts'
import { maskEmail, maskPhone } from '#contract/kernel/mask.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireDay, toWireTime } from '#contract/kernel/when.ts'
import { refuseUser } from '#contract/organisation/user.errors.ts'
import type { user } from '#contract/organisation/user.routes.ts'
import { isEmail } from '#contract/person/email.ts'
import { checkMobile, mobileMessages } from '#contract/person/mobile.ts'
import { checkName, nameMessages } from '#contract/person/person-name.ts'
import { audit } from '#kernel/audit.ts'
import { newId } from '#kernel/db/new-id.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { passAlone } from '#kernel/two-persons.ts'
import { countAbleStaff, isKeeper, isReachedByDepartment, keeperOf, placeScope, rolesOfUsers, userScope } from '#modules/access/index.ts'
import { accountKey } from '#modules/auth/index.ts'
import {
  type AccountColumns,
  type HeldStaff,
  insertAccount,
  isAccountTaken,
  isWithin,
  knownPlaces,
  lockStaff,
  setRoles,
  updateAccount,
} from '../data/user-admin.repo.ts'
import type { OrganisationDeps } from '../deps.ts'
import { type Opening, phoneColumns, proposeOpening } from './account-change.ts'
import { type GivenUp, giveUpWork, inWholeTenant, nothingGivenUp, successorOf } from './give-up-work.ts'
import { checkedRoles, granterOf, makeOneTime, type OneTime, refuseBeyond, refuseRolesThatStay } from './manage-users.ts'
import { isMasked, openTyped, openTypedSecret } from './open-typed.ts'
import { refuseFull } from './staff-quota.ts'

type Input = InputOf<typeof user.submit>

const texts = {
  account: { zh: '请输入账号', en: 'Please enter the account' },
  digest: { zh: '密码须加密（SM2）或原样发送，不能是摘要', en: 'The password goes sealed (SM2) or as it is typed, not as a digest' },
  tenant: {
    zh: '账号只能建在自己的租户内；其他租户的账号由其管理员添加',
    en: 'An account is made in one’s own tenant; those of another are added by its administrator',
  },
  email: { zh: '邮箱格式不正确', en: 'The e-mail address has the wrong format' },
  dept: { zh: '部门不存在，请重新选择', en: 'There is no such department; choose again' },
  leader: { zh: '上级须是本租户的其他工作人员', en: 'Whom somebody reports to must be another member of staff of this tenant' },
  post: { zh: '职务不存在，请重新选择', en: 'There is no such post; choose again' },
  userCode: { zh: '单位编码不存在，请先在“单位编码”中登记', en: 'There is no such unit code; register it under "Units and codes" first' },
} satisfies Readonly<Record<string, Label>>
/** Somebody else has the account; said at its field. */
const accountTaken = (ctx: Ctx): Refused => {
  const refusal = refuseAuth('auth/account-taken', {})
  return new Refused({ ...refusal, data: { fields: [{ field: 'account', msg: ctx.say(refusal.text) }] } })
}
const because = 'an administrator fills in an account'

interface Opened {
  /** Undefined: stays as it is; null: taken away. */
  readonly phone: string | null | undefined
  readonly password: string | undefined
}

/** A digest instead of a password: nobody could judge what it stands for. */
const isDigest = (password: string): boolean => /^[0-9a-fA-F]{32}$/.test(password)

/** What came sealed, or typed by a client that seals nothing, opened once and judged. */
const openSealed = async (deps: OrganisationDeps, ctx: Ctx, input: Pick<Input, 'phone' | 'password' | 'password2'>): Promise<Opened> => {
  const { phone: sealedPhone, password, password2 } = input
  if (password && isDigest(password)) throw new Refused(refuseField('password', texts.digest))
  const opened = await ctx.asSystem(because, async db => ({
    phone: sealedPhone ? await openTyped(deps, db, sealedPhone) : undefined,
    password: password ? await openTypedSecret(deps, db, password) : undefined,
    again: password2 ? await openTypedSecret(deps, db, password2) : undefined,
  }))
  if (opened.password !== undefined && password2 !== undefined && opened.again !== opened.password)
    throw new Refused(refuseAuth('auth/password-mismatch', {}))
  const phone = opened.phone === undefined ? undefined : checkMobile(opened.phone)
  if (phone && !phone.ok) throw new Refused(refuseField('phone', mobileMessages[phone.problem]))
  return { phone: sealedPhone === '' ? null : phone?.mobile, password: opened.password }
}

/** `id` of an account that is there already. */
type Places = Readonly<Record<'dept' | 'post' | 'leader', readonly string[]>> & { readonly userCode: string; readonly id?: string }
const nowhere: Places = { dept: [], post: [], leader: [], userCode: '' }

/** What is new of these places, which the writer must be able to name; what is there stays, whoever it came from. */
const checkPlaces = async (ctx: Ctx, db: TenantDb, input: Input, before: Places): Promise<void> => {
  const newOf = (given: string | null | undefined, held: readonly string[]) => idsOf(given).filter(id => !held.includes(id))
  const [deptIds, postIds] = [newOf(input.deptId, before.dept), newOf(input.postId, before.post)]
  const leaderIds = newOf(input.leaderId, before.leader)
  const userCode = input.userCode && input.userCode !== before.userCode ? input.userCode : ''
  const session = sessionOf(ctx)
  const known = await knownPlaces(db, { deptIds, postIds, userCode }, placeScope(session, isKeeper(keeperOf(session))))
  if (known.depts !== deptIds.length) throw new Refused(refuseField('deptId', texts.dept))
  if (known.posts !== postIds.length) throw new Refused(refuseField('postId', texts.post))
  const leaders = before.id !== undefined && leaderIds.includes(before.id) ? 0 : await countAbleStaff(db, leaderIds, userScope(session))
  if (leaders !== leaderIds.length) throw new Refused(refuseField('leaderId', texts.leader))
  if (userCode && !known.hasCode) throw new Refused(refuseField('userCode', texts.userCode))
}

/** The columns that the input names, checked; columns it does not name stay. */
const columnsOf = async (ctx: Ctx, db: TenantDb, input: Input, before: Places = nowhere): Promise<AccountColumns> => {
  const name = input.realName === undefined ? undefined : checkName(input.realName)
  if (name && !name.ok) throw new Refused(refuseField('realName', nameMessages[name.problem]))
  const nickName = input.name === undefined ? undefined : input.name || name?.name
  if (input.birthday) {
    const today = { now: toWireDay(ctx.arrivedAt) }
    const wrong = dayProblem('birthday', input.birthday, today)
    if (wrong) throw new Refused(refuseField('birthday', wrong))
    // A date that stands already was confirmed when it came.
    const asked = before.id === undefined ? askAbout(dayDoubts('birthday', 'birthday', input.birthday, today), input.sure) : undefined
    if (asked) throw new Refused(asked)
  }
  if (input.email && !isEmail(input.email)) throw new Refused(refuseField('email', texts.email))
  const [deptIds, postIds] = [idsOf(input.deptId), idsOf(input.postId)]
  await checkPlaces(ctx, db, input, before)
  const sent = <T>(value: T | undefined, column: string, stored: (value: T) => unknown): AccountColumns =>
    value === undefined ? {} : { [column]: stored(value) }
  const orNull = (value: string | null): string | null => (value === '' ? null : value)
  return {
    ...sent(name?.name, 'real_name', value => value),
    ...sent(nickName, 'nick_name', value => value),
    ...sent(input.email, 'email', orNull),
    ...sent(input.sex, 'sex', value => (value === -1 ? null : value)),
    ...sent(input.birthday, 'birthday', orNull),
    ...sent(input.code, 'code', orNull),
    ...sent(input.userCode, 'user_code', orNull),
    ...sent(input.deptId, 'dept_id', () => deptIds.join(',') || null),
    ...sent(input.postId, 'post_id', () => postIds.join(',') || null),
    ...sent(input.leaderId, 'leader_id', () => idsOf(input.leaderId).join(',') || null),
    ...sent(input.isLeader, 'is_leader', value => value === 1),
  }
}

/** For the audit line: no phone, no address in full. */
const shown = (columns: AccountColumns, phone: string | null | undefined): Readonly<Record<string, unknown>> => ({
  ...columns,
  ...(typeof columns['email'] === 'string' ? { email: maskEmail(columns['email']) } : {}),
  ...(phone === undefined ? {} : { phone: phone && maskPhone(phone) }),
})

const needs = (ctx: Ctx, code: string): void => {
  if (!ctx.session?.permissions.has(code)) throw new Refused(refuse('kernel/forbidden', {}))
}

/** Nobody writes an account to where they could not read it. */
const refuseOutOfScope = async (ctx: Ctx, db: TenantDb, id: string): Promise<void> => {
  const scope = userScope(ctx.session)
  if (scope && !(await isWithin(db, id, scope))) throw new Refused(refuse('kernel/out-of-scope', {}))
}

const placesOf = (id: string, row: HeldStaff['row']): Places => ({
  id,
  dept: idsOf(row['dept_id'] as string | null),
  post: idsOf(row['post_id'] as string | null),
  leader: idsOf(row['leader_id'] as string | null),
  userCode: String(row['user_code'] ?? ''),
})
/** Departments and codes decide which rows somebody reaches, so nobody changes their own; who keeps the tenant may, unless they are narrowed by them. */
const refuseOwnPlaces = (ctx: Ctx, input: Input, before: Places): void => {
  const session = sessionOf(ctx)
  if (isKeeper(keeperOf(session)) && !isReachedByDepartment(session)) return
  const isDeptNew = input.deptId !== undefined && idsOf(input.deptId).sort().join() !== [...before.dept].sort().join()
  const isCodeNew = input.userCode !== undefined && (input.userCode ?? '') !== before.userCode
  if (isDeptNew || isCodeNew) throw new Refused(refuseUser('user/self', {}))
}

const add = async (deps: OrganisationDeps, ctx: Ctx, input: Input): Promise<{ id: string; oneTime?: OneTime } & GivenUp> => {
  needs(ctx, 'user_add')
  const { account, realName } = input
  if (!account) throw new Refused(refuseField('account', texts.account))
  if (!realName) throw new Refused(refuseField('realName', nameMessages.required))
  const opened = await openSealed(deps, ctx, input)
  if (opened.password !== undefined) {
    const policy = passwordPolicyOf('staff')
    const ownWords = [account, realName, opened.phone ?? undefined]
    const [problem] = checkPassword({ password: opened.password, ownWords, isCommon: deps.isCommonPassword }, policy)
    if (problem) throw new Refused(refuseField('password', passwordMessage(problem, policy)))
  }
  const key = accountKey(account)
  const isTaken = (db: TenantDb) => isAccountTaken(db, key)
  if (await ctx.tx(isTaken)) throw accountTaken(ctx)
  const made = await makeOneTime(deps, ctx)
  const hash = opened.password === undefined ? made.hash : await deps.services.passwords.hash(opened.password)
  return ctx.tx(async db => {
    const full = (input.userType ?? 1) === 1 ? await refuseFull(db, 1) : undefined
    if (full) throw new Refused(full)
    if (await isTaken(db)) throw accountTaken(ctx)
    const wanted = idsOf(input.roleId)
    if (wanted.length > 0) needs(ctx, 'user_role')
    const roles = await checkedRoles(ctx, db, wanted)
    const columns = await columnsOf(ctx, db, input)
    const id = await newId(db)
    await insertAccount(db, {
      id,
      account,
      account_key: key,
      user_type: input.userType ?? 1,
      status: 1,
      nick_name: realName,
      ...columns,
      ...phoneColumns(deps, ctx.tenantId, id, opened.phone),
      // Whoever chose the password, somebody else than the owner knows it.
      password_hash: hash,
      must_change_password: true,
      one_time_until: made.until,
    })
    await setRoles(
      db,
      [id],
      roles.map(role => role.id),
    )
    await refuseOutOfScope(ctx, db, id)
    await audit(db, ctx, {
      action: 'account.added',
      entity: 'account',
      entityId: id,
      after: { account, ...shown(columns, opened.phone), roles: roles.map(role => role.roleAlias) },
    })
    const oneTime = { userId: id, account, password: made.password, until: toWireTime(made.until) }
    return { id, ...(opened.password === undefined ? { oneTime } : {}), ...nothingGivenUp }
  })
}

const edit = async (deps: OrganisationDeps, ctx: Ctx, id: string, input: Input): Promise<{ id: string; waiting?: string } & GivenUp> => {
  needs(ctx, 'user_edit')
  // A password is changed by its owner or reset, never set here; a phone that is sent back as it is shown stays.
  const isPhoneShown = input.phone !== undefined && isMasked(input.phone)
  const opened = await openSealed(deps, ctx, input.phone === undefined || isPhoneShown ? {} : { phone: input.phone })
  return inWholeTenant(deps, ctx, async db => {
    const before = await lockStaff(db, id, userScope(ctx.session))
    if (before && isPhoneShown && input.phone !== before.phoneMask) throw new Refused(refuseField('phone', mobileMessages.format))
    if (!before) throw new Refused(refuse('kernel/not-found', {}))
    if (before.userType === 2) throw new Refused(refuseUser('user/candidate', { account: before.account }))
    if (input.version !== undefined && input.version !== before.version) throw new Refused(refuse('kernel/changed-meanwhile', {}))
    if (input.account !== undefined && input.account !== before.account)
      throw new Refused(refuse('kernel/frozen', { fields: ctx.say({ zh: '账号', en: 'Account' }) }))
    if (input.userType !== undefined && input.userType !== before.userType)
      throw new Refused(refuse('kernel/frozen', { fields: ctx.say({ zh: '用户平台', en: 'Kind of user' }) }))
    const granter = await granterOf(db, ctx)
    const held = await rolesOfUsers(db, [id])
    const isSelf = ctx.session?.userId === id
    if (!isSelf) refuseBeyond(granter, held)
    const wanted = input.roleId === undefined ? undefined : idsOf(input.roleId)
    const isRoleNew =
      wanted !== undefined &&
      [...wanted].sort().join() !==
        held
          .map(role => role.id)
          .sort()
          .join()
    if (isRoleNew) needs(ctx, 'user_role')
    if (isRoleNew && isSelf) throw new Refused(refuseUser('user/self', {}))
    if (isRoleNew) refuseRolesThatStay(before.account, held)
    const roles = isRoleNew ? await checkedRoles(ctx, db, wanted) : held
    const places = placesOf(id, before.row)
    if (isSelf) refuseOwnPlaces(ctx, input, places)
    const { real_name: name, ...plain } = await columnsOf(ctx, db, input, places)
    const phone = phoneColumns(deps, ctx.tenantId, id, opened.phone)
    const opening: Opening = {
      ...(name === undefined || name === before.row['real_name'] ? {} : { realName: String(name) }),
      ...(phone['phone_index'] === undefined || phone['phone_index'] === before.phoneIndex ? {} : { phone: opened.phone }),
    }
    // What opens an account that its owner uses is not one person's to change.
    const isProposed = !isSelf && before.isOwned && Object.keys(opening).length > 0
    const direct: Opening = isProposed ? {} : opening
    if (!(isSelf || before.isOwned)) passAlone(db, 'accountChange', 'notOpened')
    const columns = { ...plain, ...(direct.realName === undefined ? {} : { real_name: direct.realName }) }
    await updateAccount(db, id, { ...columns, ...(direct.phone === undefined ? {} : phone) })
    const why = isProposed ? await proposeOpening(deps, ctx, db, { ...before, id }, opening, input.document) : undefined
    if (isRoleNew)
      await setRoles(
        db,
        [id],
        roles.map(role => role.id),
      )
    await deps.auth.regrantSessions(db, [id])
    if (!isSelf) await refuseOutOfScope(ctx, db, id)
    const isMoved = 'dept_id' in columns && columns['dept_id'] !== before.row['dept_id']
    const to = await successorOf(ctx, db, input.handTo, [id])
    const given =
      isRoleNew || isMoved
        ? await giveUpWork(deps.holdings(), db, ctx, {
            userId: id,
            leaving: { act: isRoleNew && isMoved ? 'both' : isMoved ? 'move' : 'roles' },
            to,
          })
        : nothingGivenUp
    const changed = Object.keys(columns)
    await audit(db, ctx, {
      action: 'account.updated',
      entity: 'account',
      entityId: id,
      before: {
        ...shown(Object.fromEntries(changed.map(name => [name, before.row[name]])), undefined),
        ...(isRoleNew ? { roles: held.map(role => role.roleAlias) } : {}),
      },
      after: {
        account: before.account,
        ...shown(columns, direct.phone),
        ...(isRoleNew ? { roles: roles.map(role => role.roleAlias) } : {}),
      },
    })
    return { id, ...given, ...(why ? { waiting: ctx.say(why) } : {}) }
  })
}

/**
 * Adds an account of staff or changes one (S7.19). Candidates keep their own data. An addition without a password answers a one-time one. Name and phone of an account that its
 * owner uses are proposed: a second person agrees (`decideOpening`), everything else is changed at once.
 *
 * Refusals: kernel/invalid-input with fields, auth/account-taken, auth/tenant-full, user/beyond-own, user/apart, user/self, user/candidate, and those of the gate.
 */
export const saveUser = async (
  deps: OrganisationDeps,
  ctx: Ctx,
  input: Input,
): Promise<{ id: string; oneTime?: OneTime; waiting?: string } & GivenUp> => {
  if (input.tenantId && input.tenantId !== ctx.tenantId) throw new Refused(refuseField('tenantId', texts.tenant))
  return input.id ? edit(deps, ctx, input.id, input) : add(deps, ctx, input)
}
