import { refuseExam } from '#contract/exam/exam.errors.ts'
import { examLabel } from '#contract/exam/exam.labels.ts'
import { examItem, signFile, signItem, typeCode } from '#contract/exam/exam.resources.ts'
import { examFieldNames, newExamFields } from '#contract/exam/exam.routes.ts'
import { reversedWindows } from '#contract/exam/window.ts'
import { isFor } from '#contract/file/file-use.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { nounOf } from '#contract/kernel/field-rule.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { Resource } from '#contract/kernel/resource.ts'
import { endOfWindow, fromWireTime } from '#contract/kernel/when.ts'
import { audit } from '#kernel/audit.ts'
import { duplicateValue, duplicateValues } from '#kernel/crud/duplicate.ts'
import type { Row } from '#kernel/crud/rows.ts'
import type { FieldCipher } from '#kernel/crypto/field.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, type Handler, Refused, sessionOf } from '#kernel/http/context.ts'
import { withoutUnseen } from '#kernel/http/field-rule.ts'
import { checkerOf } from '#kernel/http/input.ts'
import { cleanRichText } from '#kernel/rich-text.ts'
import type { FileModule } from '#modules/file/index.ts'
import { copyRows } from '../data/child.repo.ts'
import { type ExamRow, findExam } from '../data/exam.repo.ts'
import { addChanges, findLastWriter, findTaken, insertExam, updateExam } from '../data/exam-write.repo.ts'
import { listPapers, movePapers } from '../data/paper.repo.ts'
import { judgeReleasedEdit } from '../domain/edit-released.ts'
import { drawSeeds } from './draw-seeds.ts'
import { stateLabel } from './exam-guard.ts'
import { settleOwners } from './exam-owners.ts'
import type { Nouns } from './nouns.ts'
import { childRows } from './read-exam.ts'
import type { CloseHook } from './release-exam.ts'
import { lockReleasable } from './release-problems.ts'

type Input = Readonly<Record<string, unknown>>

const times = new Set(examFieldNames.filter(name => /(Begin|End)$/.test(name)) as string[])
const flags = new Set([
  'allowForeignCard',
  'allowPassport',
  'residencyFresh',
  'residencyMaster',
  'allowSecond',
  'allowChangePost',
  'allowSameReviewer',
  'hideCounts',
  'needSignature',
])
const decimals = new Set(['writtenWeight', 'interviewWeight', 'passScore', 'interviewPass'])

/** The fields of the body as the repository stores them: instants, booleans, decimals with two places. */
const valuesOf = (input: Input): Record<string, unknown> => {
  const values: Record<string, unknown> = {}
  for (const name of examFieldNames) {
    const value = input[name]
    // Whether adjustment is asked about is a matter of the form: the database keeps the answer (migration 0447).
    if (value === undefined || name === 'allowAdjust') continue
    if (times.has(name) && typeof value === 'string') {
      const instant = fromWireTime(value)
      const { zh, en } = examLabel(name)
      if (!instant) throw new Refused(refuseField(name, { zh: `${zh}不是有效时间`, en: `${en}: no such time` }))
      values[name] = name.endsWith('End') ? endOfWindow(instant) : instant
    } else if (flags.has(name)) values[name] = value === 1
    else if (decimals.has(name)) values[name] = value === null ? null : Number(value).toFixed(2)
    else if (name === 'description' && typeof value === 'string') values[name] = cleanRichText(value)
    else values[name] = value
  }
  return values
}

const checkNew = checkerOf(newExamFields as never)
const msOf = (value: unknown): number | null => (value instanceof Date ? value.getTime() : null)

/** What is released already is judged as a whole. */
const refuseReversed = (exam: Record<string, unknown>): void => {
  const [reversed] = reversedWindows(Object.fromEntries([...times].map(name => [name, msOf(exam[name])])))
  if (reversed) throw new Refused(refuseField(reversed.field, reversed.message))
}

const refuseWrong = async (db: TenantDb, exam: Record<string, unknown>, id: string | undefined): Promise<void> => {
  const weights = Number(exam['writtenWeight'] ?? 50) + Number(exam['interviewWeight'] ?? 50)
  if (weights !== 100)
    throw new Refused(refuseField('writtenWeight', { zh: '笔试与面试权重之和须为 100', en: 'The weights must sum to 100' }))
  const taken = await findTaken(
    db,
    { examName: exam['examName'], examCode: exam['examCode'], year: exam['year'], examNo: exam['examNo'] },
    id,
  )
  if (!taken) return
  const fields = [...(taken.name ? ['examName'] : []), ...(taken.code ? ['examCode'] : []), ...(taken.no ? ['examNo'] : [])]
  throw new Refused(duplicateValues(fields.map(field => ({ field, label: examLabel(field), value: String(exam[field]) }))))
}

