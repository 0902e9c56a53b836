import { dateProblem } from '#contract/kernel/date-facts.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { proposalKinds, subjectOf } from '#contract/kernel/proposals.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { TwoPersonKind } from '#contract/kernel/two-persons.ts'
import { fromWireTime, toEndMinute, toWireTime } from '#contract/kernel/when.ts'
import { inAccount, statementWays } from '#contract/signup/hearing.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { passAlone, refuseSamePerson } from '#kernel/two-persons.ts'
import type { FileModule } from '#modules/file/index.ts'
import type { MessageModule, Notice } from '#modules/message/index.ts'
import type { Services } from '#server/services.ts'
import {
  countTry,
  findHearing,
  type Hearing,
  type HearingTable,
  lockHearing,
  openState,
  proposalOf,
  storeConfirmed,
  storeNoted,
  storeOwnAnswer,
} from '../data/hearing.repo.ts'

export interface HearingTools {
  readonly services: Services
  readonly message: Pick<MessageModule, 'notify' | 'sendSmsTo' | 'tell' | 'toldAt'>
  readonly file: Pick<FileModule, 'keepUpload' | 'linkFor'>
}

/** What a kind of proposal is called, and where it lies. */
export interface HearingKind {
  readonly table: HearingTable
  readonly label: Label
  /** First part of the codes in the trail. */
  readonly trail: string
  readonly link: string
  /** Act of the second official who has seen the signed paper. */
  readonly paper: TwoPersonKind
}

const minuteMs = 60_000
const mostTries = 5

/** Tells a person of a proposal by every way that it has: the text message says what and until when, the message in the account all of it. */
export const tellOfProposal = async (
  { message }: { readonly message: Pick<MessageModule, 'tell'> },
  db: TenantDb,
  of: { readonly table: HearingTable; readonly id: string; readonly examName: string; readonly answerUntil: Date; readonly notice: Notice },
): Promise<void> => {
  const kind = proposalOf[of.table]
  await message.tell(db, {
    ...{ subject: subjectOf(kind, of.id), template: 'proposal-made', notice: of.notice },
    params: { exam: of.examName, what: proposalKinds[kind].label.zh, deadline: toEndMinute(of.answerUntil) },
  })
}

/**
 * Until when the person may answer: as many days as were given, counted from when they were told.
 * @returns `isTold` false while the days have not begun; `until` is then what was written when it was proposed
 */
export const daysToAnswer = async (
  { message }: { readonly message: Pick<MessageModule, 'toldAt'> },
  db: TenantDb,
  table: HearingTable,
  of: { readonly id: string; readonly createdAt: Date; readonly answerUntil: Date },
): Promise<{ readonly until: Date; readonly isTold: boolean }> => {
  const at = await message.toldAt(db, subjectOf(proposalOf[table], of.id))
  if (at === null) return { until: of.answerUntil, isTold: false }
  const late = at === undefined ? 0 : Math.max(0, at.getTime() - of.createdAt.getTime())
  return { until: new Date(of.answerUntil.getTime() + late), isTold: true }
}

/** Why it cannot be decided on yet for want of the person's word; undefined where they have answered, or had their days. */
export const unheardProblem = async (
  tools: { readonly message: Pick<MessageModule, 'toldAt'> },
  db: TenantDb,
  table: HearingTable,
  of: { readonly id: string; readonly createdAt: Date; readonly answerUntil: Date },
  early: (time: string) => Refusal,
): Promise<Refusal | undefined> => {
  const { until, isTold } = await daysToAnswer(tools, db, table, of)
  if (!isTold) return refuseSignup('hearing/untold', {})
  return db.now < until ? early(toEndMinute(until)) : undefined
}

/** What was answered, for whoever reads it. */
export const heardOf = (tools: Pick<HearingTools, 'file'>, ctx: Ctx, of: Hearing) => ({
  statement: of.statement,
  statementWay: of.statementWay,
  statementTime: of.statementAt && toWireTime(of.statementAt),
  notedBy: of.notedBy,
  confirmed: of.confirmed,
  confirmedBy: of.confirmedBy,
  statementFiles: of.statementFiles.map(({ fileId, name }) => ({
    name,
    link: tools.file.linkFor({ tenantId: ctx.tenantId, userId: sessionOf(ctx).userId }, fileId, ctx.arrivedAt),
  })),
})

/** Only what is the person's own, or confirmed by the person, ends the time to answer before its end. */
export const isHeard = (of: Pick<Hearing, 'statement' | 'confirmed'>): boolean => of.statement !== null && of.confirmed !== null

const open = async (db: TenantDb, { table }: HearingKind, id: string): Promise<Hearing> => {
  const found = await lockHearing(db, table, id)
  if (!found) throw new Refused(refuse('kernel/not-found', {}))
  if (found.state !== openState[table]) throw new Refused(refuseSignup('hearing/decided', {}))
  return found
}

/**
 * The person's own answer with files; what was sent before is replaced, files that came with it stay unless others come. Refusals: kernel/not-found, hearing/decided, what
 * an upload is refused for.
 */
