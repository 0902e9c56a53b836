import { refuse, refuseField } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { step } from '#contract/kernel/machine.ts'
import { maskPhone } from '#contract/kernel/mask.ts'
import { subjectOf } from '#contract/kernel/proposals.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireDay } from '#contract/kernel/when.ts'
import type { beginLostPhone, decideAppeal, sendAppeal } from '#contract/person/appeal.routes.ts'
import { appealMachine, mostAppealProofs } from '#contract/person/appeal.state.ts'
import { foldIdCard } from '#contract/person/id-card.ts'
import { checkMobile, mobileMessages } from '#contract/person/mobile.ts'
import { isSaidPassport, nationalityProblem, numberProblem } from '#contract/person/passport.ts'
import { refusePerson } from '#contract/person/person.errors.ts'
import { checkName, nameKey, nameMessages } from '#contract/person/person-name.ts'
import { audit } from '#kernel/audit.ts'
import { sealPersonNumber } from '#kernel/db/person-columns.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, type Session } from '#kernel/http/context.ts'
import { enqueue, type Task } from '#kernel/queue/outbox.ts'
import { dueActTask, endAct, type Subject, twoPersonsOn } from '#kernel/two-persons.ts'
import {
  type AppealPlace,
  changeWaitHours,
  dueTools,
  openAppeal,
  opensAppeal,
  tellOwner,
  toldSince,
  voidPassword,
} from '#modules/organisation/index.ts'
import { renewTicketsOf } from '#modules/ticket/index.ts'
import {
  type AppealRow,
  findAppealByNo,
  type Holder,
  listHeldSignups,
  listHolders,
  lockAppeal,
  markPhoneProven,
  storeDecision,
  storeSent,
  takeIdCardAway,
  takePhoneAway,
} from '../data/appeal.repo.ts'
import { writeIdentity } from '../data/verified-change.repo.ts'
import type { PersonDeps } from '../deps.ts'

const messages = {
  reason: { zh: '请说明情况', en: 'Please say what happened' },
  proof: { zh: `请上传 1 至 ${mostAppealProofs} 份证明材料`, en: `Please upload 1 to ${mostAppealProofs} proofs` },
  remark: { zh: '请填写驳回原因', en: 'Please say why it is refused' },
} satisfies Readonly<Record<string, Label>>

const because = 'whoever appeals may have no account'

/**
 * Begins the appeal of somebody who no longer has the phone of their account: the code proves the phone they have. Nothing is said about whether
 * there is such an account.
 *
 * Refusals: auth/bad-cipher, kernel/invalid-input with fields, auth/invalid-sms-code, auth/sms-code-over.
 */
export const beginForLostPhone = async (deps: PersonDeps, ctx: Ctx, input: InputOf<typeof beginLostPhone>): Promise<AppealPlace> => {
  const { cipher } = deps.services
  const opened = await ctx.asSystem(because, async db => ({
    idCard: await deps.auth.openText(db, input.idCard),
    phone: await deps.auth.openText(db, input.phone),
  }))
  const name = checkName(input.realName)
  if (!name.ok) throw new Refused(refuseField('realName', nameMessages[name.problem]))
  const said = { idCard: opened.idCard, idCardType: input.idCardType }
  const wrong = numberProblem(said, toWireDay(ctx.arrivedAt))
  if (wrong) throw new Refused(refuseField('idCard', wrong))
  const nowhere = isSaidPassport(said) ? nationalityProblem(input.nationality) : undefined
  if (nowhere) throw new Refused(refuseField('nationality', nowhere))
  const phone = checkMobile(opened.phone)
  if (!phone.ok) throw new Refused(refuseField('phone', mobileMessages[phone.problem]))
  await deps.auth.insistOnSmsCode(ctx, {
    key: input.smsId,
    answer: input.smsCode,
    phoneIndex: cipher.blindIndex(ctx.tenantId, 'phone', phone.mobile),
    phoneMask: maskPhone(phone.mobile),
  })
  return ctx.asSystem(because, db =>
    openAppeal(cipher, db, {
      ...{ kind: 'lostPhone', idCard: foldIdCard(opened.idCard), phone: phone.mobile, name: name.name },
      nationality: isSaidPassport(said) ? foldIdCard(input.nationality ?? '') : null,
    }),
  )
}

