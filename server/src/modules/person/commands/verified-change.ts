import { refuseAuth } from '#contract/auth/auth.errors.ts'
import { isFor } from '#contract/file/file-use.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import type { Label } from '#contract/kernel/label.ts'
import { step } from '#contract/kernel/machine.ts'
import { maskIdCard, maskPhone } from '#contract/kernel/mask.ts'
import { subjectOf } from '#contract/kernel/proposals.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireDay, toWireTime } from '#contract/kernel/when.ts'
import { checkMobile, mobileMessages } from '#contract/person/mobile.ts'
import { documentKey, documentLine, readDocument, type SaidDocument, saidInLine } from '#contract/person/passport.ts'
import { refusePerson } from '#contract/person/person.errors.ts'
import { checkName, nameMessages } from '#contract/person/person-name.ts'
import { mostTakenAnswers, type submitVerifiedChange, verifiedFieldLabels } from '#contract/person/verified-change.routes.ts'
import { maxProofs, type VerifiedChangeEvent, type VerifiedField, verifiedChangeMachine } from '#contract/person/verified-change.state.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import { newId } from '#kernel/db/new-id.ts'
import { sealPersonNumber } from '#kernel/db/person-columns.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, type Session, sessionOf } from '#kernel/http/context.ts'
import { enqueue, type Task } from '#kernel/queue/outbox.ts'
import { dueActTask, endAct, type Subject, twoPersonsOn } from '#kernel/two-persons.ts'
import { changeWaitHours, dueTools, openAppeal, tellOwner, toldSince, withAppeal } from '#modules/organisation/index.ts'
import type { Correction } from '#modules/signup/index.ts'
import { readParameters } from '#modules/tenancy/index.ts'
import { renewTicketsOf } from '#modules/ticket/index.ts'
import {
  decideVerifiedChange,
  findOwnNumbers,
  findVerifiedChange,
  type Identity,
  insertVerifiedChange,
  isNumberTaken,
  listTakenAnswers,
  lockAccount,
  lockVerifiedChange,
  removeWaiting,
  type VerifiedChangeRow,
  writeIdentity,
} from '../data/verified-change.repo.ts'
import type { PersonDeps } from '../deps.ts'

type Input = InputOf<typeof submitVerifiedChange>

const messages = {
  field: { zh: '请选择要变更的信息', en: 'Please choose what is to change' },
  reason: { zh: '请填写变更原因', en: 'Please say why it changes' },
  smsCode: { zh: '请获取并填写发送到新手机号码的短信验证码', en: 'Ask for the SMS code that is sent to the new number, and enter it' },
  proof: { zh: `请上传 1 至 ${maxProofs} 份证明材料`, en: `Please upload 1 to ${maxProofs} proofs` },
  same: { zh: '与现在的信息相同，无需变更', en: 'This is what is stored already' },
  remark: { zh: '请填写驳回原因', en: 'Please say why it is refused' },
  state: { zh: '请选择通过或驳回', en: 'Please approve or refuse' },
} satisfies Readonly<Record<string, Label>>

/** A new value as it is stored, or the problem with it. */
const read = (deps: PersonDeps, ctx: Pick<Ctx, 'tenantId' | 'arrivedAt'>, field: VerifiedField, said: SaidDocument): Correction => {
  const text = said.idCard
  const index = (kind: 'id-card' | 'phone', value: string) => deps.services.cipher.blindIndex(ctx.tenantId, kind, value)
  if (field === 'name') {
    const name = checkName(text)
    if (!name.ok) throw new Refused(refuseField('value', nameMessages[name.problem]))
    return { field, value: name.name, isRare: name.nameRare || name.needsReview }
  }
  if (field === 'phone') {
    const phone = checkMobile(text)
    if (!phone.ok) throw new Refused(refuseField('value', mobileMessages[phone.problem]))
    return { field, value: phone.mobile, index: index('phone', phone.mobile), mask: maskPhone(phone.mobile) }
  }
  const checked = readDocument(said, toWireDay(ctx.arrivedAt))
  if (!checked.ok) {
    const [problem] = checked.problems
    const at = problem === undefined || problem.field === 'idCard' ? 'value' : problem.field
    throw new Refused(refuseField(at, problem?.message ?? { zh: '', en: '' }))
  }
  const { idCard: value, sex, birthday, type, nationality } = checked.document
  return { field, value, index: index('id-card', documentKey(checked.document)), mask: maskIdCard(value), type, sex, birthday, nationality }
}

