import type { FieldMark } from '#contract/kernel/field-rule.ts'
import type { Label, Language } from '#contract/kernel/label.ts'
import { maskAddress, maskEmail, maskIdCard, maskIdCardBesideBirthday, maskPhone } from '#contract/kernel/mask.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { dueMachine, type PayState } from '#contract/pay/order.state.ts'
import { type AnswerField, type AnswerWords, answerText } from '#contract/signup/answer-text.ts'
import { answerMarks } from '#contract/signup/signup.noun.ts'
import { type SignupState, signupMachine } from '#contract/signup/signup.state.ts'

/** A sign-up as the export reads it. Id number and phone are the stored masks. */
export interface SignupExportRow {
  readonly signNo: string | null
  readonly candidateNo: string | null
  readonly name: string | null
  readonly idCardMask: string | null
  readonly sex: number | null
  readonly birthday: string | null
  readonly nation: string | null
  readonly education: string | null
  readonly degree: string | null
  readonly school: string | null
  readonly major: string | null
  readonly phoneMask: string | null
  readonly province: string | null
  readonly city: string | null
  readonly area: string | null
  readonly unitName: string | null
  readonly typeName: string | null
  readonly code: string | null
  readonly codeName: string | null
  readonly secondUnitName: string | null
  readonly secondCode: string | null
  readonly secondCodeName: string | null
  readonly adjust: boolean
  readonly examine: SignupState
  readonly examineRemark: string | null
  readonly reviewer1: string | null
  readonly reviewer1Time: Date | null
  readonly reviewer2: string | null
  readonly reviewer2Time: Date | null
  readonly payState: PayState
  readonly submitTime: Date | null
  readonly content: Readonly<Record<string, unknown>>
}

/** A form field with `useInExport`. */
export interface ExportField {
  readonly key: string
  readonly label: string
  readonly labelEn: string | null
  readonly fieldType: string
  readonly dictCode: string | null
  /** Of a table, in the order in which they are filled in. */
  readonly columns: readonly (AnswerField & { readonly key: string })[] | null
  /** 0 normal, 1 personal, 2 sensitive. */
  readonly sensitive: number
}

export interface SignupSheetContext {
  readonly language: Language
  /** Text of a dictionary key; the key itself when it is unknown. */
  readonly dictionary: (code: string, key: string) => string
  readonly region: (code: string) => string
}

interface Column {
  readonly label: Label
  /** Key of the answer it shows, for readers whose rules mask it. */
  readonly key?: string
  readonly value: (row: SignupExportRow, context: SignupSheetContext) => string
}

const time = (instant: Date | null): string => (instant === null ? '' : toWireTime(instant))
const entry = (code: string, value: string | number | null | undefined, context: SignupSheetContext): string =>
  value === null || value === undefined || value === '' ? '' : context.dictionary(code, String(value))
const region = (code: string | null, context: SignupSheetContext): string => (code ? context.region(code) : '')
const hidden = '****'
const wordsOf = ({ dictionary, region }: SignupSheetContext): AnswerWords => ({
  chosen: (field, key) => (field.fieldType === 'region' ? region(key) : field.dictCode ? dictionary(field.dictCode, key) : undefined),
  ...{ between: '; ', betweenCells: ' ', betweenRows: '; ', provided: hidden, sealed: hidden },
  cell: maskedCell,
})
/** An answer that stands in a fixed column. */
const answerOf = (row: SignupExportRow, key: string, field: AnswerField, context: SignupSheetContext): string =>
  answerText(field, row.content[key], wordsOf(context))

const payLabel = (state: PayState): Label => (state === 'none' ? { zh: '无需缴费', en: 'Nothing due' } : dueMachine.label[state])