/** The appeal that a number and its key open; whatever does not fit is no appeal. */
export const openedAppeal = async (
  deps: PersonDeps,
  db: TenantDb,
  { no, key }: { readonly no: string; readonly key: string },
): Promise<AppealRow> => {
  const row = await findAppealByNo(db, no)
  if (!row || !opensAppeal(deps.services.cipher, db.actor.tenantId, row.id, key)) throw new Refused(refuse('kernel/not-found', {}))
  return row
}

const whatChanges: Readonly<Record<AppealRow['kind'], Label>> = {
  lostPhone: { zh: '将您账号的手机号换成新号码', en: 'another mobile number for your account' },
  account: { zh: '取得以您证件号注册的账号', en: 'the account that is registered with your id number' },
  phone: { zh: '解除您账号的手机号', en: 'your mobile number to be taken from your account' },
  number: { zh: '解除您账号的证件号', en: 'your id number to be taken from your account' },
}

/** Which of those who have one of the numbers an approval changes. */
export const isConcerned = (
  row: Pick<AppealRow, 'kind' | 'userId'>,
  holder: { readonly userId: string; readonly hasIdCard: boolean; readonly hasPhone: boolean },
): boolean => holder.userId !== row.userId && (row.kind === 'phone' ? holder.hasPhone : row.kind === 'number' ? holder.hasIdCard : true)

/** Everybody whom an approval would change hears of it at the phone they have, before anybody decides. */
const tellHolders = async (deps: PersonDeps, db: TenantDb, row: AppealRow): Promise<void> => {
  for (const holder of (await listHolders(db, row)).filter(one => isConcerned(row, one)))
    await tellOwner(deps, db, { userId: holder.userId, of: subjectOf('appeal', row.id), what: whatChanges[row.kind] })
}

/**
 * Reasons and proofs of an appeal, once.
 *
 * Refusals: kernel/not-found, kernel/invalid-input with fields, person/appeal-closed, what an upload is refused for.
 */
export const sendOwnAppeal = (deps: PersonDeps, ctx: Ctx, input: InputOf<typeof sendAppeal>): Promise<AppealRow> =>
  ctx.asSystem(because, async db => {
    const found = await openedAppeal(deps, db, input)
    const row = await lockAppeal(db, found.id)
    if (!row || step(appealMachine, row.state, 'send') === undefined) throw new Refused(refusePerson('person/appeal-closed', {}))
    const name = checkName(input.realName ?? row.name)
    if (!name.ok) throw new Refused(refuseField('realName', nameMessages[name.problem]))
    const reason = input.reason.trim()
    if (reason === '') throw new Refused(refuseField('reason', messages.reason))
    if (ctx.files.length === 0) throw new Refused(refuseField('proof', messages.proof))
    const proofFileIds: string[] = []
    for (const file of ctx.files)
      proofFileIds.push(
        (
          await deps.file.keepUpload(db, {
            file,
            userId: row.userId ?? '0',
            ownerKind: 'identity-appeal',
            ownerId: row.id,
            purpose: 'document',
          })
        ).id,
      )
    await storeSent(db, row.id, { name: name.name, reason, proofFileIds })
    await tellHolders(deps, db, { ...row, name: name.name })
    await audit(db, ctx, {
      action: 'appeal.sent',
      entity: 'identity_appeal',
      entityId: row.id,
      after: { no: row.no, kind: row.kind, idCard: row.idCardMask, phone: row.phoneMask },
    })
    return openedAppeal(deps, db, input)
  })

/** What an appeal says of the person, opened. */
export const openNumbers = (deps: PersonDeps, tenantId: string, row: AppealRow): { readonly idCard: string; readonly phone: string } => {
  const open = (column: string, sealed: Buffer) =>
    deps.services.cipher.open(tenantId, { table: 'identity_appeal', column, rowId: row.id }, sealed)
  return { idCard: open('id_card_sealed', row.idCard), phone: open('phone_sealed', row.phone) }
}

