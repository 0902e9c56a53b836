import { toEndMinute } from '#contract/kernel/when.ts'
import { audit } from '#kernel/audit.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { findExam, listOfficers } from '#modules/exam/index.ts'
import { eachTenant } from '#modules/tenancy/index.ts'
import { lockSelection } from '../commands/fill.ts'
import { leaveAnywhere, leaveStage, mayLeave } from '../commands/leave.ts'
import { ruleOf } from '../commands/policy.ts'
import { proofOf } from '../commands/proof.ts'
import { type CallRow, findCall, listDue, markUnproven, moveCall } from '../data/call.repo.ts'
import { findPerson, listLapsed, lockPerson } from '../data/person.repo.ts'
import { insertStep } from '../data/step.repo.ts'
import type { SelectionKit } from '../deps.ts'
import { isProven } from '../domain/recheck.ts'
import { unprovenNotice } from '../templates/notices.ts'

/** A request that arrived in time may still be on its way: what is closed is a minute past its deadline. */
const graceMs = 60_000
/** Of one round of the list. */
const batch = 200
const by = { ctx: undefined, name: null }

/** Closes one call: silence counts as giving up where it is proven that the person was told, else the office is told to call. */
const closeCall = async (kit: SelectionKit, db: TenantDb, due: CallRow): Promise<'lapsed' | 'kept' | undefined> => {
  await lockSelection(db, due.examId)
  const person = await lockPerson(db, due.signupId)
  const call = await findCall(db, due.id)
  const exam = await findExam(db, due.examId)
  if (!person || !exam || call?.state !== 'waiting' || call.deadline.getTime() !== due.deadline.getTime()) return undefined
  const rule = await ruleOf(db, exam.id)
  if (isProven(await proofOf(db, call), rule.contacts) && mayLeave(person)) {
    await moveCall(db, call.id, 'waiting', 'lapsed')
    await leaveAnywhere(kit, db, exam, person, { kind: 'lapsed', remark: null, by, deadline: call.deadline })
    return 'lapsed'
  }
  await markUnproven(db, call.id)
  await insertStep(db, {
    ...{
      examId: exam.id,
      code: person.code,
      signupId: person.signupId,
      userId: person.userId,
      stage: call.stage,
      kind: 'notProven',
      byName: null,
    },
    facts: { stage: call.stage, deadline: toEndMinute(call.deadline) },
  })
  await audit(db, undefined, { action: 'selection.kept', entity: 'signup', entityId: person.signupId, after: { callId: call.id } })
  for (const userId of await listOfficers(db, exam.id))
    await kit.message.notify(db, {
      ...{ userId, examId: exam.id, kind: 7, link: `/examine/review?examId=${exam.id}` },
      ...unprovenNotice(exam.examName, person.name),
      eventKey: `selection-unproven:${call.id}:${call.deadline.getTime()}`,
    })
  return 'kept'
}

/** Nobody asked for a second medical check in time. */
const closeMedical = async (kit: SelectionKit, db: TenantDb, signupId: string): Promise<boolean> => {
  const seen = await findPerson(db, signupId)
  if (!seen) return false
  await lockSelection(db, seen.examId)
  const person = await lockPerson(db, signupId)
  const exam = await findExam(db, seen.examId)
  if (!person || !exam || person.step !== 'failing' || !person.stepUntil || person.stepUntil.getTime() > db.now.getTime() - graceMs)
    return false
  await leaveStage(kit, db, exam, person, { event: 'lapse', kind: 'recheckLapsed', remark: null, deadline: person.stepUntil, by })
  return true
}

/** Ends what nobody answered in time, with whoever moves up. Each person is a transaction of its own. */
export const deadlineProcessor = (kit: SelectionKit): Processor => ({
  name: 'selection.deadlines',
  label: { zh: '复审确认和体检复检到期', en: 'Deadlines of the re-review and of second medical checks' },
  help: {
    zh: '到期未确认且有送达凭证的视为放弃并递补；没有凭证的提醒考务管理员电话联系；体检不合格且未申请复检的到期结束',
    en: 'Whoever has not answered and was provably told counts as giving up, and the next moves up; without proof the office is told to call; medical checks without a request for a second one end',
  },
  scope: 'platform',
  own: { cron: '0 * * * * ?', mayPause: false },
  run: async call => {
    let [lapsed, kept, ended] = [0, 0, 0]
    const { scopes } = kit.services
    const before = new Date(call.now.getTime() - graceMs)
    await eachTenant(scopes, call, async tenantId => {
      const actor = systemOf(tenantId)
      for (const due of await scopes.tx(actor, call.now, db => listDue(db, before, batch))) {
        call.signal.throwIfAborted()
        const done = await scopes.tx(actor, call.now, db => closeCall(kit, db, due))
        if (done === 'lapsed') lapsed += 1
        if (done === 'kept') kept += 1
      }
      for (const { signupId } of await scopes.tx(actor, call.now, db => listLapsed(db, before, batch)))
        if (await scopes.tx(actor, call.now, db => closeMedical(kit, db, signupId))) ended += 1
    })
    return {
      zh: `视为放弃 ${lapsed} 人，无送达凭证 ${kept} 人，体检到期 ${ended} 人`,
      en: `${lapsed} gave up by silence, ${kept} without proof of notice, ${ended} medical checks ended`,
    }
  },
})
