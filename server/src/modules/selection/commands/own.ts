import type { Label } from '#contract/kernel/label.ts'
import { toEndMinute, toWireTime } from '#contract/kernel/when.ts'
import { callMachine, recheckMachine, stepMachine } from '#contract/selection/selection.state.ts'
import { stageNames, stage as stages, stepText } from '#contract/selection/words.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { findExam, findPost } from '#modules/exam/index.ts'
import { type CallRow, listCalls } from '../data/call.repo.ts'
import { listDisqualifications } from '../data/disqualification.repo.ts'
import { listOwn, type PersonRow } from '../data/person.repo.ts'
import { listOwnSteps } from '../data/step.repo.ts'
import type { SelectionKit } from '../deps.ts'
import { mayLeave } from './leave.ts'
import { askedPapers, mayHandIn } from './papers.ts'

/** What happens next, and what the person has to do. */
const nextOf = (person: PersonRow, call: CallRow | undefined, isStruck: boolean): Label => {
  if (call) {
    const until = toEndMinute(call.deadline)
    return call.unprovenTold
      ? { zh: '确认期限已过，但您的资格仍保留，请尽快确认', en: 'The time to answer is over, yet your place is kept: please answer soon' }
      : { zh: `请于 ${until} 前确认是否参加`, en: `Please say until ${until} whether you take part` }
  }
  if (isStruck) return { zh: '您的报名资格已被取消', en: 'Your sign-up is disqualified' }
  if (person.stage === stages.out || person.review === 'refused' || person.review === 'gaveUp') {
    const at = stageNames[person.endedStage ?? stages.recheck] ?? { zh: '', en: '' }
    return person.step === 'gaveUp' || person.review === 'gaveUp'
      ? { zh: `您已放弃（${at.zh}）`, en: `You gave up (${at.en})` }
      : person.endedStage !== null || person.review === 'refused'
        ? { zh: `您未通过${at.zh}`, en: `You did not pass: ${at.en}` }
        : { zh: '招聘已结束，您未进入聘用名单', en: 'The recruitment has ended and you are not among the hired' }
  }
  if (person.stage >= stages.medical) {
    if (person.step === 'failing' && person.stepUntil)
      return {
        zh: `体检不合格。可于 ${toEndMinute(person.stepUntil)} 前申请复检一次，不申请即为不合格`,
        en: `Not passed. A second check can be asked for once until ${toEndMinute(person.stepUntil)}; without it the outcome stays`,
      }
    if (person.step === 'rechecking' && person.stepUntil)
      return {
        zh: `复检中，应于 ${toEndMinute(person.stepUntil)} 前完成，请等候安排`,
        en: `The second check is under way, due by ${toEndMinute(person.stepUntil)}; wait for the appointment`,
      }
    if (person.stage === stages.hire && person.step === 'passed')
      return { zh: '您已被聘用，请按单位通知办理手续', en: 'You are hired; the unit tells you what to do next' }
    const texts: Readonly<Record<number, Label>> = {
      5: { zh: '请等候体检通知；体检合格后进入考察', en: 'Wait for the notice of the medical check; vetting comes after it' },
      6: { zh: '考察中；考察合格后公示', en: 'Vetting is under way; the publicity comes after it' },
      7: { zh: '拟聘用公示中；公示期满无异议即聘用', en: 'The list is public; without objections the hire follows' },
      8: { zh: '公示已完成，等待办理聘用', en: 'The publicity is over; the hire is being settled' },
    }
    return texts[person.stage] ?? { zh: '', en: '' }
  }
  if (person.review === 'supplement') return { zh: '请按要求补充复审材料', en: 'Hand in the papers that are asked for' }
  if (person.review === 'waiting') return { zh: '请提交复审材料并等待复审', en: 'Hand in your papers and wait for the re-review' }
  return {
    zh: '复审已通过，请留意面试通知；总成绩在面试后公布',
    en: 'You passed; watch for the notice of the interview. The total follows after it',
  }
}

/** Where a candidate stands in every examination that called them. */
export const readOwn = (kit: SelectionKit, ctx: Ctx) =>
  ctx.asSystem('posts, forms and rules are read that belong to the office; the rows are the candidate’s own', async db => {
    const { userId } = sessionOf(ctx)
    const shown = []
    for (const person of await listOwn(db, userId)) shown.push(await present(kit, ctx, db, person))
    return shown.flatMap(one => one ?? [])
  })

const present = async (kit: SelectionKit, ctx: Ctx, db: TenantDb, person: PersonRow) => {
  const exam = await findExam(db, person.examId)
  if (!exam) return undefined
  const post = await findPost(db, exam.id, person.code)
  const call = (await listCalls(db, person.signupId)).find(({ state }) => state === 'waiting')
  const reader = { tenantId: ctx.tenantId, userId: person.userId }
  const isIn = person.review !== 'none'
  // Whoever did not pass the re-review is told that; a proposal that was carried out says something else.
  const isStruck =
    person.examine === 'disqualified' && (await listDisqualifications(db, person.signupId)).some(one => one.state === 'disqualified')
  const files = isIn ? await askedPapers(kit, db, person) : []
  const say = (zh: string, en: string | null) => ctx.say({ zh, en: en || zh })
  return {
    ...{ signupId: person.signupId, examId: exam.id, examName: exam.examName, contactPhone: exam.contactPhone ?? '' },
    ...{ unitName: post?.unitName ?? '', code: person.code, codeName: post?.codeName ?? '' },
    rank: person.stageRank ?? person.rank,
    kind: person.stageKind ?? person.kind,
    reviewState: recheckMachine.wire[person.review],
    reviewRemark: person.reviewRemark,
    advisements: person.advisements.map(({ label, advice }) => ({ label: label ?? '', advice })),
    stage: person.stage,
    state: stepMachine.wire[person.step],
    endedStage: person.endedStage,
    ...{ date: person.stepDate, remark: person.stepRemark },
    until: person.stepUntil && toWireTime(person.stepUntil),
    call: call
      ? { id: call.id, kind: call.kind, stage: call.stage, state: callMachine.wire[call.state], deadline: toWireTime(call.deadline) }
      : null,
    files: files.map(file => ({
      fileKey: file.fileKey,
      fileLabel: say(file.fileLabel, file.fileLabelEn),
      required: file.required,
      ...{ accept: file.accept, maxKb: file.maxKb, maxCount: file.maxCount },
      help: say(file.help ?? '', file.helpEn),
      uploads: person.files
        .filter(one => one.fileKey === file.fileKey)
        .map(({ fileId, name, size }) => ({ fileId, name, sizeBytes: size, link: kit.file.linkFor(reader, fileId, ctx.arrivedAt) })),
    })),
    mayUpload: isIn && mayHandIn(person),
    mayGiveUp: mayLeave(person),
    mayAskRecheck: person.step === 'failing' && person.stepUntil !== null && ctx.arrivedAt < person.stepUntil,
    next: ctx.say(nextOf(person, call, isStruck)),
    steps: (await listOwnSteps(db, person.signupId)).map(({ kind, facts, today, createdAt }) => ({
      text: ctx.say(stepText(kind, facts, today)),
      time: toWireTime(createdAt),
    })),
  }
}
