import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { step } from '#contract/kernel/machine.ts'
import { maskName } from '#contract/kernel/mask.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf, OutputOf } from '#contract/kernel/route.ts'
import { twoPersonActs } from '#contract/kernel/two-persons.ts'
import { toWireDay, toWireTime } from '#contract/kernel/when.ts'
import { inAccount } from '#contract/signup/hearing.ts'
import type {
  answerIntegrity,
  confirmIntegrity,
  decideIntegrity,
  integrityList,
  liftIntegrity,
  noteIntegrity,
} from '#contract/signup/integrity.routes.ts'
import { type IntegrityLevel, integrityLevels, integrityMachine, stateOfIntegrity } from '#contract/signup/integrity.state.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { refuseSamePerson } from '#kernel/two-persons.ts'
import { findExam, listOfficers } from '#modules/exam/index.ts'
import type { MessageModule, Notice } from '#modules/message/index.ts'
import { readParameters } from '#modules/tenancy/index.ts'
import { findHearing, lockHearing } from '../data/hearing.repo.ts'
import {
  addCase,
  addToList,
  type CaseRow,
  endEntry,
  listOwnCases,
  lockCase,
  pageCases,
  proposalKey,
  withoutCase,
} from '../data/integrity.repo.ts'
import {
  answerOwn,
  confirmHeard,
  daysToAnswer,
  type HearingKind,
  type HearingTools,
  heardOf,
  isHeard,
  noteHeard,
  tellOfProposal,
  unheardProblem,
} from './hearing.ts'

type Tools = { readonly message: Pick<MessageModule, 'notify' | 'tell' | 'toldAt'> }

export const integrityHearing: HearingKind = {
  table: 'integrity_case',
  label: { zh: '记入诚信档案', en: 'record of integrity' },
  trail: 'integrity.statement',
  link: '/signup/selection',
  paper: 'integrityPaper',
}

/** So many days somebody has to answer, where the tenant says nothing else. */
const usualAnswerDays = 5
const dayMs = 86_400_000
const link = '/signup/selection'

export interface Finding {
  readonly signupId: string
  readonly source: 'violation' | 'result'
  readonly sourceId: string
  /** What happened, in the office's words. */
  readonly reason: string
}

/** Proposes a violation for the archive and tells the person, who may answer: nothing is recorded before the administrator decides. */
export const proposeIntegrity = async ({ message }: Tools, db: TenantDb, ctx: Ctx | undefined, found: Finding): Promise<void> => {
  const set = await readParameters(db, ['integrity.answerDays'])
  const days = Number(set['integrity.answerDays'] ?? usualAnswerDays)
  const answerUntil = new Date(db.now.getTime() + days * dayMs)
  const added = await addCase(db, { ...found, answerUntil })
  if (!added) return
  await audit(db, ctx, {
    action: 'integrity.proposed',
    entity: 'signup',
    entityId: found.signupId,
    after: { source: found.source },
    reason: found.reason.slice(0, 500),
  })
  const until = toWireTime(answerUntil).slice(0, 16)
  const notice: Notice = {
    userId: added.userId,
    examId: added.examId,
    kind: 7,
    title: { zh: '违纪违规处理告知', en: 'A breach of the rules was found' },
    content: {
      zh: `您在“${added.examName}”中：${found.reason}。主管部门拟将其记入诚信档案。您可在 ${until} 前在线或向招考单位陈述、申辩，并提交材料；逾期未提出的，将依法作出决定。`,
      en: `In “${added.examName}”: ${found.reason}. It is proposed for the archive of integrity. You may answer here with files, or to the office, until ${until}; it decides afterwards.`,
    },
    link,
    needSure: true,
    eventKey: proposalKey(added.id),
  }
  await tellOfProposal({ message }, db, { table: 'integrity_case', id: added.id, examName: added.examName, answerUntil, notice })
}

