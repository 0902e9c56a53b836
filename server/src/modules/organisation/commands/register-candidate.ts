import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { checkPassword, passwordMessage, passwordPolicyOf } from '#contract/auth/password-policy.ts'
import type { FieldProblem } from '#contract/kernel/envelope.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { maskIdCard, maskPhone } from '#contract/kernel/mask.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireDay } from '#contract/kernel/when.ts'
import type { register } from '#contract/organisation/account.routes.ts'
import type { AppealKind } from '#contract/person/appeal.routes.ts'
import { checkMobile, mobileMessages } from '#contract/person/mobile.ts'
import { documentKey, readDocument } from '#contract/person/passport.ts'
import { checkName, nameMessages } from '#contract/person/person-name.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import { newId } from '#kernel/db/new-id.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { accountKey } from '#modules/auth/index.ts'
import { readParameters } from '#modules/tenancy/index.ts'
import { findTaken, freeNumbers, insertCandidate, lockInvitations, nextCandidateNumber } from '../data/user.repo.ts'
import type { OrganisationDeps } from '../deps.ts'
import { openAppeal, withAppeal } from './open-appeal.ts'

type Input = InputOf<typeof register>

const problemsRefused = (ctx: Ctx, problems: readonly (readonly [field: string, text: Label])[]): Refused => {
  const fields: FieldProblem[] = problems.map(([field, text]) => ({ field, msg: ctx.say(text) }))
  return new Refused({ ...refuse('kernel/invalid-input', {}, { data: { fields } }), text: problems[0]?.[1] ?? { zh: '', en: '' } })
}

/**
 * Registers a candidate (S3.10, domain 4.9): name, id card and mobile are checked, the SMS code proves the phone, one person has
 * one account per tenant. The account is usable at once when `candidate.autoPass` is 1.
 *
 * Refusals: auth/tenant-expired, auth/registration-off, auth/bad-cipher, auth/invalid-sms-code, auth/password-mismatch, kernel/invalid-input with
 * fields, auth/sms-code-over, auth/account-taken, auth/id-card-taken and auth/phone-taken with the place of an appeal (`data.appeal`).
 */