/** An examination of another department has the name, code or number, and the writer cannot see it: the key itself says so. */
const told = async <T>(exam: Input, write: Promise<T>): Promise<T> => {
  try {
    return await write
  } catch (error) {
    const field = takenBy[String((error as { constraint?: unknown }).constraint ?? '')]
    throw field === undefined ? error : new Refused(duplicateValue(field, examLabel(field), String(exam[field])))
  }
}
const takenBy: Readonly<Record<string, string>> = {
  examination_name_uq: 'examName',
  examination_code_uq: 'examCode',
  examination_no_uq: 'examNo',
}

const plain = (exam: Input): Record<string, unknown> => Object.fromEntries(examFieldNames.map(name => [name, exam[name]]))

/** Whether the named fields of a nested row differ from what is stored. */
const differs = (stored: Row, sent: Input): boolean =>
  Object.entries(sent).some(([name, value]) => {
    if (name === 'id' || name === 'version' || name === 'examId') return false
    const [a, b] = [stored[name] ?? null, value === '' ? null : (value ?? null)]
    return (
      JSON.stringify(a) !== JSON.stringify(b) && !(typeof a === 'string' && typeof b === 'string' && a !== '' && Number(a) === Number(b))
    )
  })

/** Upserts a nested list by id; what the body no longer names is deleted unless used (domain 5.1). */
const saveList = async (
  ctx: Ctx,
  db: TenantDb,
  examId: string,
  list: { readonly resource: Resource; readonly handlers: readonly Handler[] },
  rows: readonly Input[],
): Promise<boolean> => {
  const handlerOf = (verb: string) => list.handlers.find(handler => handler.route.path.endsWith(`/${verb}`))
  const [submit, remove] = [handlerOf('submit'), handlerOf('remove')]
  if (!submit || !remove) throw new Error(`${list.resource.name} cannot be nested`)
  const stored = new Map((await childRows(db, list.resource, examId)).map(row => [String(row['id']), row]))
  const kept = new Set(rows.map(row => String(row['id'] ?? '')))
  const gone = [...stored.keys()].filter(id => !kept.has(id))
  if (gone.length > 0) await remove.run({ ctx, db, input: { ids: gone.join(',') } as never })
  let changed = gone.length > 0
  const noun = nounOf(list.resource)
  for (const { examId: _, ...sent } of rows) {
    const before = stored.get(String(sent['id'] ?? ''))
    if (sent['id'] && !before) throw new Refused(refuse('kernel/not-found', {}))
    // What the writer does not see in full stays as it is (ADR 0064); a new row has nothing that could be told.
    const row = before ? withoutUnseen(ctx.session, noun, sent) : sent
    if (before && !differs(before, row)) continue
    changed = true
    await submit.run({ ctx, db, input: (before ? row : { ...row, id: '', examId }) as never })
  }
  return changed
}

const msOfDay = 86_400_000
const add = async (ctx: Ctx, db: TenantDb, input: Input): Promise<string> => {
  if (!ctx.session?.permissions.has('examination_add')) throw new Refused(refuse('kernel/forbidden', {}))
  const problems = checkNew(
    Object.fromEntries(Object.entries(input).filter(([name]) => examFieldNames.includes(name as never))),
    ctx.language,
  )
  const [first] = problems
  if (first)
    throw new Refused({ ...refuse('kernel/invalid-input', {}, { data: { fields: problems } }), text: { zh: first.msg, en: first.msg } })
  const values = await settleOwners(ctx, db, undefined, valuesOf(input))
  refuseReversed(values)
  await refuseWrong(db, values, undefined)
  // Whether the number of people decides on passed or on paid sign-ups follows from there being a fee (domain 3.1).
  const id = await told(values, insertExam(db, { ratioBasis: Number(values['feeMode'] ?? 0) === 0 ? 1 : 2, ...values }))
  if (typeof input['copyFrom'] === 'string') {
    const source = await findExam(db, input['copyFrom'])
    if (!source) throw new Refused(refuseExam('exam/no-exam', {}))
    // What the body lists itself is not copied besides.
    const copiesPapers = !Array.isArray(input['examitems'])
    const copied = [
      ...(Array.isArray(input['signitems']) ? [] : [signItem]),
      ...(Array.isArray(input['signfiles']) ? [] : [signFile]),
      ...(copiesPapers ? [examItem] : []),
      typeCode,
    ]
    for (const resource of copied) await copyRows(db, resource, source.id, id)
    // Papers are as long after the sign-up as they were: their days move with it.
    const [was, begins] = [source.signBegin, values['signBegin']]
    if (copiesPapers && was !== null && begins instanceof Date)
      await movePapers(db, id, Math.round((begins.getTime() - was.getTime()) / msOfDay))
  }
  return id
}

/** Who passes follows from these. */
const passLines = ['passScore', 'interviewPass'] as const
const comma = { zh: '、', en: ', ' } as const