/** The same for people whose released results are breaches, where nothing was proposed from the room. */
export const proposeResults = async (
  tools: Tools,
  db: TenantDb,
  ctx: Ctx | undefined,
  results: readonly Omit<Finding, 'source'>[],
): Promise<void> => {
  if (results.length === 0) return
  const fresh = new Set(
    await withoutCase(
      db,
      results.map(one => one.signupId),
    ),
  )
  for (const result of results) if (fresh.delete(result.signupId)) await proposeIntegrity(tools, db, ctx, { ...result, source: 'result' })
}

const saidOf = (ctx: Ctx, refusal: Refusal | undefined): string | null => (refusal === undefined ? null : ctx.say(refusal.text))

/** What recording a case would be refused for now, as the caller; undefined where it would be taken. */
const integrityBar = async (tools: Pick<HearingTools, 'message'>, ctx: Ctx, db: TenantDb, row: CaseRow): Promise<Refusal | undefined> => {
  if (row.foundById === sessionOf(ctx).userId) return refuse('kernel/two-persons-own', { what: twoPersonActs.integrityRecord.label })
  const heard = await findHearing(db, 'integrity_case', row.id)
  if (heard && isHeard(heard)) return undefined
  return unheardProblem(tools, db, 'integrity_case', { ...row, createdAt: row.proposedAt }, time =>
    refuseSignup('integrity/early', { time }),
  )
}

export const listIntegrity = async (
  tools: Pick<HearingTools, 'file' | 'message'>,
  ctx: Ctx,
  db: TenantDb,
  input: InputOf<typeof integrityList>,
) => {
  const { current, size, offset, state, examId, keyword } = sliceOf(input)
  const filter = { examId, keyword, state: state === undefined ? undefined : stateOfIntegrity(state) }
  const { rows, total } = await pageCases(db, filter, { size, offset })
  const time = (at: Date | null) => (at === null ? null : toWireTime(at))
  const heard = new Map<string, ReturnType<typeof heardOf>>()
  const ends = new Map<string, Date>()
  const bars = new Map<string, Refusal | undefined>()
  for (const row of rows) {
    const { id } = row
    if (row.state === 'proposed') bars.set(id, await integrityBar(tools, ctx, db, row))
    ends.set(id, (await daysToAnswer(tools, db, 'integrity_case', { ...row, createdAt: row.proposedAt })).until)
    const found = await findHearing(db, 'integrity_case', id)
    if (found) heard.set(id, heardOf(tools, ctx, found))
  }
  const records = rows.map(row => ({
    ...(heard.get(row.id) ?? nothingHeard),
    ...{ id: row.id, examName: row.examName, signNo: row.signNo, name: maskName(row.name), idCardMask: row.idCardMask, reason: row.reason },
    ...{
      proposedTime: toWireTime(row.proposedAt),
      answerUntil: toWireTime(ends.get(row.id) ?? row.answerUntil),
      toldTime: time(row.toldAt),
      bar: saidOf(ctx, bars.get(row.id)),
    },
    ...{ state: integrityMachine.wire[row.state], level: row.level, endDate: row.endDate },
    ...{ decision: row.decision, decidedBy: row.decidedBy, decidedTime: time(row.decidedAt), version: row.version },
  }))
  return toPage(records, total, current, size)
}

/** The last day of a record that begins on `day`: the one before the same day so many years later. */
const endOf = (day: string, level: IntegrityLevel): string | null => {
  const { years } = integrityLevels[level]
  if (years === undefined) return null
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(Date.UTC(year + years, month - 1, date) - dayMs).toISOString().slice(0, 10)
}

const open = async (db: TenantDb, id: string, version: number | undefined): Promise<CaseRow | Refusal> => {
  const row = await lockCase(db, id)
  if (!row) return refuse('kernel/not-found', {})
  return version !== undefined && version !== row.version ? refuse('kernel/changed-meanwhile', {}) : row
}