export const registerCandidate = async (
  deps: OrganisationDeps,
  ctx: Ctx,
  input: Input,
): Promise<{ userId: string; status: number; userCode: string }> => {
  const { cipher, passwords } = deps.services
  const { auth } = deps
  const because = 'a candidate registers before having an account'
  const parameters = await ctx.asSystem(because, db => readParameters(db, ['candidate.register', 'candidate.autoPass']))
  const isLive = await ctx.asSystem(because, deps.auth.isTenantLive)
  if (!isLive) throw new Refused(refuseAuth('auth/tenant-expired', {}))
  if (parameters['candidate.register'] === '0') throw new Refused(refuseAuth('auth/registration-off', {}))

  const [password, password2, rawPhone] = await ctx.asSystem(because, async db => [
    await auth.openSecret(db, input.password),
    await auth.openSecret(db, input.password2),
    await auth.openText(db, input.phone),
  ])
  const name = checkName(input.realName)
  const said = readDocument(input, toWireDay(ctx.arrivedAt))
  const phone = checkMobile(rawPhone ?? '')
  const policy = passwordPolicyOf('candidate')
  const passwordProblems = checkPassword(
    { password: password ?? '', ownWords: [input.username, rawPhone, input.idCard], isCommon: deps.isCommonPassword },
    policy,
  )
  const problems: (readonly [string, Label])[] = []
  if (!name.ok) problems.push(['realName', nameMessages[name.problem]])
  if (!said.ok) for (const { field, message } of said.problems) problems.push([field, message])
  if (!phone.ok) problems.push(['phone', mobileMessages[phone.problem]])
  for (const problem of passwordProblems.slice(0, 1)) problems.push(['password', passwordMessage(problem, policy)])
  if (input.consent !== 1)
    problems.push(['consent', { zh: '请阅读并同意个人信息处理说明', en: 'Please read and agree to how personal data is processed' }])
  // A picture that is refused later would have used the code up.
  for (const file of ctx.files) {
    const found = await ctx.asSystem(because, db => deps.files.problemOf(db, file))
    if (found) problems.push([file.part, found.text])
  }
  if (problems.length > 0 || !name.ok || !said.ok || !phone.ok) throw problemsRefused(ctx, problems)
  const { document: idCard } = said
  if (password !== password2) throw new Refused(refuseAuth('auth/password-mismatch', {}))

  const phoneIndex = cipher.blindIndex(ctx.tenantId, 'phone', phone.mobile)
  const idCardIndex = cipher.blindIndex(ctx.tenantId, 'id-card', documentKey(idCard))
  await auth.insistOnSmsCode(ctx, { key: input.smsId, answer: input.smsCode, phoneIndex, phoneMask: maskPhone(phone.mobile) })

  const passwordHash = await passwords.hash(password ?? '')
  const status = parameters['candidate.autoPass'] === '0' ? 0 : 1
  const made = ctx.asSystem(because, async db => {
    await lock(db, 'candidate-number')
    const key = accountKey(input.username)
    const numbers = { phoneIndex, idCardIndex }
    for (const invitation of await lockInvitations(db, numbers)) await freeNumbers(db, invitation, numbers)
    await refuseTaken(db, { accountKey: key, ...numbers })
    const id = await newId(db)
    const place = (column: string) => ({ table: 'account', column, rowId: id })
    const userCode = await nextCandidateNumber(db)
    await insertCandidate(db, {
      id,
      account: input.username,
      accountKey: key,
      passwordHash,
      realName: name.name,
      phone: { sealed: cipher.seal(ctx.tenantId, place('phone_sealed'), phone.mobile), index: phoneIndex, mask: maskPhone(phone.mobile) },
      idCard: {
        sealed: cipher.seal(ctx.tenantId, place('id_card_sealed'), idCard.idCard),
        index: idCardIndex,
        mask: maskIdCard(idCard.idCard),
        type: idCard.type,
        sex: idCard.sex,
        birthday: idCard.birthday,
        nationality: idCard.nationality,
      },
      userCode,
      status,
      consentVersion: input.consentVersion ?? '1',
    })
    for (const file of ctx.files)
      await deps.files.keepUpload(db, { file, userId: id, ownerKind: 'account', ownerId: id, column: file.part })
    const claimed = await deps.takeInvitations(db, ctx, id)
    await audit(db, ctx, {
      action: 'candidate.registered',
      entity: 'account',
      entityId: id,
      after: { userCode, status, ...(claimed > 0 ? { claimed } : {}) },
    })
    return { userId: id, status, userCode }
  })
  return made.catch(async (error: unknown) => {
    const kind = error instanceof Refused ? appealKindOf[error.refusal.reason] : undefined
    if (!(error instanceof Refused) || kind === undefined) {
      // An account name that somebody has is changed and sent again, with the same code.
      await auth.giveBackSmsCode(ctx, { key: input.smsId, phoneIndex })
      throw error
    }
    // The refusal has rolled everything back; the phone is proven by the code.
    const appellant = { kind, idCard: idCard.idCard, nationality: idCard.nationality, phone: phone.mobile, name: name.name }
    const place = await ctx.asSystem(because, db => openAppeal(cipher, db, appellant))
    throw new Refused(withAppeal(error.refusal, place))
  })
}

const appealKindOf: Readonly<Record<string, AppealKind>> = { 'auth/id-card-taken': 'account', 'auth/phone-taken': 'phone' }

const refuseTaken = async (db: TenantDb, keys: { accountKey: string; phoneIndex: string; idCardIndex: string }): Promise<void> => {
  const taken = await findTaken(db, keys)
  if (taken.idCard) throw new Refused(refuseAuth('auth/id-card-taken', {}))
  if (taken.phone) throw new Refused(refuseAuth('auth/phone-taken', {}))
  if (taken.account) throw new Refused(refuseAuth('auth/account-taken', {}))
}