/** A new value in one line, with what the number of a passport does not say. */
const lineOf = (to: Correction): string =>
  to.field === 'idCard'
    ? documentLine({ ok: true, idCard: to.value, type: '4', nationality: to.nationality, birthday: to.birthday, sex: to.sex === 1 ? 1 : 2 })
    : to.value

const maskOf = (to: Correction): string => (to.field === 'name' ? to.value : to.mask)

/** Why the number cannot be this person's: somebody else has it. */
const takenRefusal = async (db: TenantDb, userId: string, to: Correction): Promise<Refusal | undefined> => {
  if (to.field === 'idCard' && (await isNumberTaken(db, 'id_card_index', to.index, userId))) return refuseAuth('auth/id-card-taken', {})
  if (to.field === 'phone' && (await isNumberTaken(db, 'phone_index', to.index, userId))) return refuseAuth('auth/phone-taken', {})
  return undefined
}

const dayMs = 24 * 3_600_000
const takenAction = 'verified-change.number-taken'
/** Refuses who was told often enough which numbers are registered, whatever they ask about next: being let through would tell as much. */
const refuseProbing = async (db: TenantDb, userId: string): Promise<void> => {
  const told = await listTakenAnswers(db, userId, takenAction, new Date(db.now.getTime() - dayMs))
  const oldest = told[mostTakenAnswers - 1]
  if (!oldest) return
  const until = new Date(oldest.getTime() + dayMs)
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - db.now.getTime()) / 1000))
  throw new Refused(refusePerson('person/number-tries', { limit: mostTakenAnswers, until: toWireTime(until) }, { retryAfterSeconds }))
}

/** Insists that the new phone is in the hands of whoever asks, before anything is said about it. */
const provePhone = async (deps: PersonDeps, ctx: Ctx, session: Session, to: Correction, { smsId, smsCode }: Input): Promise<void> => {
  if (to.field !== 'phone') return
  if (!smsId || !smsCode) throw new Refused(refuseField('smsCode', messages.smsCode))
  await deps.auth.insistOnSmsCode(ctx, { key: smsId, answer: smsCode, phoneIndex: to.index, phoneMask: to.mask, userId: session.userId })
}

/**
 * A candidate asks for a change, with proofs uploaded before (domain 3.17).
 *
 * A new phone is proven by its code first, and what is taken of id numbers is said a few times a day only: a registered candidate must not find out
 * who else is registered.
 *
 * Refusals: kernel/invalid-input with fields, auth/bad-cipher, auth/invalid-sms-code, auth/sms-code-over, person/change-waiting, person/number-tries,
 * auth/id-card-taken and auth/phone-taken with the place of an appeal (`data.appeal`).
 */
