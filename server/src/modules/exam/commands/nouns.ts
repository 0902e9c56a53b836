import { refuseExam } from '#contract/exam/exam.errors.ts'
import { examItem, fileKind, item, signFile, signItem, typeCode, userCode } from '#contract/exam/exam.resources.ts'
import { paperScoreWire, paperTicketWire } from '#contract/exam/exam.state.ts'
import { checkPaper } from '#contract/exam/window.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { type Label, label } from '#contract/kernel/label.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { Resource } from '#contract/kernel/resource.ts'
import { fromWireTime } from '#contract/kernel/when.ts'
import { isSafePattern } from '#contract/signup/safe-pattern.ts'
import { type CrudSeams, crud, duplicateValue } from '#kernel/crud/crud.ts'
import type { FieldCipher } from '#kernel/crypto/field.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'
import type { Ctx, Handler } from '#kernel/http/context.ts'
import { snakeCase } from '#kernel/names.ts'
import type { ExamRow } from '../data/exam.repo.ts'
import { listPapers } from '../data/paper.repo.ts'
import { listPosts } from '../data/post.repo.ts'
import { knownUnits } from '../data/post-write.repo.ts'
import { hasSubmitted, refersToPost } from '../data/signup-facts.repo.ts'
import { majorNames, parseHukou, splitCell } from '../domain/post-conditions.ts'
import { overlappingPapers, type PaperFacts } from '../domain/release-check.ts'
import { majorCatalogue } from '../imports/major-catalogue.ts'
import { drawSeeds } from './draw-seeds.ts'
import { examForChange, isOffice, tellChange } from './exam-guard.ts'

type Row = Readonly<Record<string, unknown>>
const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
const wire = (value: unknown): unknown => (value instanceof Date ? value.getTime() : (value ?? null))
const isChanged = (before: Row, input: Row, name: string): boolean => {
  if (input[name] === undefined) return false
  const old = before[name]
  // Decimals come with all their places: 100.00 and 100 are the same mark.
  if (typeof old === 'string' && /^\d+\.\d+$/.test(old) && typeof input[name] === 'string') return Number(old) !== Number(input[name])
  const next = before[name] instanceof Date ? (fromWireTime(String(input[name])) ?? null) : input[name] === '' ? null : input[name]
  return JSON.stringify(wire(before[name])) !== JSON.stringify(wire(next))
}
const frozenAmong = (resource: Resource, ctx: Ctx, before: Row, input: Row, names: readonly string[]): Refusal | undefined => {
  const changed = names.filter(name => isChanged(before, input, name))
  if (changed.length === 0) return undefined
  const fields = changed.map(name => ctx.say(resource.fields[name]?.label ?? { zh: name, en: name })).join(ctx.say({ zh: '、', en: ', ' }))
  return refuseExam('exam/frozen', { fields }, { data: { fields: changed } })
}
/** Columns that have a default take it for a null; on a change a null leaves them alone. */
const withoutNulls = (input: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(input).filter(([name, value]) => !(names.includes(name) && value === null)))
const inUse = (what: string): Refusal => refuse('kernel/in-use', { what })

/** A key may stand once in an examination. */
const refuseTaken = async (
  db: TenantDb,
  resource: Resource,
  name: string,
  examId: string,
  input: Row,
  before: Row | undefined,
): Promise<Refusal | undefined> => {
  if (input[name] === undefined) return undefined
  const taken = await db.maybe(sql`
    select 1 from ${sql.table(resource.table)} where exam_id = ${examId} and ${sql.ref(snakeCase(name))} = ${input[name]} and not is_deleted
      and id <> ${textOf(before?.['id']) || '0'} limit 1`)
  if (!taken) return undefined
  return duplicateValue(name, resource.fields[name]?.label ?? label(name, name), textOf(input[name]))
}