export const decideCase = async (
  { message }: Tools,
  ctx: Ctx,
  db: TenantDb,
  input: InputOf<typeof decideIntegrity>,
): Promise<OutputOf<typeof decideIntegrity> | Refusal> => {
  const row = await open(db, input.id, input.version)
  if (isRefusal(row)) return row
  const isRecorded = input.outcome === 1
  if (isRecorded) await refuseSamePerson(db, 'integrityRecord', sessionOf(ctx).userId, [row.foundById])
  const to = step(integrityMachine, row.state, isRecorded ? 'record' : 'dismiss')
  if (to === undefined) return refuseSignup('integrity/decided', {})
  const level = isRecorded ? (input.level as IntegrityLevel | undefined) : undefined
  if (isRecorded && level === undefined) return refuseField('level', { zh: '请选择记录期限', en: 'Say how long it holds' })
  const noted = (input.statement ?? '').trim() || null
  const hearing = await lockHearing(db, 'integrity_case', row.id)
  // What the person wrote in the account is rewritten by nobody.
  if (hearing?.statementWay === inAccount && noted !== null)
    return refuseField('statement', { zh: '本人已在线陈述，不能改写', en: 'The person answered in the account; that stays' })
  const statement = noted ?? row.statement
  const by =
    noted === null ? {} : { statement_by: sessionOf(ctx).userId, statement_by_name: sessionOf(ctx).realName, statement_confirmed: null }
  // Whoever has answered need not wait for the end; who has not is not judged before it. What staff say that the person said is no answer.
  if (isRecorded && !(noted === null && hearing && isHeard(hearing))) {
    const proposed = { id: row.id, createdAt: row.proposedAt, answerUntil: row.answerUntil }
    const early = await unheardProblem({ message }, db, 'integrity_case', proposed, time => refuseSignup('integrity/early', { time }))
    if (early) return early
  }
  const begin = toWireDay(db.now)
  const end = level === undefined ? null : endOf(begin, level)
  const listed = level === undefined ? null : (await addToList(db, { case: row, level, begin, end, reason: row.reason })).id
  const set = {
    level: level ?? null,
    statement,
    ...by,
    decision: input.decision.trim(),
    decided_by: sessionOf(ctx).userId,
    decided_at: db.now,
    listed_id: listed,
  }
  if (!(await transition(db, 'integrity_case', row.id, { from: row.state, to }, set))) return refuse('kernel/changed-meanwhile', {})
  await audit(db, ctx, {
    action: isRecorded ? 'integrity.recorded' : 'integrity.dismissed',
    entity: 'signup',
    entityId: row.signupId,
    after: { level: level ?? null, endDate: end },
    reason: input.decision.trim(),
  })
  const label = level === undefined ? undefined : integrityLevels[level].label
  await message.notify(db, {
    ...{ userId: row.userId, examId: row.examId, kind: 7, link, needSure: isRecorded, eventKey: `integrity-decided:${row.id}` },
    title: isRecorded
      ? { zh: '诚信档案记录决定', en: 'Recorded in the archive of integrity' }
      : { zh: '不予记入诚信档案', en: 'Not recorded in the archive of integrity' },
    content: isRecorded
      ? {
          zh: `您在“${row.examName}”中的行为（${row.reason}）已记入诚信档案，期限：${label?.zh}${end === null ? '' : `，至 ${end}`}。理由：${input.decision.trim()}。如不服本决定，可依法申请复核、行政复议或者提起行政诉讼。`,
          en: `What happened in “${row.examName}” (${row.reason}) is recorded: ${label?.en}${end === null ? '' : `, until ${end}`}. Reasons: ${input.decision.trim()}. You may ask for a review, an administrative reconsideration, or go to court.`,
        }
      : {
          zh: `您在“${row.examName}”中的行为不记入诚信档案。说明：${input.decision.trim()}。`,
          en: `What happened in “${row.examName}” is not recorded. The office says: ${input.decision.trim()}.`,
        },
  })
  return { id: row.id, state: integrityMachine.wire[to] }
}