export const askForChange = async (deps: PersonDeps, ctx: Ctx, session: Session, input: Input): Promise<VerifiedChangeRow> => {
  const { field } = input
  if (field === undefined) throw new Refused(refuseField('field', messages.field))
  const because = 'the caller asks for a change of their own data'
  const { cipher } = deps.services
  const value = await ctx.asSystem(because, db => deps.auth.openText(db, input.value ?? ''))
  const { idCardType, nationality, birthday, sex } = input
  const to = read(deps, ctx, field, { idCard: value, idCardType, nationality, birthday, sex })
  const reason = (input.reason ?? '').trim()
  if (reason === '') throw new Refused(refuseField('reason', messages.reason))
  const proofs = idsOf(input.proofFileIds)
  if (proofs.length === 0 || proofs.length > maxProofs) throw new Refused(refuseField('proofFileIds', messages.proof))
  await provePhone(deps, ctx, session, to, input)
  const asked = await ctx.asSystem(because, async (db): Promise<VerifiedChangeRow | Refusal> => {
    await lock(db, `verified-change|${session.userId}`)
    const account = await lockAccount(db, session.userId)
    if (!account) throw new Refused(refuse('kernel/not-found', {}))
    const old = { name: account.realName, idCard: account.idCardMask ?? '', phone: account.phoneMask ?? '' }[field]
    const isSame =
      to.field === 'name' ? to.value === account.realName : to.index === (to.field === 'idCard' ? account.idCardIndex : account.phoneIndex)
    if (isSame) throw new Refused(refuseField('value', messages.same))
    if (to.field === 'idCard') await refuseProbing(db, session.userId)
    const taken = await takenRefusal(db, session.userId, to)
    if (taken) {
      // Kept although nothing comes of the request: by these lines the answers are counted.
      await audit(db, ctx, { action: takenAction, entity: 'account', entityId: session.userId, after: { [field]: maskOf(to) } })
      return taken
    }
    const id = await newId(db)
    const newSealed = deps.services.cipher.seal(ctx.tenantId, { table: 'verified_change', column: 'new_sealed', rowId: id }, lineOf(to))
    const isNew = await insertVerifiedChange(db, {
      id,
      userId: session.userId,
      field,
      oldMask: old,
      newMask: maskOf(to),
      newSealed,
      reason,
      proofFileIds: proofs,
    })
    if (!isNew) throw new Refused(refusePerson('person/change-waiting', { field: verifiedFieldLabels[field] }))
    const sent = await deps.file.findMany(db, proofs)
    if (sent.some(one => !isFor('changeProof', one, { userId: session.userId, ownerId: id })))
      throw new Refused(refuseField('proofFileIds', messages.proof))
    const kept = await deps.file.attach(db, proofs, session.userId, 'verified-change', id)
    if (kept !== proofs.length) throw new Refused(refuseField('proofFileIds', messages.proof))
    await audit(db, ctx, {
      action: 'verified-change.requested',
      entity: 'verified_change',
      entityId: id,
      before: { [field]: old },
      after: { [field]: maskOf(to) },
      reason,
    })
    await startOwnProcess(deps, db, ctx, id, field)
    const what = verifiedFieldLabels[field]
    await tellOwner(deps, db, {
      ...{ userId: session.userId, of: subjectOf('change', id) },
      what: { zh: `变更您账号的${what.zh}`, en: `a change of the ${what.en.toLowerCase()} of your account` },
    })
    return present(db, id)
  })
  if (!isRefusal(asked)) return asked
  const place = await ctx.asSystem(because, async db => {
    const own = await findOwnNumbers(db, session.userId)
    const open = (column: string, sealed: Buffer | null) =>
      sealed ? cipher.open(ctx.tenantId, { table: 'account', column, rowId: session.userId }, sealed) : ''
    return openAppeal(cipher, db, {
      kind: to.field === 'idCard' ? 'number' : 'phone',
      idCard: to.field === 'idCard' ? to.value : open('id_card_sealed', own.idCard),
      nationality: to.field === 'idCard' ? to.nationality : own.nationality,
      phone: to.field === 'phone' ? to.value : open('phone_sealed', own.phone),
      ...{ name: own.realName, userId: session.userId },
    })
  })
  throw new Refused(withAppeal(asked, place))
}

const present = async (db: TenantDb, id: string): Promise<VerifiedChangeRow> => {
  const row = await findVerifiedChange(db, id)
  if (!row) throw new Refused(refuse('kernel/not-found', {}))
  return row
}

/** What was asked for, in full; null once the request has been decided. */
export const openNewValue = (deps: PersonDeps, row: VerifiedChangeRow, tenantId: string): string | null =>
  row.newSealed && deps.services.cipher.open(tenantId, { table: 'verified_change', column: 'new_sealed', rowId: row.id }, row.newSealed)

/** A new value as an account keeps it. */
const identityOf = ({ services: { cipher } }: PersonDeps, { actor: { tenantId } }: TenantDb, rowId: string, to: Correction): Identity =>
  to.field === 'name' ? to : sealPersonNumber(cipher, tenantId, { table: 'account', rowId }, to)

/** Account, open sign-ups and tickets take the new value together. */
const apply = async (deps: PersonDeps, ctx: Ctx | undefined, db: TenantDb, row: VerifiedChangeRow): Promise<void> => {
  const { tenantId } = db.actor
  const line = openNewValue(deps, row, tenantId) ?? ''
  const to = read(deps, { tenantId, arrivedAt: db.now }, row.field, row.field === 'idCard' ? saidInLine(line) : { idCard: line })
  if (!(await lockAccount(db, row.userId))) throw new Refused(refusePerson('person/change-decided', {}))
  const taken = await takenRefusal(db, row.userId, to)
  if (taken) throw new Refused(taken)
  await writeIdentity(db, row.userId, identityOf(deps, db, row.userId, to))
  const signups = await deps.signup.correctPerson(db, row.userId, to)
  if (!signups) throw new Refused(refuseAuth('auth/id-card-taken', {}))
  const tickets = await renewTicketsOf(db, signups)
  await audit(db, ctx, {
    action: 'account.verified-changed',
    entity: 'account',
    entityId: row.userId,
    before: { [row.field]: row.oldMask },
    after: { [row.field]: row.newMask, request: row.id, signups, tickets },
  })
}

