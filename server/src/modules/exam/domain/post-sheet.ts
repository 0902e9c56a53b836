import type { Label } from '#contract/kernel/label.ts'
import { parseYuan, type YuanProblem } from '#contract/pay/fee.ts'
import type { PostConditions } from '#contract/signup/conditions.ts'
import {
  type CheckedSheet,
  codeWithZeros,
  type HeaderSpec,
  isScientific,
  openSheet,
  type RowReader,
  type RowWarning,
  requiredReason,
} from '#modules/transfer/domain/sheet.ts'
import type { ImportCell } from '#modules/transfer/domain/sheet-cell.ts'
import { majorNames, parseFresh, parseHukou, parseMinimum, parsePolitical, parseSex, parseTitle, splitCell } from './post-conditions.ts'

/** The 31 columns of template T1, A…AE (domain 5.9). */
export const postColumns = {
  sort: { header: '序号', required: false, kind: 'number' },
  competentDept: { header: '主管部门', required: false },
  unit: { header: '招聘单位代码', required: true, kind: 'code' },
  unitName: { header: '招聘单位', required: true },
  type: { header: '岗位类别代码', required: true, kind: 'code' },
  typeName: { header: '岗位类别', required: true },
  code: { header: '岗位代码', required: true, kind: 'code' },
  codeName: { header: '岗位名称', required: true },
  postLevel: { header: '岗位等级', required: false },
  planNum: { header: '招聘人数', required: true, kind: 'number' },
  openRatio: { header: '开考比例(如 3)', required: false, kind: 'number' },
  maxSign: { header: '报名上限', required: false, kind: 'number' },
  itemCodes: { header: '考试科目代码(逗号)', required: false, kind: 'code' },
  bornFrom: { header: '出生日期不早于', required: false, kind: 'day' },
  bornTo: { header: '出生日期不晚于', required: false, kind: 'day' },
  ageText: { header: '年龄说明', required: false },
  sex: { header: '性别要求', required: false },
  educations: { header: '学历要求', required: false },
  degrees: { header: '学位要求', required: false },
  majorText: { header: '专业要求', required: false, lines: true },
  majorCodes: { header: '专业代码(分号)', required: false, kind: 'code' },
  fresh: { header: '应届要求', required: false },
  political: { header: '政治面貌要求', required: false },
  hukou: { header: '户籍要求', required: false },
  cert: { header: '执业资格要求', required: false },
  title: { header: '职称要求', required: false },
  minWorkYears: { header: '最低工作年限', required: false, kind: 'number' },
  otherText: { header: '其他条件', required: false, lines: true },
  fee: { header: '报名费(元)', required: false, kind: 'number' },
  phone: { header: '咨询电话', required: false, kind: 'code' },
  remark: { header: '备注', required: false, lines: true },
} as const satisfies Record<string, HeaderSpec>
export type PostColumn = keyof typeof postColumns

/** One post of a post table (domain 3.5), ready to be written. */
export interface PostInput extends PostConditions {
  readonly sort: number
  readonly competentDept: string
  readonly unit: string
  readonly unitName: string
  readonly type: string
  readonly typeName: string
  readonly code: string
  readonly codeName: string
  readonly postLevel: string
  readonly planNum: number
  /** Null: the examination's own ratio counts. 0: no ratio. */
  readonly openRatio: number | null
  /** 0: no cap. */
  readonly maxSign: number
  readonly itemCodes: readonly string[]
  readonly ageText: string
  readonly otherText: string
  /** Null when the cell is empty; 0 for posts without fee. */
  readonly feeFen: number | null
  readonly phone: string
  readonly remark: string
}

/** What the rows are compared with. */
export interface PostSheetContext {
  /** Unit code → name of the units known so far; unknown codes are created, with a warning. */
  readonly units: ReadonlyMap<string, string>
  /** Post category → name (dictionary `post_type`, A–G; for qualification examinations the professions). */
  readonly types: ReadonlyMap<string, string>
  /** Codes of the posts that the examination has. */
  readonly posts: ReadonlySet<string>
  /** Codes of the papers of this examination. */
  readonly itemCodes: ReadonlySet<string>
  /** Catalogue code → majors that carry it. */
  readonly majors: ReadonlyMap<string, readonly { readonly code: string; readonly name: string; readonly level: string }[]>
  /** Label → key of dictionary `political`. */
  readonly political: ReadonlyMap<string, string>
  /** Keys of dictionary `cert`. */
  readonly certs: ReadonlySet<string>
  /** The examination charges by post: every post says what it costs, with 0 for one that is free. */
  readonly chargesByPost: boolean
}