interface Child {
  readonly resource: Resource
  readonly key: string
  readonly noun: Label
  /** The name people see in change lines. */
  readonly title: (row: Row) => string
  readonly defaults: readonly string[]
  readonly judge: (call: {
    ctx: Ctx
    db: TenantDb
    exam: ExamRow
    input: Row
    before: Row | undefined
  }) => Promise<Row | Refusal | undefined>
  readonly refuseRemove: (call: { ctx: Ctx; db: TenantDb; exam: ExamRow; row: Row }) => Promise<Refusal | undefined>
  readonly afterWrite?: (call: { db: TenantDb; exam: ExamRow; after: Row | undefined }) => Promise<void>
  readonly present?: (row: Row) => Row
  /** Narrows what a member of staff outside the office sees. */
  readonly scope?: (ctx: Ctx) => RawBuilder<unknown> | undefined
}

/** Whatever hangs on an examination is guarded by its state, and once it is public every change leaves a line. */
const seamsOf = (child: Child): CrudSeams => ({
  visible: ctx =>
    isOffice(ctx)
      ? undefined
      : allOf([sql`exam_id in (select id from examination where state <> 'draft' and not is_deleted)`, child.scope?.(ctx)]),
  prepare: async ({ ctx, db, input, before }) => {
    const exam = await examForChange(db, textOf(before?.['examId'] ?? input['examId']))
    const clean = withoutNulls(input, child.defaults)
    const taken = await refuseTaken(db, child.resource, child.key, exam.id, clean, before)
    if (taken) return taken
    return (await child.judge({ ctx, db, exam, input: clean, before })) ?? clean
  },
  refuseRemove: async ({ ctx, db, rows }) => {
    for (const row of rows) {
      const exam = await examForChange(db, textOf(row['examId']))
      const refusal = await child.refuseRemove({ ctx, db, exam, row })
      if (refusal) return refusal
    }
    return undefined
  },
  afterWrite: async ({ db, before, after }) => {
    const exam = await examForChange(db, textOf((after ?? before)?.['examId']))
    const what = child.title(after ?? before ?? {})
    const verb = !before ? { zh: '新增', en: 'Added' } : after ? { zh: '修改', en: 'Changed' } : { zh: '删除', en: 'Removed' }
    const reason = textOf(after?.['changeReason'])
    await tellChange(db, exam, {
      zh: `${verb.zh}${child.noun.zh}“${what}”${reason && before ? `：${reason}` : ''}`,
      en: `${verb.en}: ${child.noun.en} “${what}”${reason && before ? ` (${reason})` : ''}`,
    })
    await child.afterWrite?.({ db, exam, after })
  },
  ...(child.present ? { present: (_ctx: Ctx, row: Row) => child.present?.(row) ?? row } : {}),
})

const form: Child = {
  resource: signItem,
  key: 'itemKey',
  noun: { zh: '报名项', en: 'form field' },
  title: row => textOf(row['itemLabel']),
  defaults: ['sensitive', 'required', 'lockAfterPass', 'reviewerVisible', 'useInTicket', 'useInExport', 'useInReport', 'sort'],
  judge: async ({ ctx, db, exam, input, before }) => {
    const pattern = refusePattern(input)
    if (pattern) return pattern
    if (input['itemsId'] && !before) {
      const live = await db.maybe(sql`select 1 from item where id = ${input['itemsId']} and status = 1 and not is_deleted`)
      if (!live) return refuse('kernel/not-found', {})
    }
    if (!(await hasSubmitted(db, exam.id))) return undefined
    if (!before)
      return input['required'] === 1
        ? refuseExam('exam/frozen', { fields: ctx.say(signItem.fields.required.label) }, { data: { fields: ['required'] } })
        : undefined
    const madeRequired = input['required'] === 1 && before['required'] === 0 ? ['required'] : []
    return frozenAmong(signItem, ctx, before, input, ['itemKey', 'fieldType', 'dictCode', 'columns', 'sensitive', ...madeRequired])
  },
  refuseRemove: async ({ db, exam, row }) => ((await hasSubmitted(db, exam.id)) ? inUse(textOf(row['itemLabel'])) : undefined),
}

