import { refuseExam } from '#contract/exam/exam.errors.ts'
import { typeCode } from '#contract/exam/exam.resources.ts'
import { postStates } from '#contract/exam/exam.state.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { Row } from '#kernel/crud/rows.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { listEntries } from '#modules/reference/index.ts'

import type { ExamRow } from '../data/exam.repo.ts'
import { listPapers } from '../data/paper.repo.ts'
import { ofUnits } from '../data/part.repo.ts'
import { knownUnits } from '../data/post-write.repo.ts'
import { refersToPost } from '../data/signup-facts.repo.ts'
import { majorNames, parseHukou, splitCell } from '../domain/post-conditions.ts'
import { noFee } from '../domain/post-sheet.ts'
import { overlappingPapers } from '../domain/release-check.ts'
import { majorCatalogue } from '../imports/major-catalogue.ts'
import { isOffice } from './exam-guard.ts'
import { frozenAmong, inUse, isChanged, type Part, textOf } from './exam-part.ts'

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
const typedConditions = (input: Row, before: Row | undefined): Row | Refusal => {
  let next = input
  const given = input['majors']
  // What nobody touched stays as it is.
  if (before === undefined || isChanged(before, input, 'majors') || isChanged(before, input, 'majorText')) {
    const majors = given === undefined ? before?.['majors'] : given
    const catalogue = majorCatalogue()
    const typed = typeof majors === 'string' ? splitCell(majors.toUpperCase()) : []
    const unknown = typed.find(code => !catalogue.has(code))
    if (unknown !== undefined) return refuseField('majors', { zh: `专业代码不存在: ${unknown}`, en: `There is no major ${unknown}` })
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
      return refuseField('hukou', { zh: `户籍要求最多 ${hukouMax} 个字`, en: `At most ${hukouMax} characters` })
    next = { ...next, hukou: parseHukou(hukou.trim()) }
  } else if (hukou !== undefined && hukou !== null && !isHukou(hukou))
    return refuseField('hukou', { zh: '户籍要求格式不正确', en: 'The household must be a text' })
  return next
}

/** The names of unit and category follow from their codes; one that is in no list brings its own name along. */
const withNames = async (db: TenantDb, input: Row, before: Row | undefined): Promise<Row | Refusal> => {
  const lacks = (code: 'unit' | 'type', name: 'unitName' | 'typeName'): boolean =>
    textOf(input[name]).trim() === '' && (before === undefined || isChanged(before, input, code) || input[name] === '')
  let next = input
  if (lacks('unit', 'unitName')) {
    const unit = textOf(input['unit'] ?? before?.['unit'])
    const known = (await knownUnits(db)).find(one => one.code === unit)
    if (!known)
      return refuseField('unit', {
        zh: `单位编码中没有 ${unit}，请先在“单位编码”中新增，或同时填写招聘单位`,
        en: `There is no unit ${unit}: add it to the units and codes first, or name the unit too`,
      })
    next = { ...next, unitName: known.name }
  }
  if (lacks('type', 'typeName')) {
    const type = textOf(input['type'] ?? before?.['type'])
    const known = (await listEntries(db, ['post_type'])).find(one => one.key === type)
    if (!known) return refuseField('type', { zh: `岗位类别 ${type} 不在字典中`, en: `There is no category ${type}` })
    next = { ...next, typeName: known.zh }
  }
  return next
}