/** The tenant may have a process decide on changes: the parameter names it. Where it has no active version, one person decides as without it. */
const processParameter = 'flow.verifiedChange'
const startOwnProcess = async (deps: PersonDeps, db: TenantDb, ctx: Ctx, id: string, field: VerifiedField): Promise<void> => {
  const key = (await readParameters(db, [processParameter]))[processParameter] ?? '0'
  if (key === '0') return
  const { account } = sessionOf(ctx)
  await deps.flow.start(db, ctx, {
    ...{ key, businessTable: 'verified_change', businessId: id, startUser: db.actor.userId, values: {}, canReturn: false },
    title: `信息变更：${verifiedFieldLabels[field].zh}（${account}）`,
  })
}

/** A request is decided on: data, audit line and notice together. A pass is called when two persons have agreed and the time to object is over. */
export const decideNow = async (
  deps: PersonDeps,
  ctx: Ctx | undefined,
  db: TenantDb,
  row: VerifiedChangeRow,
  event: VerifiedChangeEvent,
  remark: string,
  by: { readonly userId: string; readonly persons?: readonly string[] } = { userId: db.actor.userId },
): Promise<void> => {
  const { id } = row
  const to = step(verifiedChangeMachine, row.state, event)
  if (!to) throw new Refused(refusePerson('person/change-decided', {}))
  if (event === 'pass') await apply(deps, ctx, db, row)
  if (!(await decideVerifiedChange(db, { id, to, userId: by.userId, remark }))) throw new Refused(refusePerson('person/change-decided', {}))
  await audit(db, ctx, {
    action: event === 'pass' ? 'verified-change.passed' : 'verified-change.refused',
    entity: 'verified_change',
    entityId: id,
    before: { state: row.state },
    after: { state: to, field: row.field, ...(by.persons ? { persons: by.persons } : {}) },
    ...(remark === '' ? {} : { reason: remark }),
  })
  const label = verifiedFieldLabels[row.field]
  await deps.message.notify(db, {
    userId: row.userId,
    examId: null,
    kind: 7,
    title:
      event === 'pass'
        ? { zh: `${label.zh}变更申请已通过`, en: `Your ${label.en.toLowerCase()} was changed` }
        : { zh: `${label.zh}变更申请被驳回`, en: `The change of your ${label.en.toLowerCase()} was refused` },
    content: { zh: remark || `现为：${row.newMask}`, en: remark || `It is now: ${row.newMask}` },
    link: '/info/index',
    eventKey: `verified-change-${id}`,
  })
}

const applyTask = 'person.apply-change'

/** What was asked for and shown: what two persons decide on. The value itself is entered once, and sealed another time with each key. */
const subjectOfChange = ({ userId, field, oldMask, newMask, reason, proofFileIds, createdAt }: VerifiedChangeRow): Subject => ({
  ...{ userId, field, oldMask, newMask, reason, proofFileIds, createdAt },
})

/** One person's word for a request: with the second it is applied, now or when the owner had time to object. */
const agree = async (
  deps: PersonDeps,
  ctx: Ctx,
  db: TenantDb,
  row: VerifiedChangeRow,
  { remark, document }: { readonly remark: string; readonly document?: string | undefined },
): Promise<void> => {
  if (step(verifiedChangeMachine, row.state, 'pass') === undefined) throw new Refused(refusePerson('person/change-decided', {}))
  const word = await twoPersonsOn(db, ctx, {
    ...{
      kind: 'verifiedChange',
      entityId: row.id,
      subject: subjectOfChange(row),
      args: { field: row.field },
      reason: remark || undefined,
      document,
      toldAt: await toldSince(deps, db, 'change', row),
    },
    waitHours: await changeWaitHours(db),
  })
  if (word.kind === 'agreed') await enqueue(db, applyTask, { id: row.id }, { runAt: word.applyAt, jobKey: `change-${row.id}` })
  if (word.kind === 'go')
    await decideNow(deps, ctx, db, row, 'pass', remark, { userId: db.actor.userId, persons: [word.firstName, word.secondName] })
}