/** The fixed columns of `报名信息`, in the order of domain 5.10. */
const columns: readonly Column[] = [
  { label: { zh: '报名序号', en: 'Sign-up no.' }, value: row => row.signNo ?? '' },
  { label: { zh: '考生号', en: 'Candidate no.' }, value: row => row.candidateNo ?? '' },
  { label: { zh: '姓名', en: 'Name' }, key: 'name', value: row => row.name ?? '' },
  { label: { zh: '证件号码', en: 'Id number' }, key: 'idCard', value: row => maskIdCardBesideBirthday(row.idCardMask ?? '') },
  { label: { zh: '性别', en: 'Sex' }, key: 'sex', value: (row, context) => entry('sex', row.sex, context) },
  { label: { zh: '出生日期', en: 'Date of birth' }, key: 'birthday', value: row => row.birthday ?? '' },
  { label: { zh: '民族', en: 'Nation' }, key: 'nation', value: (row, context) => entry('nation', row.nation, context) },
  {
    label: { zh: '政治面貌', en: 'Political status' },
    key: 'political',
    value: (row, context) => answerOf(row, 'political', { fieldType: 'select', dictCode: 'political' }, context),
  },
  { label: { zh: '学历', en: 'Education' }, key: 'education', value: (row, context) => entry('education', row.education, context) },
  { label: { zh: '学位', en: 'Degree' }, key: 'degree', value: (row, context) => entry('degree', row.degree, context) },
  { label: { zh: '毕业院校', en: 'School' }, key: 'school', value: row => row.school ?? '' },
  { label: { zh: '专业', en: 'Major' }, key: 'major', value: row => row.major ?? '' },
  {
    label: { zh: '毕业时间', en: 'Graduated' },
    key: 'graduateDate',
    value: (row, context) => answerOf(row, 'graduateDate', { fieldType: 'date' }, context),
  },
  { label: { zh: '手机号', en: 'Phone' }, key: 'phone', value: row => row.phoneMask ?? '' },
  { label: { zh: '省', en: 'Province' }, key: 'hukouAddress', value: (row, context) => region(row.province, context) },
  { label: { zh: '市', en: 'City' }, key: 'hukouAddress', value: (row, context) => region(row.city, context) },
  { label: { zh: '区', en: 'District' }, key: 'hukouAddress', value: (row, context) => region(row.area, context) },
  { label: { zh: '单位', en: 'Unit' }, value: row => row.unitName ?? '' },
  { label: { zh: '岗位类别', en: 'Post category' }, value: row => row.typeName ?? '' },
  { label: { zh: '岗位代码', en: 'Post code' }, value: row => row.code ?? '' },
  { label: { zh: '岗位名称', en: 'Post' }, value: row => row.codeName ?? '' },
  { label: { zh: '第二志愿单位', en: 'Second-choice unit' }, value: row => row.secondUnitName ?? '' },
  {
    label: { zh: '第二志愿岗位', en: 'Second-choice post' },
    value: row => [row.secondCode, row.secondCodeName].filter(part => part !== null).join(' '),
  },
  { label: { zh: '服从调剂', en: 'Accepts adjustment' }, value: (row, context) => entry('yes_no', row.adjust ? 1 : 0, context) },
]
const reviewColumns: readonly Column[] = [
  { label: { zh: '审核状态', en: 'Review state' }, value: (row, { language }) => signupMachine.label[row.examine][language] },
  { label: { zh: '审核意见', en: 'Review remark' }, value: row => row.examineRemark ?? '' },
  { label: { zh: '初审人', en: 'First reviewer' }, value: row => row.reviewer1 ?? '' },
  { label: { zh: '初审时间', en: 'First review' }, value: row => time(row.reviewer1Time) },
  { label: { zh: '复核人', en: 'Second reviewer' }, value: row => row.reviewer2 ?? '' },
  { label: { zh: '复核时间', en: 'Second review' }, value: row => time(row.reviewer2Time) },
  { label: { zh: '缴费状态', en: 'Payment' }, value: (row, { language }) => payLabel(row.payState)[language] },
  { label: { zh: '提交时间', en: 'Submitted' }, value: row => time(row.submitTime) },
]

/** Fields that stand in a fixed column already. */
const fixedKeys = new Set([
  ...['name', 'idCardType', 'idCard', 'sex', 'birthday', 'nation', 'political', 'education', 'degree', 'school', 'schoolCode', 'major'],
  ...['majorCode', 'graduateDate', 'phone', 'adjust'],
])

/** A cell of a table has no declared kind here: what looks like a phone or an id number is masked. */
const maskedCell = (shown: string): string => {
  if (/^1\d{10}$/.test(shown)) return maskPhone(shown)
  return /^\d{17}[\dXx]$/.test(shown) ? maskIdCard(shown) : shown
}

/** What an answer looks like in a masked export (domain P5): sensitive ones are hidden, contacts and addresses are cut. */
const masked = (field: ExportField, value: unknown, context: SignupSheetContext): string => {
  const shown = answerText(field, value, wordsOf(context))
  if (shown === '' || field.sensitive === 2) return shown && hidden
  if (field.fieldType === 'phone' || /phone/i.test(field.key)) return maskPhone(shown)
  if (field.fieldType === 'idcard') return maskIdCard(shown)
  if (/email/i.test(field.key)) return maskEmail(shown)
  if (/address/i.test(field.key)) return maskAddress(shown)
  return shown
}

const markOfAnswer = (key: string | undefined): FieldMark | undefined =>
  key === undefined ? undefined : Object.hasOwn(answerMarks, key) ? answerMarks[key] : answerMarks['*']

/** Headers with the fields below them, and lines of the workbook; the first column counts the rows. */
export const signupSheet = (fields: readonly ExportField[], context: SignupSheetContext) => {
  const extra: Column[] = fields
    .filter(field => !fixedKeys.has(field.key))
    .map(field => ({
      label: { zh: field.label, en: field.labelEn || field.label },
      key: field.key,
      value: row => masked(field, row.content[field.key], context),
    }))
  const all = [...columns, ...extra, ...reviewColumns]
  return {
    headers: [
      { header: context.language === 'zh' ? '序号' : 'No.', field: undefined },
      ...all.map(column => ({ header: column.label[context.language], field: markOfAnswer(column.key) })),
    ],
    line: (row: SignupExportRow, number: number): (string | number)[] => [number, ...all.map(column => column.value(row, context))],
  }
}