const tell = (deps: PersonDeps, db: TenantDb, userId: string, row: AppealRow, title: Label, content: Label) =>
  deps.message.notify(db, {
    ...{ userId, examId: null, kind: 7, title, content, link: '/info/index' },
    eventKey: `appeal-${row.id}-${userId}`,
  })

/** Accounts of others give up the phone: whoever appeals has proven it by a code. */
const freePhone = async (
  deps: PersonDeps,
  db: TenantDb,
  ctx: Ctx | undefined,
  row: AppealRow,
  holders: readonly Holder[],
  keeperId: string | null,
) => {
  for (const holder of holders.filter(one => one.hasPhone && one.userId !== keeperId)) {
    await takePhoneAway(db, holder.userId)
    const title = { zh: '手机号码已解除绑定', en: 'Your mobile number was removed' }
    const content = {
      zh: '您账号的手机号码已由现在的使用者核验。请用账号和密码登录，并申请变更为您现在的手机号。',
      en: 'Your number was verified by whoever has it now. Log in by account and password and ask for a change to your present number.',
    }
    await tell(deps, db, holder.userId, row, title, content)
    await audit(db, ctx, {
      action: 'account.phone-released',
      entity: 'account',
      entityId: holder.userId,
      before: { phone: holder.phoneMask },
      after: { appeal: row.no },
    })
  }
}

/** Nobody who was let in before stays in, whichever door they came through. */
const shutAllDoors = async (deps: PersonDeps, db: TenantDb, userId: string): Promise<void> => {
  await deps.auth.unbindSocialOf(db, userId)
  await deps.auth.removeSecondFactor(db, userId)
  await deps.auth.endSessionsOf(db, userId, 'appeal-upheld')
}

const isSameName = (row: AppealRow, holder: Holder): boolean => {
  const name = checkName(row.name)
  return name.ok && nameKey(name.name) === nameKey(holder.realName)
}

/**
 * The account with this id number is that person's: their phone, no password but one they choose by code and id number. Its name has to be theirs: an account of
 * another name is never handed over.
 */
const handOverTo = async (
  deps: PersonDeps,
  db: TenantDb,
  ctx: Ctx | undefined,
  row: AppealRow,
  holders: readonly Holder[],
): Promise<void> => {
  const holder = holders.find(one => one.hasIdCard)
  if (!holder) throw new Refused(refusePerson('person/appeal-nobody', {}))
  if (!isSameName(row, holder)) throw new Refused(refusePerson('person/appeal-name', { name: row.name }))
  await freePhone(deps, db, ctx, row, holders, holder.userId)
  const { phone } = openNumbers(deps, db.actor.tenantId, row)
  const number = { field: 'phone', value: phone, index: row.phoneIndex, mask: maskPhone(phone) } as const
  const place = { table: 'account', rowId: holder.userId } as const
  await writeIdentity(db, holder.userId, sealPersonNumber(deps.services.cipher, db.actor.tenantId, place, number))
  await renewTicketsOf(db, (await deps.signup.correctPerson(db, holder.userId, number)) ?? [])
  await markPhoneProven(db, holder.userId)
  await voidPassword(db, holder.userId)
  await shutAllDoors(deps, db, holder.userId)
  const title = { zh: '身份申诉已通过', en: 'The appeal was upheld' }
  const content = {
    zh: `账号已绑定手机号 ${row.phoneMask}，原密码和所有登录已失效。`,
    en: `The account now has the mobile number ${row.phoneMask}; its old password and all logins have ended.`,
  }
  await tell(deps, db, holder.userId, row, title, content)
  await audit(db, ctx, {
    action: 'account.handed-over',
    entity: 'account',
    entityId: holder.userId,
    before: { phone: holder.phoneMask },
    after: { phone: row.phoneMask, appeal: row.no },
  })
}