export const liftCase = async (
  { message }: Tools,
  ctx: Ctx,
  db: TenantDb,
  input: InputOf<typeof liftIntegrity>,
): Promise<OutputOf<typeof liftIntegrity> | Refusal> => {
  const row = await open(db, input.id, input.version)
  if (isRefusal(row)) return row
  const to = step(integrityMachine, row.state, 'lift')
  if (to === undefined || row.listedId === null) return refuseSignup('integrity/decided', {})
  await refuseSamePerson(db, 'integrityLift', sessionOf(ctx).userId, [row.decidedById])
  await endEntry(db, row.listedId, toWireDay(db.now))
  if (!(await transition(db, 'integrity_case', row.id, { from: row.state, to }))) return refuse('kernel/changed-meanwhile', {})
  const reason = input.reason.trim()
  await audit(db, ctx, { action: 'integrity.lifted', entity: 'signup', entityId: row.signupId, before: { level: row.level }, reason })
  await message.notify(db, {
    ...{ userId: row.userId, examId: row.examId, kind: 7, link, eventKey: `integrity-lifted:${row.id}` },
    title: { zh: '诚信档案记录已解除', en: 'The record of integrity is lifted' },
    content: { zh: `您的诚信档案记录已解除。说明：${reason}。`, en: `Your record is lifted. The office says: ${reason}.` },
  })
  return { id: row.id, state: integrityMachine.wire[to] }
}

const nothingHeard = {
  ...{ statement: null, statementWay: null, statementTime: null, notedBy: null, confirmed: null, confirmedBy: null, statementFiles: [] },
}
const because = 'cases belong to the office; a person reads and answers those about themselves'

/** What is proposed for the archive about the caller, or was decided. */
export const readOwnCases = (tools: HearingTools, ctx: Ctx) =>
  ctx.asSystem(because, async db => {
    const shown = []
    for (const row of await listOwnCases(db, sessionOf(ctx).userId)) {
      const hearing = await findHearing(db, 'integrity_case', row.id)
      const exam = await findExam(db, row.examId)
      shown.push({
        ...{ id: row.id, examId: row.examId, examName: row.examName, contactPhone: exam?.contactPhone ?? '' },
        ...{
          state: integrityMachine.wire[row.state],
          reason: row.reason,
          time: toWireTime(row.proposedAt),
          answerUntil: toWireTime((await daysToAnswer(tools, db, 'integrity_case', { ...row, createdAt: row.proposedAt })).until),
        },
        ...(hearing ? heardOf(tools, ctx, hearing) : nothingHeard),
        ...{ decision: row.decision, decidedTime: row.decidedAt && toWireTime(row.decidedAt), endDate: row.endDate },
      })
    }
    return shown
  })

/** Keeps the answer and tells whoever decides. Refusals: those of `answerOwn`. */
export const answerCase = (tools: HearingTools, ctx: Ctx, input: InputOf<typeof answerIntegrity>) =>
  ctx.asSystem(because, async db => {
    const answered = await answerOwn(tools, db, ctx, integrityHearing, input)
    for (const userId of await listOfficers(db, answered.examId, 'admin'))
      await tools.message.notify(db, {
        ...{
          userId,
          examId: answered.examId,
          kind: 7,
          link: '/examine/integrity',
          eventKey: `integrity-answered:${answered.id}:${db.now.getTime()}`,
        },
        title: { zh: '考生提交了陈述申辩', en: 'Somebody answered to a proposal against them' },
        content: {
          zh: '诚信档案待决定的事项有新的本人陈述，请查看。',
          en: 'A case for the archive of integrity has an answer of the person.',
        },
      })
    return { id: answered.id, statedTime: toWireTime(db.now) }
  })

export const noteCase = async (tools: HearingTools, db: TenantDb, ctx: Ctx, input: InputOf<typeof noteIntegrity>) => {
  const { id, confirmed } = await noteHeard(tools, db, ctx, integrityHearing, input)
  return { id, confirmed }
}
export const confirmCase = async (tools: HearingTools, db: TenantDb, ctx: Ctx, input: InputOf<typeof confirmIntegrity>) => {
  const answer = await confirmHeard(tools, db, ctx, integrityHearing, input)
  return isRefusal(answer) ? answer : { id: answer.id, confirmed: answer.confirmed }
}