/** What a post that is typed must keep, as the workbook's rows do (domain 5.9, T1): a reversed bound would turn everybody away. */
const refusePost = async (db: TenantDb, exam: ExamRow, input: Row, before: Row | undefined): Promise<Refusal | undefined> => {
  const of = (name: string): unknown => (input[name] === undefined ? before?.[name] : input[name])
  const [from, to] = [textOf(of('bornFrom')), textOf(of('bornTo'))]
  if (from !== '' && to !== '' && from > to)
    return refuseField('bornTo', { zh: '出生日期的下限晚于上限', en: 'The earliest birth date is later than the latest' })
  const unit = textOf(of('unit'))
  const isNew = (name: string): boolean => before === undefined || isChanged(before, input, name)
  if (isNew('unit') || isNew('unitName')) {
    const known = (await knownUnits(db)).find(one => one.code === unit)
    if (known && known.name !== textOf(of('unitName')))
      return refuseField('unitName', { zh: `单位代码 ${unit} 已是 ${known.name}`, en: `Unit code ${unit} is ${known.name}` })
  }
  // An amount that nobody gave must not become a free post; one that is free says 0.
  if (exam.feeMode === 3 && (before === undefined ? (input['feeFen'] ?? null) === null : input['feeFen'] === null))
    return refuseField('feeFen', noFee)
  if (!isNew('itemCodes')) return undefined
  const papers = await listPapers(db, exam.id)
  const codes = Array.isArray(of('itemCodes')) ? (of('itemCodes') as unknown[]).map(textOf) : []
  const unknown = codes.find(code => !papers.some(paper => paper.itemCode === code))
  if (unknown !== undefined)
    return refuseField('itemCodes', { zh: `科目代码在本考试不存在: ${unknown}`, en: `There is no paper ${unknown}` })
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
  return refuseField('itemCodes', text)
}

export const post: Part = {
  resource: typeCode,
  chargedIn: 3,
  key: 'code',
  noun: { zh: '岗位', en: 'post' },
  title: row => `${textOf(row['code'])} ${textOf(row['codeName'])}`,
  defaults: ['maxSign', 'postState', 'sex', 'fresh', 'itemCodes', 'feeFen', 'sort'],
  judge: async ({ ctx, db, exam, input: raw, before }) => {
    const conditions = typedConditions(raw, before)
    if (isRefusal(conditions)) return conditions
    const input = await withNames(db, conditions, before)
    if (isRefusal(input)) return input
    for (const [name, value] of Object.entries({ ...before, ...input }))
      if ((name === 'majors' || name === 'political' || name === 'cert' || name === 'itemCodes') && value !== null && !Array.isArray(value))
        return refuseField(name, {
          zh: `${typeCode.fields[name].label.zh}格式不正确`,
          en: `${typeCode.fields[name].label.en} must be a list`,
        })
    const wrong = await refusePost(db, exam, input, before)
    if (wrong) return wrong
    if (!before) return { ...input, curNum: input['planNum'] }
    // A unit's own people mend how they are reached, and nothing else (domain 2.2).
    if (!isOffice(ctx)) {
      const others = Object.keys(input).filter(name => name !== 'phone' && isChanged(before, input, name))
      return others.length > 0 ? refuse('kernel/forbidden', {}, { data: { fields: others } }) : input
    }
    const [maxSign, used] = [Number(input['maxSign'] ?? before['maxSign']), Number(before['usedSign'])]
    if (maxSign !== 0 && maxSign < used)
      return refuseField('maxSign', { zh: `报名上限不能少于已报人数 ${used}`, en: `${used} have signed up already` })
    const isUsed = await refersToPost(db, exam.id, textOf(before['code']))
    const identity = isUsed ? frozenAmong(typeCode, ctx, before, input, ['code', 'unit', 'type']) : undefined
    if (identity) return identity
    // Cancelled here, nobody who has signed up would be told, asked to choose another post or paid back (domain 4.4).
    if (
      isUsed &&
      isChanged(before, input, 'postState') &&
      [before['postState'], input['postState']].map(Number).includes(postStates.wire.cancelled)
    )
      return refuseField('postState', {
        zh: '已有人报名的岗位请在“岗位核减与改报”中取消，系统会逐一通知报名人员并安排改报或退费；在此之前可先暂停',
        en: 'People have signed up for this post: cancel it under “Reductions”, where they are told, choose another post or are paid back; until then it can be paused',
      })
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
  scope: ctx => (ctx.session?.roleAliases.has('unit_hr') ? ofUnits(ctx.session.userCodes) : undefined),
  refuseRemove: async ({ db, exam, row }) =>
    Number(row['usedSign']) > 0 || (await refersToPost(db, exam.id, textOf(row['code']))) ? inUse(textOf(row['code'])) : undefined,
}