/** The id number is the appellant's, who has an account: others give it up, their accounts and their sign-ups. */
const releaseTo = async (
  deps: PersonDeps,
  db: TenantDb,
  ctx: Ctx | undefined,
  row: AppealRow,
  holders: readonly Holder[],
): Promise<void> => {
  const others = holders.filter(one => one.hasIdCard && one.userId !== row.userId)
  const held = { idCardIndex: row.idCardIndex, ownerId: row.userId }
  const signups = await deps.signup.releaseNumber(db, ctx, held, `申诉 ${row.no}`)
  if (others.length === 0 && signups.length === 0) throw new Refused(refusePerson('person/appeal-nobody', {}))
  for (const holder of others) {
    await takeIdCardAway(db, holder.userId)
    await shutAllDoors(deps, db, holder.userId)
    const title = { zh: '证件号码已解除绑定', en: 'Your id number was removed' }
    const content = {
      zh: '经核实，您账号登记的证件号码属于他人，已解除绑定。请申请变更为您本人的证件号码。',
      en: 'The id number of your account belongs to somebody else and was removed. Ask for a change to your own.',
    }
    await tell(deps, db, holder.userId, row, title, content)
    await audit(db, ctx, {
      action: 'account.id-card-released',
      entity: 'account',
      entityId: holder.userId,
      before: { idCard: holder.idCardMask },
      after: { appeal: row.no },
    })
  }
}

const uphold = async (deps: PersonDeps, db: TenantDb, ctx: Ctx | undefined, row: AppealRow): Promise<void> => {
  const holders = await listHolders(db, row)
  if (row.kind === 'number') return releaseTo(deps, db, ctx, row, holders)
  if (row.kind === 'phone') {
    if (!holders.some(one => one.hasPhone && one.userId !== row.userId)) throw new Refused(refusePerson('person/appeal-nobody', {}))
    return freePhone(deps, db, ctx, row, holders, row.userId)
  }
  const holder = holders.find(one => one.hasIdCard)
  // Registered under another name it is somebody else's account, which keeps everything but the number.
  if (row.kind === 'account' && holder && !isSameName(row, holder)) return releaseTo(deps, db, ctx, row, holders)
  return handOverTo(deps, db, ctx, row, holders)
}

/** Those who can be told now that an approval would be refused are told before anybody agrees. */
const expectPossible = async (db: TenantDb, row: AppealRow): Promise<void> => {
  const holders = await listHolders(db, row)
  const holder = holders.find(one => one.hasIdCard)
  if (row.kind === 'lostPhone' && holder && !isSameName(row, holder))
    throw new Refused(refusePerson('person/appeal-name', { name: row.name }))
  const isHeld = row.kind === 'phone' ? holders.some(one => one.hasPhone && one.userId !== row.userId) : holder !== undefined
  if (!isHeld && row.kind !== 'number') throw new Refused(refusePerson('person/appeal-nobody', {}))
  if (
    row.kind === 'number' &&
    !holders.some(one => one.hasIdCard && one.userId !== row.userId) &&
    (await listHeldSignups(db, row.idCardIndex, row.userId)).length === 0
  )
    throw new Refused(refusePerson('person/appeal-nobody', {}))
}

/** The end of an appeal: its effect, where it is upheld, and the word to whoever appealed. */
export const finish = async (
  deps: PersonDeps,
  db: TenantDb,
  ctx: Ctx | undefined,
  row: AppealRow,
  end: { readonly event: 'uphold' | 'refuse'; readonly userId: string; readonly remark: string; readonly persons?: readonly string[] },
): Promise<void> => {
  const { event, remark } = end
  const to = step(appealMachine, row.state, event)
  if (!to) throw new Refused(refusePerson('person/appeal-closed', {}))
  if (event === 'uphold') await uphold(deps, db, ctx, row)
  await storeDecision(db, { id: row.id, to, userId: end.userId, remark })
  await audit(db, ctx, {
    action: event === 'uphold' ? 'appeal.upheld' : 'appeal.refused',
    entity: 'identity_appeal',
    entityId: row.id,
    before: { state: row.state },
    after: { state: to, no: row.no, kind: row.kind, ...(end.persons ? { persons: end.persons } : {}) },
    ...(remark === '' ? {} : { reason: remark }),
  })
  const { phone } = openNumbers(deps, db.actor.tenantId, row)
  if (phone !== '')
    await deps.message.sendSms(db, {
      ...{ phone, userId: row.userId, template: event === 'uphold' ? 'appeal-upheld' : 'appeal-refused' },
      params: { no: row.no, reason: remark },
    })
}