const MAX_LENGTH: Partial<Record<PostColumn, number>> = {
  competentDept: 60,
  unit: 20,
  unitName: 60,
  type: 20,
  typeName: 40,
  code: 20,
  codeName: 60,
  postLevel: 30,
  ageText: 60,
  majorText: 500,
  hukou: 60,
  otherText: 500,
  phone: 60,
  remark: 500,
}

type Reader = RowReader<PostColumn>

const notInDictionary = (name: string): Label => ({ zh: `${name}不在字典`, en: `${name} is not in the dictionary` })

/** Reads a cell that must be short enough and, where the template says so, must not be empty. */
function shortText(reader: Reader, key: PostColumn, isCode = false): string {
  const text = isCode ? reader.code(key) : reader.text(key)
  const name = postColumns[key].header
  const max = MAX_LENGTH[key] ?? 500
  if (text === '' && postColumns[key].required) reader.fail(key, 'required', requiredReason(name))
  else if ([...text].length > max)
    reader.fail(key, 'too-long', { zh: `${name}超过 ${max} 个字`, en: `${name} is longer than ${max} characters` })
  else if (isScientific(text)) {
    reader.fail(key, 'scientific', { zh: `${name}请设为文本格式`, en: `Format ${name} as text: digits were lost` })
  }
  return text
}

function wholeNumber(reader: Reader, key: PostColumn, min: number, max: number, fallback: number | null): number | null {
  const name = postColumns[key].header.replace(/\(.*\)$/, '')
  const text = reader.code(key)
  if (text === '') {
    if (postColumns[key].required) reader.fail(key, 'required', requiredReason(name))
    return fallback
  }
  if (key === 'openRatio' && !/^\d+$/.test(text)) {
    const hint = /^\d+[:：](\d+)$/.exec(text)?.[1] ?? '3'
    reader.fail(key, 'ratio', { zh: `开考比例格式错误,应填整数 ${hint}`, en: `Write the opening ratio as a whole number: ${hint}` })
  } else if (!/^-?\d{1,9}$/.test(text)) {
    reader.fail(key, 'not-an-integer', { zh: `${name}不是整数`, en: `${name} is not a whole number` })
  } else if (Number(text) < 0 && min === 0) {
    reader.fail(key, 'negative', { zh: `${name}不能为负数`, en: `${name} must not be negative` })
  } else if (Number(text) < min || Number(text) > max) {
    reader.fail(key, 'range', { zh: `${name}不在 ${min}–${max}`, en: `${name} is not in ${min}–${max}` })
  } else return Number(text)
  return fallback
}

function dictionaryCell<T>(reader: Reader, key: PostColumn, parse: (text: string) => T | undefined, fallback: T): T {
  const parsed = parse(reader.code(key))
  if (parsed === undefined) reader.fail(key, 'dictionary', notInDictionary(postColumns[key].header))
  return parsed ?? fallback
}

const yuanReasons: Readonly<Record<YuanProblem, Label>> = {
  empty: { zh: '金额为空', en: 'The amount is empty' },
  notAnAmount: { zh: '金额格式错误', en: 'This is not an amount' },
  tooManyDecimals: { zh: '金额超过两位小数', en: 'The amount has more than two decimals' },
  negative: { zh: '金额不能为负数', en: 'The amount must not be negative' },
  zero: { zh: '金额不能为零', en: 'The amount must not be zero' },
  tooLarge: { zh: '金额过大', en: 'The amount is too large' },
}

/** A post without an amount would silently be free. */
export const noFee: Label = {
  zh: '本考试按岗位收费，请填写报名费，免费岗位填 0',
  en: 'This examination charges by post: give the fee, 0 for a post that is free',
}

/** Zero is an amount here: posts without fee exist, other than dues of zero. */
function feeCell(reader: Reader, chargesByPost: boolean): number | null {
  const text = reader.code('fee')
  if (text === '') {
    if (chargesByPost) reader.fail('fee', 'fee-empty', noFee)
    return null
  }
  const yuan = parseYuan(text)
  if (yuan.ok) return yuan.amountFen
  if (yuan.problem === 'zero') return 0
  reader.fail('fee', `fee-${yuan.problem}`, yuanReasons[yuan.problem])
  return null
}