/** The waiting time of a request that two persons agreed to is over. */
export const applyChangeTask = (deps: PersonDeps): Task =>
  dueActTask<VerifiedChangeRow>({
    ...dueTools(deps, 'change'),
    kind: 'verifiedChange',
    task: applyTask,
    hold: async (db, id) => {
      const row = await lockVerifiedChange(db, id)
      return row?.state === 'waiting' ? row : undefined
    },
    subject: subjectOfChange,
    carryOut: (db, row, act) =>
      decideNow(deps, undefined, db, row, 'pass', '', { userId: act.secondBy ?? '0', persons: [act.beganName, act.secondName ?? ''] }),
    stopped: { title: { zh: '信息变更未能生效', en: 'A change could not take effect' }, link: '/user/userupdateinfo' },
  })

/**
 * The process about a request has come to its end. Whoever passed it last has said the first word; the second is said by another person at the request itself. One that
 * was cancelled leaves the request to two persons.
 */
export const followProcess =
  (deps: PersonDeps): Parameters<PersonDeps['flow']['decides']>[1] =>
  async (db, ctx, { businessId, event, comment }) => {
    if (event !== 'pass' && event !== 'refuse') return
    const row = await lockVerifiedChange(db, businessId)
    if (!row) return
    if (event === 'refuse') await decideNow(deps, ctx, db, row, event, comment)
    else if (ctx) await agree(deps, ctx, db, row, { remark: comment })
  }

/**
 * Staff approve or refuse a request that waits; both are told to the candidate. It is approved by two persons, and not before the owner had time to object, unless a
 * document was shown in person. Where a process decides, this is their task in it.
 *
 * Refusals: kernel/not-found, kernel/invalid-input with fields, person/change-decided, person/change-on-process, auth/id-card-taken, auth/phone-taken,
 * kernel/two-persons-own, kernel/two-persons-other, kernel/two-persons-waits.
 */
export const decideOnChange = (deps: PersonDeps, ctx: Ctx, input: Input): Promise<VerifiedChangeRow> => {
  const { id = '', state, document } = input
  const remark = (input.remark ?? '').trim()
  const event = state === 1 ? 'pass' : state === 2 ? 'refuse' : undefined
  if (event === undefined) throw new Refused(refuseField('state', messages.state))
  if (event === 'refuse' && remark === '') throw new Refused(refuseField('remark', messages.remark))
  return ctx.asSystem('verified data of a candidate changes by the decision of staff', async db => {
    // The process is locked before the request, as its own calls do.
    const open = await deps.flow.findOpen(db, 'verified_change', id)
    if (open) {
      if (open.taskId === null) throw new Refused(refusePerson('person/change-on-process', {}))
      await deps.flow.complete(db, ctx, open.taskId, event === 'pass', remark)
      return present(db, id)
    }
    const row = await lockVerifiedChange(db, id)
    if (!row) throw new Refused(refuse('kernel/not-found', {}))
    if (event === 'pass') await agree(deps, ctx, db, row, { remark, document })
    else {
      await decideNow(deps, ctx, db, row, event, remark)
      await endAct(db, ctx, 'verifiedChange', id, remark)
    }
    return present(db, id)
  })
}

/** The candidate's own requests that still wait; any that does not refuses them all. */
export const takeBack = (deps: PersonDeps, ctx: Ctx, session: Session, ids: readonly string[]): Promise<{ removed: number }> =>
  ctx.asSystem('the caller takes back their own request', async db => {
    const wanted = [...new Set(ids)]
    for (const id of wanted) {
      const open = await deps.flow.findOpen(db, 'verified_change', id)
      if (open) await deps.flow.withdraw(db, ctx, open.instanceId)
    }
    const removed = await removeWaiting(db, session.userId, wanted)
    if (removed.length !== wanted.length) throw new Refused(refusePerson('person/change-decided', {}))
    for (const id of removed) await endAct(db, ctx, 'verifiedChange', id, 'withdrawn')
    for (const id of removed)
      await audit(db, ctx, { action: 'verified-change.removed', entity: 'verified_change', entityId: id, before: { state: 'waiting' } })
    return { removed: removed.length }
  })