const fileList: Child = {
  resource: signFile,
  key: 'fileKey',
  noun: { zh: '材料', en: 'required file' },
  title: row => textOf(row['fileLabel']),
  defaults: ['accept', 'maxKb', 'minKb', 'maxCount', 'required', 'stage', 'watermark', 'sort'],
  judge: async ({ ctx, db, exam, input, before }) => {
    if (!(await hasSubmitted(db, exam.id))) return undefined
    if (!before)
      return input['required'] === 1 && input['stage'] !== 2
        ? refuseExam('exam/frozen', { fields: ctx.say(signFile.fields.required.label) }, { data: { fields: ['required'] } })
        : undefined
    const madeRequired = input['required'] === 1 && before['required'] === 0 ? ['required'] : []
    return frozenAmong(signFile, ctx, before, input, ['fileKey', 'kind', 'stage', ...madeRequired])
  },
  refuseRemove: async ({ db, exam, row }) => ((await hasSubmitted(db, exam.id)) ? inUse(textOf(row['fileLabel'])) : undefined),
}

const invalidField = (field: string, text: Label, ctx: Ctx): Refusal => ({
  ...refuse('kernel/invalid-input', {}, { data: { fields: [{ field, msg: ctx.say(text) }] } }),
  text,
})

const isoTime = (value: unknown, fallback: unknown): Date | undefined =>
  typeof value === 'string' ? fromWireTime(value) : fallback instanceof Date ? fallback : undefined

const paperOf = (cipher: FieldCipher): Child => ({
  resource: examItem,
  key: 'itemCode',
  noun: { zh: '科目', en: 'paper' },
  title: row => textOf(row['itemName']),
  defaults: ['lateMinutes', 'fullScore', 'weight', 'feeFen', 'typeCodes', 'rooms', 'sort'],
  judge: async ({ ctx, db, exam, input, before }) => {
    const [start, end] = [isoTime(input['startTime'], before?.['startTime']), isoTime(input['endTime'], before?.['endTime'])]
    if (!start || !end) return invalidField('endTime', { zh: '结束时间须晚于开始时间', en: 'It must end after it begins' }, ctx)
    const report = input['reportTime'] === null || input['reportTime'] === '' ? null : isoTime(input['reportTime'], before?.['reportTime'])
    if (typeof input['reportTime'] === 'string' && report === undefined)
      return invalidField('reportTime', { zh: '最迟报到时间不正确', en: 'The latest report is no valid time' }, ctx)
    const mark = (name: 'fullScore' | 'passScore'): string => textOf(input[name] === undefined ? before?.[name] : input[name])
    const [problem] = checkPaper({
      startTime: start.getTime(),
      endTime: end.getTime(),
      reportTime: report?.getTime() ?? null,
      fullScore: mark('fullScore') || '100',
      passScore: mark('passScore') || null,
    })
    if (problem) return invalidField(problem.field, problem.message, ctx)
    for (const name of ['typeCodes', 'rooms'] as const)
      if (input[name] !== undefined && !Array.isArray(input[name]))
        return invalidField(
          name,
          { zh: `${examItem.fields[name].label.zh}格式不正确`, en: `${examItem.fields[name].label.en} must be a list` },
          ctx,
        )
    if (before) {
      const seated =
        before['ticketState'] === 'none' ? [] : ['itemCode', 'itemType', 'startTime', 'endTime', 'typeCodes', 'seatGroup', 'rooms']
      const scored = before['scoreState'] === 'none' ? [] : ['itemCode', 'itemType', 'fullScore', 'weight']
      const paid = exam.state === 'released' && exam.feeMode === 2 ? ['feeFen'] : []
      const refusal = frozenAmong(examItem, ctx, before, input, [...new Set([...seated, ...scored, ...paid])])
      if (refusal) return refusal
    }
    if (exam.state === 'draft') return undefined
    const code = textOf(input['itemCode'] ?? before?.['itemCode'])
    const self: PaperFacts = {
      itemName: textOf(input['itemName'] ?? before?.['itemName']),
      itemCode: code,
      itemType: 1,
      startTime: start.getTime(),
      endTime: end.getTime(),
      typeCodes: (input['typeCodes'] ?? before?.['typeCodes'] ?? []) as string[],
      feeFen: 0,
    }
    const others = (await listPapers(db, exam.id)).filter(paper => paper.id !== before?.['id'])
    const clash = overlappingPapers(
      [
        self,
        ...others.map(paper => ({ ...paper, startTime: paper.startTime.getTime(), endTime: paper.endTime.getTime(), reportTime: null })),
      ],
      await listPosts(db, exam.id),
    ).find(pair => pair.some(paper => paper === self))
    return clash && refuseExam('exam/overlap', { papers: clash.map(paper => paper.itemName).join('、') })
  },
  refuseRemove: async ({ row }) =>
    row['ticketState'] === 'none' && row['scoreState'] === 'none' ? undefined : inUse(textOf(row['itemName'])),
  afterWrite: async ({ db, exam, after }) => {
    if (exam.state === 'released' && after) await drawSeeds(db, cipher, exam.id)
  },
  present: row => ({
    ...row,
    ticketState: paperTicketWire[row['ticketState'] as keyof typeof paperTicketWire],
    scoreState: paperScoreWire[row['scoreState'] as keyof typeof paperScoreWire],
  }),
})