const applyTask = 'person.apply-appeal'

/** What was asked for and shown: what two persons decide on. */
const subjectOfAppeal = ({ kind, userId, name, idCardIndex, phoneIndex, reason, proofFileIds }: AppealRow): Subject => ({
  ...{ kind, userId, name, idCardIndex, phoneIndex, reason, proofFileIds },
})

/**
 * Staff uphold or refuse an appeal that waits. It is upheld by two persons, and not before whoever has the number had time to object, unless the appellant showed a
 * document in person. Accounts, sign-ups and tickets change with it; whoever appeals hears of it by text message, whoever gives something up by a notice.
 *
 * Refusals: kernel/not-found, kernel/invalid-input with fields, person/appeal-closed, person/appeal-nobody, person/appeal-name, kernel/two-persons-own,
 * kernel/two-persons-other, kernel/two-persons-waits, signup/release-paid, release-second.
 */
export const decideOnAppeal = (deps: PersonDeps, ctx: Ctx, session: Session, input: InputOf<typeof decideAppeal>): Promise<AppealRow> => {
  const event = input.state === 2 ? 'uphold' : 'refuse'
  const remark = (input.remark ?? '').trim()
  if (event === 'refuse' && remark === '') throw new Refused(refuseField('remark', messages.remark))
  return ctx.asSystem('accounts of candidates change by the decision of staff', async db => {
    const row = await lockAppeal(db, input.id)
    if (!row || row.state === 'begun') throw new Refused(refuse('kernel/not-found', {}))
    if (row.state !== 'waiting') throw new Refused(refusePerson('person/appeal-closed', {}))
    if (event === 'refuse') {
      await endAct(db, ctx, 'appeal', row.id, remark)
      await finish(deps, db, ctx, row, { event, userId: session.userId, remark })
    } else {
      await expectPossible(db, row)
      const { document } = input
      const word = await twoPersonsOn(db, ctx, {
        ...{ kind: 'appeal', entityId: row.id, args: { no: row.no }, reason: remark || undefined, document },
        subject: subjectOfAppeal(row),
        toldAt: await toldSince(deps, db, 'appeal', row),
        waitHours: await changeWaitHours(db),
      })
      if (word.kind === 'agreed') await enqueue(db, applyTask, { id: row.id }, { runAt: word.applyAt, jobKey: `appeal-${row.id}` })
      if (word.kind === 'go')
        await finish(deps, db, ctx, row, { event, userId: session.userId, remark, persons: [word.firstName, word.secondName] })
    }
    const now = await lockAppeal(db, row.id)
    return now ?? row
  })
}

/** The waiting time of an appeal that two persons agreed to is over. */
export const applyAppealTask = (deps: PersonDeps): Task =>
  dueActTask<AppealRow>({
    ...dueTools(deps, 'appeal'),
    kind: 'appeal',
    task: applyTask,
    hold: async (db, id) => {
      const row = await lockAppeal(db, id)
      return row?.state === 'waiting' ? row : undefined
    },
    subject: subjectOfAppeal,
    carryOut: (db, row, act) =>
      finish(deps, db, undefined, row, {
        ...{ event: 'uphold', userId: act.secondBy ?? '0', remark: '', persons: [act.beganName, act.secondName ?? ''] },
      }),
    stopped: { title: { zh: '身份申诉未能生效', en: 'An appeal could not take effect' }, link: '/user/userappeal' },
  })