function itemCells(reader: Reader, context: PostSheetContext): string[] {
  const codes = splitCell(reader.code('itemCodes'))
  for (const code of codes) {
    if (!context.itemCodes.has(code)) {
      reader.fail('itemCodes', 'unknown-item', { zh: `科目代码在本考试不存在: ${code}`, en: `The examination has no paper ${code}` })
    }
  }
  return [...new Set(codes)]
}

function majorCells(reader: Reader, majorText: string, context: PostSheetContext): PostConditions['majors'] {
  const codes = splitCell(reader.code('majorCodes').toUpperCase())
  const majors = codes.flatMap(code => {
    const known = context.majors.get(code)
    if (!known) reader.fail('majorCodes', 'unknown-major', { zh: `专业代码不存在: ${code}`, en: `There is no major ${code}` })
    return known ?? []
  })
  return codes.length > 0 ? majors : majorNames(majorText).map(name => ({ code: '', name, level: '' }))
}

function unitCells(
  reader: Reader,
  names: Map<string, string>,
  context: PostSheetContext,
  warnings: RowWarning[],
): { unit: string; unitName: string } {
  const unit = shortText(reader, 'unit', true)
  const unitName = shortText(reader, 'unitName')
  if (reader.failed('unit') || reader.failed('unitName')) return { unit, unitName }
  const known = names.get(unit)
  if (known === undefined) {
    names.set(unit, unitName)
    if (!context.units.has(unit) && reader.isNumber('unit'))
      reader.fail('unit', 'number-code', numberCode('unit', unit, context.units.keys()))
    else if (!context.units.has(unit))
      warnings.push({
        row: reader.row,
        reason: { zh: `单位代码 ${unit} 不存在，将新建`, en: `The unit ${unit} is new and will be created` },
      })
  } else if (known !== unitName) {
    const zh = `单位代码与单位名称不一致: ${unit} 已是 ${known}`
    reader.fail('unitName', 'unit-name', { zh, en: `Unit code and name differ: ${unit} is ${known}` })
  }
  return { unit, unitName }
}

/** Of a number where no such code is known: what it was before a spreadsheet took its zeros, or what to do. */
const numberCode = (key: PostColumn, code: string, known: Iterable<string>): Label => {
  const meant = codeWithZeros(code, known)
  const { header } = postColumns[key]
  return {
    zh: `${header} ${code} 是数值${meant === undefined ? '，开头的 0 可能已丢失' : `，可能应为 ${meant}`}，请设为文本格式后重新填写`,
    en: `${header} ${code} is a number${meant === undefined ? ', zeros before it may be lost' : ` and may be ${meant}`}; format the cell as text and type it again`,
  }
}

/** A landline typed as a number has lost the zero of its area code; a mobile has none. */
const phoneCell = (reader: Reader): string => {
  const phone = shortText(reader, 'phone')
  if (phone !== '' && !reader.failed('phone') && reader.isNumber('phone') && !/^1[3-9]\d{9}$/.test(phone))
    reader.fail('phone', 'number-code', {
      zh: `咨询电话 ${phone} 是数值，开头的 0 可能已丢失，请设为文本格式后重新填写`,
      en: `The phone ${phone} is a number, the zero before it may be lost; format the cell as text and type it again`,
    })
  return phone
}

function typeCells(reader: Reader, context: PostSheetContext): { type: string; typeName: string } {
  const type = shortText(reader, 'type', true)
  const typeName = shortText(reader, 'typeName')
  if (!reader.failed('type') && !context.types.has(type)) {
    const keys = [...context.types.keys()]
    const range = keys.length > 1 && keys.every(key => key.length === 1) ? ` ${keys[0]}–${keys.at(-1)}` : ''
    reader.fail('type', 'dictionary', { zh: `岗位类别不在字典${range}`, en: `The post category is not in the dictionary${range}` })
  }
  return { type, typeName }
}