const conditionFields = [
  'planNum',
  'bornFrom',
  'bornTo',
  'sex',
  'educations',
  'degrees',
  'majors',
  'majorText',
  'fresh',
  'political',
  'hukou',
  'cert',
  'title',
  'minWorkYears',
  'otherText',
  'itemCodes',
  'feeFen',
] as const

const hukouMax = 60
const isHukou = (value: object): boolean =>
  'text' in value && typeof value.text === 'string' && 'prefixes' in value && Array.isArray(value.prefixes)
/** Majors and household as a person types them, read as the workbook reads its cells (T1): without codes the published names count. */
const typedConditions = (ctx: Ctx, input: Row, before: Row | undefined): Row | Refusal => {
  let next = input
  const given = input['majors']
  // What nobody touched stays as it is.
  if (before === undefined || isChanged(before, input, 'majors') || isChanged(before, input, 'majorText')) {
    const majors = given === undefined ? before?.['majors'] : given
    const catalogue = majorCatalogue()
    const typed = typeof majors === 'string' ? splitCell(majors.toUpperCase()) : []
    const unknown = typed.find(code => !catalogue.has(code))
    if (unknown !== undefined) return invalidField('majors', { zh: `专业代码不存在: ${unknown}`, en: `There is no major ${unknown}` }, ctx)
    const kept = Array.isArray(majors) && majors.some(major => textOf(major?.code) !== '') ? majors : undefined
    const named = majorNames(textOf(input['majorText'] === undefined ? before?.['majorText'] : input['majorText']))
    next = {
      ...next,
      majors:
        kept ?? (typed.length > 0 ? typed.flatMap(code => catalogue.get(code) ?? []) : named.map(name => ({ code: '', name, level: '' }))),
    }
  }
  const hukou = input['hukou']
  if (typeof hukou === 'string') {
    if (Array.from(hukou.trim()).length > hukouMax)
      return invalidField('hukou', { zh: `户籍要求最多 ${hukouMax} 个字`, en: `At most ${hukouMax} characters` }, ctx)
    next = { ...next, hukou: parseHukou(hukou.trim()) }
  } else if (hukou !== undefined && hukou !== null && !isHukou(hukou))
    return invalidField('hukou', { zh: '户籍要求格式不正确', en: 'The household must be a text' }, ctx)
  return next
}