const edit = async (ctx: Ctx, db: TenantDb, id: string, input: Input): Promise<ExamRow> => {
  if (!ctx.session?.permissions.has('examination_edit')) throw new Refused(refuse('kernel/forbidden', {}))
  const before = await lockReleasable(db, id)
  if (!before) throw new Refused(refuseExam('exam/no-exam', {}))
  if (input['version'] !== undefined && input['version'] !== before.version)
    throw new Refused(refuse('kernel/changed-meanwhile', {}, { data: { by: await findLastWriter(db, id) } }))
  if (before.state === 'closed' || before.state === 'archived')
    throw new Refused(refuseExam('exam/read-only', { state: stateLabel(before.state) }))
  const values = await settleOwners(ctx, db, before, valuesOf(input))
  const old = plain(before as unknown as Input)
  if (before.state === 'draft') refuseReversed({ ...old, ...values })
  await refuseWrong(db, { ...old, ...values }, id)
  const lines = passLines.filter(name => values[name] !== undefined && Number(values[name]) !== Number(old[name]))
  // People have read who passed: a line moves only while nobody has.
  if (lines.length > 0 && (await listPapers(db, id)).some(paper => paper.scoreState === 'released'))
    throw new Refused(refuseExam('exam/results-out', { fields: lines.map(name => ctx.say(examLabel(name))).join(ctx.say(comma)) }))
  if (before.state === 'released') {
    const verdict = judgeReleasedEdit(old, values, ctx.arrivedAt.getTime())
    const names = (labels: readonly Label[]) => labels.map(ctx.say).join(ctx.say(comma))
    if (verdict.frozen.length > 0) throw new Refused(refuseExam('exam/frozen', { fields: names(verdict.frozen) }))
    if (verdict.shortened.length > 0) throw new Refused(refuseExam('exam/shortened', { fields: names(verdict.shortened) }))
    await addChanges(db, id, verdict.changes)
  }
  await told({ ...old, ...values }, updateExam(db, id, values))
  return before
}

/** The call says whether adjustment is asked about; whether it is, the form says. */
const refuseOtherAnswer = (input: Input, exam: ExamRow | undefined): void => {
  if (input['allowAdjust'] === undefined || exam === undefined || (input['allowAdjust'] === 1) === exam.allowAdjust) return
  throw new Refused(
    refuseField(
      'allowAdjust',
      exam.allowAdjust
        ? {
            zh: '报名表单里有“是否服从调剂”（adjust），请先从表单中移除',
            en: 'The form asks about adjustment (adjust): take that field out first',
          }
        : {
            zh: '报名表单里没有“是否服从调剂”（adjust），请先从报名项库加入',
            en: 'The form has no field about adjustment: add adjust from the library first',
          },
    ),
  )
}

interface SaveParts {
  readonly nouns: Nouns
  readonly cipher: FieldCipher
  readonly file: FileModule
  /** Work of other modules that follows when the end of payments moves, either way. */
  readonly moveHooks: readonly CloseHook[]
}

/** The cover that a call names anew: a picture that its caller has uploaded to be shown. */
const takeCover = async (
  file: FileModule,
  ctx: Ctx,
  db: TenantDb,
  examId: string | undefined,
  named: unknown,
): Promise<string | undefined> => {
  if (typeof named !== 'string' || named === '') return undefined
  if (examId !== undefined && (await findExam(db, examId))?.coverFileId === named) return undefined
  const found = await file.find(db, named)
  if (!isFor('examCover', found, { userId: sessionOf(ctx).userId, ownerId: examId ?? '0' }))
    throw new Refused(refuse('kernel/not-found', {}))
  return named
}

/** Adds or changes an examination together with its form, files and papers. */
export const saveExam = async (
  ctx: Ctx,
  db: TenantDb,
  { nouns, cipher, file, moveHooks }: SaveParts,
  input: Input,
): Promise<{ id: string }> => {
  const rawId = typeof input['id'] === 'string' && input['id'] !== '' ? input['id'] : undefined
  const cover = await takeCover(file, ctx, db, rawId, input['coverFileId'])
  const before = rawId === undefined ? undefined : await edit(ctx, db, rawId, input)
  const id = rawId ?? (await add(ctx, db, input))
  if (cover !== undefined) file.keep(db, [cover], sessionOf(ctx).userId, 'exam-cover', id)
  for (const name of ['signitems', 'signfiles', 'examitems'] as const) {
    const rows = input[name]
    if (Array.isArray(rows)) await saveList(ctx, db, id, nouns.nested[name], rows as Input[])
  }
  const after = await findExam(db, id)
  refuseOtherAnswer(input, after)
  if (after?.state === 'released') {
    await drawSeeds(db, cipher, id)
    if (before && before.payEnd?.getTime() !== after.payEnd?.getTime()) for (const hook of moveHooks) await hook(db, id)
  }
  await audit(db, ctx, {
    action: before ? 'examination.updated' : 'examination.added',
    entity: 'examination',
    entityId: id,
    ...(before ? { before: plain(before as unknown as Input) } : {}),
    after: after && plain(after as unknown as Input),
  })
  return { id }
}