export const answerOwn = async (
  tools: HearingTools,
  db: TenantDb,
  ctx: Ctx,
  kind: HearingKind,
  input: { readonly id: string; readonly statement: string },
): Promise<Hearing> => {
  const { userId } = sessionOf(ctx)
  const seen = await findHearing(db, kind.table, input.id)
  if (seen?.userId !== userId) throw new Refused(refuse('kernel/not-found', {}))
  const found = await open(db, kind, input.id)
  const files: { fileId: string; name: string }[] = []
  for (const file of ctx.files) {
    const kept = await tools.file.keepUpload(db, { file, userId, ownerKind: kind.table, ownerId: found.id, purpose: 'document' })
    files.push({ fileId: kept.id, name: file.name })
  }
  await storeOwnAnswer(db, kind.table, found.id, {
    statement: input.statement.trim(),
    files: files.length > 0 ? files : found.statementFiles,
  })
  await audit(db, ctx, {
    action: `${kind.trail}-answered`,
    entity: 'signup',
    entityId: found.signupId,
    after: { proposal: found.id, files: files.length },
  })
  return open(db, kind, found.id)
}

/** Six digits that only this statement has. */
const codeOf = ({ services }: HearingTools, tenantId: string, { table }: HearingKind, of: Hearing): string => {
  const digest = services.cipher.blindIndex(
    tenantId,
    'statement',
    `${table}:${of.id}:${of.statementAt?.getTime() ?? 0}:${of.statement ?? ''}`,
  )
  return String(Number.parseInt(digest.slice(0, 12), 16) % 1_000_000).padStart(6, '0')
}

/**
 * Staff note what the person said. It is shown as noted, by whom and how; the person's phone gets it with a code that confirms it, and until then it shortens nothing.
 *
 * Refusals: kernel/not-found, hearing/decided, hearing/own, hearing/how.
 */
export const noteHeard = async (
  tools: HearingTools,
  db: TenantDb,
  ctx: Ctx,
  kind: HearingKind,
  input: { readonly id: string; readonly statement: string; readonly statementWay: number; readonly statementTime: string },
): Promise<Hearing> => {
  const found = await open(db, kind, input.id)
  if (found.statementWay === inAccount) throw new Refused(refuseSignup('hearing/own', {}))
  const at = fromWireTime(input.statementTime)
  const begin = new Date(found.createdAt.getTime() - minuteMs + 1)
  if (!at || dateProblem('statementTime', at, { begin, now: db.now })) throw new Refused(refuseSignup('hearing/how', {}))
  const { realName } = sessionOf(ctx)
  const statement = input.statement.trim()
  await storeNoted(db, kind.table, found.id, { statement, way: input.statementWay, at, byName: realName })
  await audit(db, ctx, {
    action: `${kind.trail}-noted`,
    entity: 'signup',
    entityId: found.signupId,
    after: { proposal: found.id, way: input.statementWay, at: input.statementTime },
  })
  const noted = await open(db, kind, found.id)
  const code = codeOf(tools, ctx.tenantId, kind, noted)
  await tools.message.sendSmsTo(db, { userId: found.userId, examId: found.examId }, 'statement-code', {
    what: kind.label.zh,
    statement: statement.length > 60 ? `${statement.slice(0, 60)}…` : statement,
    code,
  })
  const way = statementWays[input.statementWay as keyof typeof statementWays]
  await tools.message.notify(db, {
    ...{ userId: found.userId, examId: found.examId, kind: 7, link: kind.link, needSure: true },
    eventKey: `${kind.table}:noted:${found.id}:${db.now.getTime()}`,
    title: { zh: '工作人员登记了您的陈述，请核对', en: 'The office noted what you said: please check it' },
    content: {
      zh: `${realName}登记您于 ${input.statementTime.slice(0, 16)} ${way.zh}陈述：“${statement.slice(0, 300)}”。未经您确认，答复期限不会缩短；您也可以在线自行陈述。`,
      en: `${realName} noted that you said (${way.en}, ${input.statementTime.slice(0, 16)}): “${statement.slice(0, 300)}”. Unless you confirm it, your time to answer stays; you may also answer here yourself.`,
    },
  })
  return noted
}

/**
 * What staff noted is confirmed: by the code that was sent to the person's phone, or by a signed paper that another official has seen.
 *
 * @returns a refusal that keeps the try of a wrong code: hearing/code, hearing/tries
 * Refusals thrown: kernel/not-found, hearing/decided, hearing/nothing, kernel/two-persons-own.
 */
export const confirmHeard = async (
  tools: HearingTools,
  db: TenantDb,
  ctx: Ctx,
  kind: HearingKind,
  input: { readonly id: string; readonly code?: string; readonly paper?: string },
): Promise<Hearing | Refusal> => {
  const found = await open(db, kind, input.id)
  const { userId, realName } = sessionOf(ctx)
  if (found.statement === null || found.notedById === null || found.confirmed !== null)
    throw new Refused(refuseSignup('hearing/nothing', {}))
  const paper = input.paper?.trim() || null
  if (paper === null) {
    if (found.tries >= mostTries) return refuseSignup('hearing/tries', {})
    if (input.code !== codeOf(tools, ctx.tenantId, kind, found)) {
      await countTry(db, kind.table, found.id)
      return refuseSignup('hearing/code', {})
    }
    passAlone(db, kind.paper, 'own')
  } else await refuseSamePerson(db, kind.paper, userId, [found.notedById])
  const how = paper === null ? 'code' : 'paper'
  await storeConfirmed(db, kind.table, found.id, { how, name: realName, paper })
  await audit(db, ctx, {
    action: `${kind.trail}-confirmed`,
    entity: 'signup',
    entityId: found.signupId,
    after: { proposal: found.id, how, ...(paper === null ? {} : { paper }), notedBy: found.notedBy },
  })
  return open(db, kind, found.id)
}