/** What a post that is typed must keep, as the workbook's rows do (domain 5.9, T1): a reversed bound would turn everybody away. */
const refusePost = async (ctx: Ctx, db: TenantDb, exam: ExamRow, input: Row, before: Row | undefined): Promise<Refusal | undefined> => {
  const of = (name: string): unknown => (input[name] === undefined ? before?.[name] : input[name])
  const [from, to] = [textOf(of('bornFrom')), textOf(of('bornTo'))]
  if (from !== '' && to !== '' && from > to)
    return invalidField('bornTo', { zh: '出生日期的下限晚于上限', en: 'The earliest birth date is later than the latest' }, ctx)
  const unit = textOf(of('unit'))
  const isNew = (name: string): boolean => before === undefined || isChanged(before, input, name)
  if (isNew('unit') || isNew('unitName')) {
    const known = (await knownUnits(db)).find(one => one.code === unit)
    if (known && known.name !== textOf(of('unitName')))
      return invalidField('unitName', { zh: `单位代码 ${unit} 已是 ${known.name}`, en: `Unit code ${unit} is ${known.name}` }, ctx)
  }
  if (!isNew('itemCodes')) return undefined
  const papers = await listPapers(db, exam.id)
  const codes = Array.isArray(of('itemCodes')) ? (of('itemCodes') as unknown[]).map(textOf) : []
  const unknown = codes.find(code => !papers.some(paper => paper.itemCode === code))
  if (unknown !== undefined)
    return invalidField('itemCodes', { zh: `科目代码在本考试不存在: ${unknown}`, en: `There is no paper ${unknown}` }, ctx)
  if (exam.state === 'draft') return undefined // The release check names every clash at once.
  const times = papers.map(paper => ({
    ...paper,
    startTime: paper.startTime.getTime(),
    endTime: paper.endTime.getTime(),
    reportTime: null,
  }))
  const [clash] = overlappingPapers(times, [{ code: textOf(of('code')), itemCodes: codes, feeFen: 0 }])
  if (!clash) return undefined
  const names = clash.map(paper => paper.itemName).join('、')
  const text = { zh: `所选科目时间重叠：${names}，考生不能同时参加`, en: `These papers are at the same time: ${names}` }
  return invalidField('itemCodes', text, ctx)
}

const post: Child = {
  resource: typeCode,
  key: 'code',
  noun: { zh: '岗位', en: 'post' },
  title: row => `${textOf(row['code'])} ${textOf(row['codeName'])}`,
  defaults: ['maxSign', 'postState', 'sex', 'fresh', 'itemCodes', 'feeFen', 'sort'],
  judge: async ({ ctx, db, exam, input: raw, before }) => {
    const input = typedConditions(ctx, raw, before)
    if (isRefusal(input)) return input
    for (const [name, value] of Object.entries({ ...before, ...input }))
      if ((name === 'majors' || name === 'political' || name === 'cert' || name === 'itemCodes') && value !== null && !Array.isArray(value))
        return invalidField(
          name,
          { zh: `${typeCode.fields[name].label.zh}格式不正确`, en: `${typeCode.fields[name].label.en} must be a list` },
          ctx,
        )
    const wrong = await refusePost(ctx, db, exam, input, before)
    if (wrong) return wrong
    if (!before) return { ...input, curNum: input['planNum'] }
    // A unit's own people mend how they are reached, and nothing else (domain 2.2).
    if (!isOffice(ctx)) {
      const others = Object.keys(input).filter(name => name !== 'phone' && isChanged(before, input, name))
      return others.length > 0 ? refuse('kernel/forbidden', {}, { data: { fields: others } }) : input
    }
    const [maxSign, used] = [Number(input['maxSign'] ?? before['maxSign']), Number(before['usedSign'])]
    if (maxSign !== 0 && maxSign < used)
      return invalidField('maxSign', { zh: `报名上限不能少于已报人数 ${used}`, en: `${used} have signed up already` }, ctx)
    const isUsed = await refersToPost(db, exam.id, textOf(before['code']))
    const identity = isUsed ? frozenAmong(typeCode, ctx, before, input, ['code', 'unit', 'type']) : undefined
    if (identity) return identity
    const hasBegun = exam.state === 'released' && exam.signBegin !== null && exam.signBegin <= ctx.arrivedAt
    const changed = conditionFields.filter(name => isChanged(before, input, name))
    const withPlan =
      isChanged(before, input, 'planNum') && before['curNum'] === before['planNum'] ? { ...input, curNum: input['planNum'] } : input
    if (!hasBegun || changed.length === 0) return { ...withPlan, ...(hasBegun ? {} : { changeReason: null }) }
    // Conditions are frozen once sign-up has begun, but for the exam administrator who says why (domain 3.5).
    if (!ctx.session?.roleAliases.has('exam_admin') || textOf(input['changeReason']).trim() === '') {
      const fields = changed.map(name => ctx.say(typeCode.fields[name].label)).join(ctx.say({ zh: '、', en: ', ' }))
      return refuseExam('exam/frozen', { fields }, { data: { fields: [...changed, 'changeReason'] } })
    }
    return withPlan
  },
  scope: ctx => (ctx.session?.roleAliases.has('unit_hr') ? sql`unit = any(${[...ctx.session.userCodes]})` : undefined),
  refuseRemove: async ({ db, exam, row }) =>
    Number(row['usedSign']) > 0 || (await refersToPost(db, exam.id, textOf(row['code']))) ? inUse(textOf(row['code'])) : undefined,
}