function postOf(reader: Reader, names: Map<string, string>, context: PostSheetContext, warnings: RowWarning[]): PostInput {
  const optional = (key: PostColumn) => shortText(reader, key)
  const unit = unitCells(reader, names, context, warnings)
  const type = typeCells(reader, context)
  const code = shortText(reader, 'code', true)
  if (!reader.failed('code') && !context.posts.has(code) && reader.isNumber('code') && codeWithZeros(code, context.posts) !== undefined)
    reader.fail('code', 'number-code', numberCode('code', code, context.posts))
  if (!reader.failed('code') && /\s/.test(code))
    reader.fail('code', 'space', { zh: '岗位代码含空格', en: 'The post code contains a space' })
  const codeName = shortText(reader, 'codeName')
  const planNum = wholeNumber(reader, 'planNum', 1, 999, 1) ?? 1
  const openRatio = wholeNumber(reader, 'openRatio', 0, 99, null)
  const maxSign = wholeNumber(reader, 'maxSign', 0, 999_999, 0) ?? 0
  const itemCodes = itemCells(reader, context)
  const bornFrom = reader.text('bornFrom') || null
  const bornTo = reader.text('bornTo') || null
  if (bornFrom && bornTo && bornFrom > bornTo) {
    reader.fail('bornFrom', 'born-order', { zh: '出生日期下限晚于上限', en: 'The earliest birth date is later than the latest' })
  }
  const majorText = optional('majorText')
  const certOf = (text: string) => {
    const certs = text === '' || text === '不限' ? [] : splitCell(text)
    return certs.every(cert => context.certs.has(cert)) ? certs : undefined
  }
  return {
    // Posts are listed as they stand in the file.
    sort: reader.row - 1,
    competentDept: optional('competentDept'),
    ...unit,
    ...type,
    code,
    codeName,
    postLevel: optional('postLevel'),
    planNum,
    openRatio,
    maxSign,
    itemCodes,
    bornFrom,
    bornTo,
    ageText: optional('ageText'),
    sex: dictionaryCell(reader, 'sex', parseSex, 0),
    educations: dictionaryCell(reader, 'educations', text => parseMinimum(text, 'education'), null),
    degrees: dictionaryCell(reader, 'degrees', text => parseMinimum(text, 'degree'), null),
    majorText,
    majors: majorCells(reader, majorText, context),
    fresh: dictionaryCell(reader, 'fresh', parseFresh, 0),
    political: dictionaryCell(reader, 'political', text => parsePolitical(text, context.political), []),
    hukou: parseHukou(optional('hukou')),
    cert: dictionaryCell(reader, 'cert', certOf, []),
    title: dictionaryCell(reader, 'title', parseTitle, null),
    minWorkYears: wholeNumber(reader, 'minWorkYears', 0, 50, null),
    otherText: optional('otherText'),
    feeFen: feeCell(reader, context.chargesByPost),
    phone: phoneCell(reader),
    remark: optional('remark'),
  }
}

/** Names the other row of each post code that stands in the file more than once, on both rows. */
function failDuplicates(rows: readonly { reader: Reader; code: string }[]): void {
  const byCode = new Map<string, Reader[]>()
  for (const { reader, code } of rows) if (code !== '') byCode.set(code, [...(byCode.get(code) ?? []), reader])
  for (const readers of byCode.values()) {
    readers.forEach((reader, i) => {
      const other = readers[i === 0 ? 1 : 0]
      if (!other) return
      const reason = { zh: `岗位代码在文件内重复(与第 ${other.row} 行)`, en: `The post code stands in row ${other.row} too` }
      reader.fail('code', 'duplicate', reason)
    })
  }
}

/**
 * Reads a post table (T1). A row reports all its errors; empty rows are passed over.
 * @param rows cells below the header; the first is row 2 of the sheet
 */
export function readPostSheet(
  header: readonly string[],
  rows: Iterable<readonly ImportCell[]>,
  context: PostSheetContext,
): CheckedSheet<PostInput> {
  const sheet = openSheet(postColumns, header)
  const names = new Map(context.units)
  const read = sheet.readers(rows).map(reader => ({ reader, post: postOf(reader, names, context, sheet.warnings) }))
  failDuplicates(read.map(({ reader, post }) => ({ reader, code: reader.failed('code') ? '' : post.code })))
  return sheet.checked(read.map(({ reader, post }) => ({ row: reader.row, value: post })))
}