/** A pattern that is never tried, because it cannot be read or could explode, would refuse every candidate. */
function refusePattern(input: Row): Refusal | undefined {
  const pattern = input['pattern']
  if (typeof pattern !== 'string' || pattern === '' || isSafePattern(pattern)) return undefined
  const text = {
    zh: '校验规则不可用：须是有效的正则表达式，不含环视、反向引用、重复的分组，最多两处变长重复和六个“|”',
    en: 'The pattern cannot be used: a valid regular expression without look-around, back-reference or repeated group, with at most two variable repetitions and six “|”',
  }
  return { ...refuse('kernel/invalid-input', {}, { data: { fields: [{ field: 'pattern', msg: text }] } }), text }
}

/** Units and codes are shared by examinations and accounts; the libraries by every examination. */
const librarySeams: Readonly<Record<'userCode' | 'item' | 'fileKind', CrudSeams>> = {
  userCode: {
    prepare: async ({ ctx, db, input, before }) => {
      const clean = withoutNulls(input, ['sort', 'status'])
      if (before && isChanged(before, clean, 'code') && (await isCodeUsed(db, textOf(before['code']))))
        return refuseExam('exam/frozen', { fields: ctx.say(userCode.fields.code.label) }, { data: { fields: ['code'] } })
      return clean
    },
    refuseRemove: async ({ db, rows }) => {
      for (const row of rows) if (await isCodeUsed(db, textOf(row['code']))) return inUse(`${textOf(row['code'])} ${textOf(row['name'])}`)
      return undefined
    },
  },
  item: {
    prepare: async ({ input }) => refusePattern(input) ?? withoutNulls(input, ['sensitive', 'sort', 'status']),
    refuseRemove: async ({ db, rows }) => {
      for (const row of rows)
        if (row['builtIn'] === 1 || (await db.maybe(sql`select 1 from sign_item where items_id = ${row['id']} and not is_deleted limit 1`)))
          return inUse(textOf(row['itemLabel']))
      return undefined
    },
  },
  fileKind: {
    prepare: async ({ input }) => withoutNulls(input, ['accept', 'maxKb', 'minKb', 'maxCount', 'sort', 'status']),
    refuseRemove: async ({ db, rows }) => {
      for (const row of rows)
        if (await db.maybe(sql`select 1 from sign_file where files_id = ${row['id']} and not is_deleted limit 1`))
          return inUse(textOf(row['fileLabel']))
      return undefined
    },
  },
}

const isCodeUsed = async (db: TenantDb, code: string): Promise<boolean> =>
  (await db.maybe(sql`
    select 1 where exists (select 1 from type_code where unit = ${code} and not is_deleted)
      or exists (select 1 from account where user_code = ${code} and not is_deleted) or exists (select 1 from user_code where parent_code = ${code} and not is_deleted)`)) !==
  undefined

export interface Nouns {
  readonly handlers: readonly Handler[]
  /** Lists nested in an examination, by their name in its body. */
  readonly nested: Readonly<
    Record<'signitems' | 'signfiles' | 'examitems', { readonly resource: Resource; readonly handlers: readonly Handler[] }>
  >
  readonly presentPaper: (row: Row) => Row
}

export const createNouns = (cipher: FieldCipher): Nouns => {
  const paper = paperOf(cipher)
  const nested = {
    signitems: { resource: signItem, handlers: crud(signItem, seamsOf(form)) },
    signfiles: { resource: signFile, handlers: crud(signFile, seamsOf(fileList)) },
    examitems: { resource: examItem, handlers: crud(examItem, seamsOf(paper)) },
  }
  return {
    nested,
    presentPaper: row => paper.present?.(row) ?? row,
    handlers: [
      ...crud(userCode, librarySeams.userCode),
      ...crud(item, librarySeams.item),
      ...crud(fileKind, librarySeams.fileKind),
      ...crud(typeCode, seamsOf(post)),
      ...Object.values(nested).flatMap(list => list.handlers),
    ],
  }
}
