import type { Label } from '../kernel/label.ts'
import { regionKey } from './region.ts'

/**
 * The conditions of a post that a program can compare with a sign-up form (domain 3.5, 4.2). Empty lists and nulls mean "any".
 * Dictionary keys are those of domain 13.1.
 */
export interface PostConditions {
  readonly unit?: string
  readonly unitName?: string
  /** `yyyy-MM-dd`, both bounds included. */
  readonly bornFrom: string | null
  readonly bornTo: string | null
  readonly sex: 0 | 1 | 2
  /** `min` 10 graduate, 20 undergraduate, 30 college, 40 secondary vocational, 60 senior high, 70 below; 11 asks for a doctorate. */
  readonly educations: { readonly min: string } | readonly string[] | null
  /** `min` 1 doctor, 2 master, 3 bachelor, 4 none. */
  readonly degrees: { readonly min: string } | readonly string[] | null
  readonly majors: readonly { readonly code: string; readonly name: string; readonly level: string }[]
  readonly majorText: string
  /** 0 any, 1 only within the two-year rule, 2 only outside it. */
  readonly fresh: 0 | 1 | 2
  readonly political: readonly string[]
  /** `prefixes` are the leading digits of GB/T 2260 codes; without them only a person can judge the text. */
  readonly hukou: { readonly text: string; readonly prefixes: readonly string[] } | null
  /** One of these certificates is enough. */
  readonly cert: readonly string[]
  readonly title: { readonly min: string } | null
  readonly minWorkYears: number | null
}

/** What a post may ask for. */
export type PostRule =
  | 'born'
  | 'sex'
  | 'education'
  | 'degree'
  | 'major'
  | 'fresh'
  | 'political'
  | 'hukou'
  | 'cert'
  | 'title'
  | 'workYears'
  | 'relative'
/** What the answers of anybody are held against, whatever the post (`form-facts.ts`). */
export type FactRule = 'evidence' | 'graduation' | 'workAge' | 'school' | 'photo'
export type ConditionRule = PostRule | FactRule
export type ConditionResult = 'ok' | 'no' | 'warn'

/** An element of `signup.autoCheck` (domain 3.18). A `no` that is blocking refuses the submit with 2105. */
export interface ConditionCheck {
  readonly rule: ConditionRule
  readonly result: ConditionResult
  readonly need: Label
  readonly got: Label
  readonly blocking: boolean
  /** Item key of the answer at fault where it is another one than the rule's own (`conditionFields`). */
  readonly field?: string
  /** Judged for the second choice; absent: for the first, or whatever the choice. */
  readonly choice?: 2
}

export const conditionLabels: Readonly<Record<ConditionRule, Label>> = {
  born: { zh: '出生日期', en: 'Birth date' },
  sex: { zh: '性别', en: 'Sex' },
  education: { zh: '学历', en: 'Education' },
  degree: { zh: '学位', en: 'Degree' },
  major: { zh: '专业', en: 'Major' },
  fresh: { zh: '应届', en: 'Fresh graduate' },
  political: { zh: '政治面貌', en: 'Political status' },
  hukou: { zh: '户籍', en: 'Household registration' },
  cert: { zh: '执业资格', en: 'Professional qualification' },
  title: { zh: '职称', en: 'Professional title' },
  workYears: { zh: '工作年限', en: 'Years of work' },
  relative: { zh: '回避', en: 'Recusal' },
  evidence: { zh: '证明材料', en: 'Evidence' },
  graduation: { zh: '毕业时间', en: 'Graduation date' },
  workAge: { zh: '参加工作年龄', en: 'Age at the first day of work' },
  school: { zh: '毕业院校', en: 'School' },
  photo: { zh: '证件照', en: 'Photo' },
}

/** The name of a check where it stands beside those of the other choice. */
export const checkLabel = ({ rule, choice }: Pick<ConditionCheck, 'rule' | 'choice'>): Label => {
  const { zh, en } = conditionLabels[rule]
  return choice === 2 ? { zh: `第二志愿·${zh}`, en: `Second choice: ${en}` } : { zh, en }
}

/** Which of the answers a rule judges. */
const conditionFields: Readonly<Record<ConditionRule, string>> = {
  born: 'birthday',
  sex: 'sex',
  education: 'education',
  degree: 'degree',
  major: 'major',
  fresh: 'graduateDate',
  political: 'political',
  hukou: 'hukouAddress',
  cert: 'certName',
  title: 'title',
  workYears: 'firstWorkDate',
  relative: 'hasRelative',
  evidence: 'certName',
  graduation: 'graduateDate',
  workAge: 'firstWorkDate',
  school: 'school',
  photo: 'file:photo',
}

/** Nothing was said of it: that is no doubt about anybody. */
export const isUnsaid = ({ got }: Pick<ConditionCheck, 'got'>): boolean => got.zh === NOT_GIVEN.zh

/** Which of the answers a message belongs to, and which part opens when a reviewer asks for another answer. */
export const fieldOfCheck = (check: Pick<ConditionCheck, 'rule' | 'field'>): string => check.field ?? conditionFields[check.rule]

/** Values of `signup.content` by item key. */
export type Answers = Readonly<Record<string, unknown>>

/** Whom an examination treats as a fresh graduate: provinces differ, so each examination says it (amendments A4, A6). */
export interface GraduatePolicy {
  /** How many years after the year of graduation somebody still counts; 0: graduates of the year alone. */
  readonly freshYears: number
  /** What ends it: 0 nothing, 1 work, 2 work or social insurance. */
  readonly freshEndsBy: 0 | 1 | 2
  /** Work that begins after this day ends nothing, `yyyy-MM-dd`; null: the first day of sign-up. */
  readonly freshDay: string | null
  /** Whoever is hired with residency training completed this year may count as a fresh graduate: a person decides. */
  readonly residencyFresh: boolean
  /** A bachelor with residency training completed may meet a master's minimum: a person decides. */
  readonly residencyMaster: boolean
}

/** What an examination goes by that says nothing else. */
export const usualPolicy: GraduatePolicy = { freshYears: 2, freshEndsBy: 1, freshDay: null, residencyFresh: true, residencyMaster: true }

export interface ConditionContext {
  /** Year of the examination: the years after graduation count from it. */
  readonly examYear: number
  /** Day on which years of work are counted, `yyyy-MM-dd`: the day sign-up begins. */
  readonly onDay: string
  readonly policy: GraduatePolicy
  /** GB/T 2260 code of the household registration, empty while it is not given, where the sign-up's region asks for it and no field does. */
  readonly hukouRegion?: string
  /** Dictionary key → label, by dictionary code, for the texts a reviewer reads; a key without label shows itself. */
  readonly labelOf?: (dictCode: string, key: string) => Label | undefined
  /** Name of a place by its GB/T 2260 code; without it the code shows itself. */
  readonly placeName?: (code: string) => Label
}

const same = (text: string): Label => ({ zh: text, en: text })
const ANY: Label = { zh: '不限', en: 'Any' }
const NOT_GIVEN: Label = { zh: '未填写', en: 'Not given' }

/** A key typed by somebody may be `constructor`; only the table's own entries count. */
const ownLabel = (table: Readonly<Record<string, Label>>, key: string): Label | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined
const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '')
const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : String(textOf(value)).split(/[;；、,，]/)).map(textOf).filter(text => text !== '')

/** 70 below senior high … 11 doctorate; higher is more. Finer codes of GB/T 4658 count as their group. */
const EDUCATION_RANK: Readonly<Record<string, number>> = { '7': 0, '8': 0, '6': 1, '4': 2, '3': 3, '2': 4, '1': 5 }
const isDoctorate = (key: string): boolean => key === '11' || key === '12' || key === '13'
const educationRank = (key: string, degree: string): number | undefined =>
  isDoctorate(key) || (key === '10' && degree === '1') ? 6 : EDUCATION_RANK[key.charAt(0)]

const EDUCATION_LABELS: Readonly<Record<string, Label>> = {
  '10': { zh: '研究生', en: 'Graduate' },
  '11': { zh: '博士研究生', en: 'Doctoral graduate' },
  '14': { zh: '硕士研究生', en: 'Master’s graduate' },
  '20': { zh: '本科', en: 'Undergraduate' },
  '28': { zh: '预备技师(技师)', en: 'Technician class' },
  '30': { zh: '专科', en: 'College' },
  '38': { zh: '高级工', en: 'Senior skilled worker class' },
  '40': { zh: '中专', en: 'Secondary vocational' },
  '60': { zh: '高中', en: 'Senior high school' },
  '70': { zh: '初中以下', en: 'Below senior high school' },
}
const DEGREE_LABELS: Readonly<Record<string, Label>> = {
  '1': { zh: '博士', en: 'Doctor' },
  '2': { zh: '硕士', en: 'Master' },
  '3': { zh: '学士', en: 'Bachelor' },
  '4': { zh: '无', en: 'None' },
}
/** What somebody without a professional title says. */
export const noTitle = '无'
/** In ascending order. */
export const TITLES = ['初级(士)', '初级(师)', '中级', '副高', '正高'] as const
const TITLE_LABELS: Readonly<Record<string, Label>> = {
  '初级(士)': { zh: '初级(士)', en: 'Junior (assistant)' },
  '初级(师)': { zh: '初级(师)', en: 'Junior' },
  中级: { zh: '中级', en: 'Intermediate' },
  副高: { zh: '副高', en: 'Associate senior' },
  正高: { zh: '正高', en: 'Senior' },
}

const hasResidency = (answers: Answers): boolean => textOf(answers.residency) === '1'

/** A list names groups; technicians of technical schools (28, 38) are of the group they are treated as. */
const listHolds = (list: readonly string[], key: string): boolean =>
  key !== '' && (list.includes(key) || list.includes(`${key.charAt(0)}0`))

/** Who holds the higher certificate may do what the lower one allows. */
const CERT_INCLUDES: Readonly<Record<string, readonly string[]>> = { 执业助理医师: ['执业医师'] }

/**
 * The rule of two years, or of as many as the examination says (domain 4.2, 11.1): 1 fresh graduate of the year, 2 past graduate, 3 within the
 * job-choice period. Undefined when the date is missing or lies after the year of the examination.
 * @param hasWorked - whether work or insurance, as far as it counts, has ended it
 */
export function freshOf(
  graduateDate: string,
  examYear: number,
  hasWorked: boolean,
  { freshYears }: Pick<GraduatePolicy, 'freshYears'> = usualPolicy,
): 1 | 2 | 3 | undefined {
  const year = Number(/^(\d{4})/.exec(graduateDate)?.[1] ?? Number.NaN)
  if (Number.isNaN(year) || year > examYear) return undefined
  if (hasWorked || year < examYear - freshYears) return 2
  return year === examYear ? 1 : 3
}

/** Whether somebody has had what ends being a fresh graduate, up to the day it is looked at. */
const hasWorked = (answers: Answers, { onDay, policy }: Pick<ConditionContext, 'onDay' | 'policy'>): boolean => {
  if (policy.freshEndsBy === 0) return false
  const began = textOf(answers.firstWorkDate)
  const isLater = began !== '' && began > (policy.freshDay ?? onDay).slice(0, began.length)
  return (textOf(answers.workUnit) !== '' && !isLater) || (policy.freshEndsBy === 2 && textOf(answers.insured) === '1')
}

const FRESH_LABELS: Readonly<Record<string, Label>> = {
  1: { zh: '应届', en: 'Fresh graduate' },
  2: { zh: '往届', en: 'Past graduate' },
  3: { zh: '择业期内', en: 'Within the job-choice period' },
}

/** Whole years from one day to another, both `yyyy-MM-dd` (a month alone counts from its first day). */
export function yearsBetween(from: string, to: string): number {
  const start = from.length === 7 ? `${from}-01` : from
  return Number(to.slice(0, 4)) - Number(start.slice(0, 4)) - (to.slice(5) < start.slice(5) ? 1 : 0)
}

/** 临床医学（1002） and 临床医学 (1002) are one name; letters of codes are never stripped (100201 and 100201K differ). */
const majorName = (text: string): string => text.normalize('NFKC').replace(/\s/g, '').toUpperCase()

const atLeast = ({ zh, en }: Label): Label => ({ zh: `${zh}及以上`, en: `${en} or higher` })

/** What a rule finds where the post sets it. */
interface Finding {
  /** `warn`: only a person can tell. */
  readonly passed: boolean | 'warn'
  readonly need: Label
  /** Undefined where the form does not hold the answer. */
  readonly got: Label | undefined
  /** False where a miss is left to a person too. */
  readonly blocking?: boolean
  readonly field?: string
}
/** Undefined where the post does not set the condition. */
type Judge = (post: PostConditions, answers: Answers, context: ConditionContext) => Finding | undefined

const labelIn =
  ({ labelOf }: ConditionContext, dict: string, own: (key: string) => Label | undefined = () => undefined) =>
  (key: string): Label =>
    labelOf?.(dict, key) ?? own(key) ?? same(key)
/** Places of a list of codes by their names; words stay as the office has written them. */
export const hukouText = ({ text, prefixes }: NonNullable<PostConditions['hukou']>, placeName: (code: string) => Label): Label =>
  prefixes.length === 0 || !/\d{6}/.test(text) ? same(text) : oneOf(prefixes.map(prefix => placeName(prefix.padEnd(6, '0'))))
const oneOf = (labels: readonly Label[]): Label => ({ zh: labels.map(l => l.zh).join('、'), en: labels.map(l => l.en).join(', ') })
const NONE: Label = { zh: '无', en: 'None' }
type FreshContext = Pick<ConditionContext, 'examYear' | 'onDay' | 'policy'>
const freshIn = (answers: Answers, context: FreshContext) =>
  freshOf(textOf(answers.graduateDate), context.examYear, hasWorked(answers, context), context.policy)

/** What a post for fresh graduates asks for, as the examination counts. */
export const freshNeed = ({ freshYears }: Pick<GraduatePolicy, 'freshYears'>): Label =>
  freshYears === 0
    ? { zh: '应届(限当年毕业)', en: 'Graduates of this year' }
    : freshYears === 2
      ? { zh: '应届(含择业期内)', en: 'Fresh graduate (two-year rule)' }
      : { zh: `应届(含毕业 ${freshYears} 年内)`, en: `Fresh graduate (within ${freshYears} years)` }

/** Bounds of a birth date, at least one of which is given. */
export const bornNeed = (from: string | null, to: string | null): Label => {
  if (from && to) return { zh: `${from} 至 ${to}`, en: `${from} to ${to}` }
  return from ? { zh: `${from} 起`, en: `${from} or later` } : { zh: `${to} 止`, en: `${to} or earlier` }
}

/** One judge a rule, in the order in which checks are shown. */
const judges: Readonly<Record<PostRule, Judge>> = {
  born: ({ bornFrom, bornTo }, answers) => {
    if (!bornFrom && !bornTo) return undefined
    const birthday = textOf(answers.birthday)
    const passed = (!bornFrom || birthday >= bornFrom) && (!bornTo || birthday <= bornTo)
    return { passed, need: bornNeed(bornFrom, bornTo), got: birthday ? same(birthday) : undefined }
  },
  sex: (post, answers, context) => {
    if (post.sex === 0) return undefined
    const labelOf = labelIn(context, 'sex', key => (key === '1' ? { zh: '男', en: 'Male' } : { zh: '女', en: 'Female' }))
    const [asked, sex] = [String(post.sex), textOf(answers.sex)]
    return { passed: sex === asked, need: labelOf(asked), got: sex ? labelOf(sex) : undefined }
  },
  education: ({ educations }, answers, context) => {
    if (!educations) return undefined
    const labelOf = labelIn(context, 'education', key => ownLabel(EDUCATION_LABELS, key))
    const [education, degree] = [textOf(answers.education), textOf(answers.degree)]
    const got = education ? labelOf(education === '10' && degree === '1' ? '11' : education) : undefined
    if (!('min' in educations)) return { passed: listHolds(educations, education), need: oneOf(educations.map(labelOf)), got }
    const [rank, least] = [educationRank(education, degree), educationRank(educations.min, '')]
    const min = labelOf(educations.min)
    const isEnough = rank !== undefined && least !== undefined && rank >= least
    const isEqual = educations.min === '10' && education.startsWith('2') && context.policy.residencyMaster && hasResidency(answers)
    const passed = isEnough || (isEqual ? 'warn' : false)
    return { passed, need: isDoctorate(educations.min) ? min : atLeast(min), got }
  },
  degree: ({ degrees }, answers, context) => {
    if (!degrees) return undefined
    const labelOf = labelIn(context, 'degree', key => ownLabel(DEGREE_LABELS, key))
    const degree = textOf(answers.degree)
    const got = degree ? labelOf(degree) : undefined
    if (!('min' in degrees)) return { passed: degrees.includes(degree), need: oneOf(degrees.map(labelOf)), got }
    const min = labelOf(degrees.min)
    const isEnough = /^[1-4]$/.test(degree) && degree <= degrees.min
    const isEqual = degrees.min === '2' && degree === '3' && context.policy.residencyMaster && hasResidency(answers)
    const passed = isEnough || (isEqual ? 'warn' : false)
    return { passed, need: degrees.min === '1' ? min : atLeast(min), got }
  },
  major: ({ majors, majorText }, answers) => {
    if (majors.length === 0) return undefined
    const [code, name] = [textOf(answers.majorCode).toUpperCase(), majorName(textOf(answers.major))]
    const given = textOf(answers.major) || code
    return {
      passed: majors.some(m => (code !== '' && m.code.toUpperCase() === code) || (name !== '' && majorName(m.name) === name)),
      need: same(majorText || [...new Set(majors.map(m => m.name || m.code))].join('、')),
      got: given ? same(given) : undefined,
      // Catalogues are never complete, so another name is for a person to judge.
      blocking: false,
    }
  },
  fresh: (post, answers, context) => {
    const labelOf = labelIn(context, 'fresh', key => ownLabel(FRESH_LABELS, key))
    const fresh = freshIn(answers, context)
    if (post.fresh !== 0) {
      const date = textOf(answers.graduateDate)
      const isMet = post.fresh === 1 ? fresh === 1 || fresh === 3 : fresh === 2
      return {
        passed: isMet || (post.fresh === 1 && context.policy.residencyFresh && hasResidency(answers) ? 'warn' : false),
        need: post.fresh === 1 ? freshNeed(context.policy) : { zh: '往届', en: 'Past graduate' },
        got: fresh ? labelOf(String(fresh)) : date ? same(date) : undefined,
      }
    }
    const declared = textOf(answers.fresh)
    if (!fresh || !declared || declared === String(fresh)) return undefined
    // The post does not ask, but what the candidate says of themselves does not follow from their date.
    const meant = labelOf(String(fresh))
    const need = { zh: `与毕业时间一致（${meant.zh}）`, en: `the same as the graduation date (${meant.en})` }
    return { passed: 'warn', need, got: labelOf(declared), blocking: false, field: 'fresh' }
  },
  political: (post, answers, context) => {
    if (post.political.length === 0) return undefined
    const labelOf = labelIn(context, 'political')
    const political = textOf(answers.political)
    return {
      passed: post.political.includes(political),
      need: oneOf(post.political.map(labelOf)),
      got: political ? labelOf(political) : undefined,
    }
  },
  hukou: ({ hukou }, answers, context) => {
    if (!hukou) return undefined
    const address = textOf(answers.hukouAddress)
    const region = context.hukouRegion ?? (/^\d{6}$/.test(address) ? address : '')
    const placeName = labelIn(context, 'region', context.placeName)
    return {
      passed: hukou.prefixes.length > 0 ? hukou.prefixes.some(prefix => region.startsWith(prefix)) : 'warn',
      need: hukouText(hukou, placeName),
      got: region ? placeName(region) : undefined,
      ...(context.hukouRegion === undefined ? {} : { field: regionKey }),
    }
  },
  cert: ({ cert }, answers, context) => {
    if (cert.length === 0) return undefined
    const held = textsOf(answers.certName)
    const labelOf = labelIn(context, 'cert')
    const asked = answers.certName !== undefined && answers.certName !== null
    const accepted = cert.flatMap(one => [one, ...(CERT_INCLUDES[one] ?? [])])
    const fresh = freshIn(answers, context)
    // Who graduates this year gets the certificate after sign-up; announcements allow it until a date only a person can judge.
    const mayFollow = held.length === 0 && (fresh === 1 || fresh === 3)
    return {
      passed: held.some(one => accepted.includes(one)) || (mayFollow ? 'warn' : false),
      need: oneOf(cert.map(labelOf)),
      got: held.length > 0 ? oneOf(held.map(labelOf)) : asked ? NONE : undefined,
    }
  },
  title: (post, answers, context) => {
    if (!post.title) return undefined
    const { min } = post.title
    const labelOf = labelIn(context, 'title', key => ownLabel(TITLE_LABELS, key))
    const rankOf = (title: string) => (TITLES as readonly string[]).indexOf(title)
    const title = textOf(answers.title)
    const asked = answers.title !== undefined && answers.title !== null
    const isKnown = title === '' || title === noTitle || rankOf(title) >= 0
    return {
      passed: isKnown ? rankOf(title) >= rankOf(min) : 'warn',
      need: rankOf(min) === TITLES.length - 1 ? labelOf(min) : atLeast(labelOf(min)),
      got: title === noTitle ? NONE : title ? labelOf(title) : asked ? NONE : undefined,
    }
  },
  workYears: ({ minWorkYears }, answers, context) => {
    if (minWorkYears === null || minWorkYears <= 0) return undefined
    const [first, stated] = [textOf(answers.firstWorkDate), textOf(answers.workYears)]
    const years = first ? yearsBetween(first, context.onDay) : /^\d{1,2}$/.test(stated) ? Number(stated) : undefined
    return {
      passed: (years ?? 0) >= minWorkYears,
      need: { zh: `${minWorkYears} 年及以上`, en: `${minWorkYears} years or more` },
      got: years === undefined ? undefined : { zh: `${years} 年`, en: `${years} years` },
      ...(first === '' && stated !== '' ? { field: 'workYears' } : {}),
    }
  },
  relative: (post, answers) => {
    const relatives = [answers.relatives, answers.relativeInfo].find(Array.isArray) ?? []
    const units = relatives.map((row: unknown) => textOf((row as Record<string, unknown> | null)?.unit))
    if (units.some(unit => unit !== '' && (unit === post.unit || unit === post.unitName)))
      return {
        passed: 'warn',
        need: { zh: '需回避', en: 'Recusal needed' },
        got: { zh: '有亲属在本单位', en: 'A relative works in this unit' },
      }
    return textOf(answers.hasRelative) === '1'
      ? { passed: 'warn', need: ANY, got: { zh: '申报有亲属关系', en: 'A relative was declared' } }
      : undefined
  },
}

const checkOf = (rule: ConditionRule, { passed, need, got, blocking = true, field }: Finding): ConditionCheck => {
  const isJudged = got !== undefined && passed !== 'warn'
  const result = !isJudged ? 'warn' : passed ? 'ok' : blocking ? 'no' : 'warn'
  return { rule, result, need, got: got ?? NOT_GIVEN, blocking: blocking && isJudged, ...(field === undefined ? {} : { field }) }
}

/**
 * Compares the answers of a sign-up with the conditions of a post (domain 4.2 "Automatic conditions"). Conditions that a post does not
 * set are left out. An answer the form does not hold cannot be judged: it warns and never blocks.
 * @returns in the fixed order of `PostRule`
 */
export const evaluateConditions = (post: PostConditions, answers: Answers, context: ConditionContext): ConditionCheck[] =>
  (Object.keys(judges) as PostRule[]).flatMap(rule => {
    const finding = judges[rule](post, answers, context)
    return finding ? [checkOf(rule, finding)] : []
  })

/** The sign-up as a whole: `no` (red) if a condition is not met, `warn` (amber) if one is for a person, else `ok` (green). */
export const overallResult = (checks: readonly ConditionCheck[]): ConditionResult =>
  checks.some(check => check.result === 'no') ? 'no' : checks.some(check => check.result === 'warn') ? 'warn' : 'ok'

/** Bounds that are printed in the announcement and that the id number proves. Whatever else is found against somebody goes to a person if they insist. */
const certain: ReadonlySet<ConditionRule> = new Set(['born', 'sex'])
export const mayInsist = (check: Pick<ConditionCheck, 'rule'>): boolean => !certain.has(check.rule)

/**
 * The checks that refuse a submit (2105).
 * @param insists - the candidate has been told and wants a person to decide
 */
export const blockingChecks = (checks: readonly ConditionCheck[], insists = false): ConditionCheck[] =>
  checks.filter(check => check.result === 'no' && check.blocking && !(insists && mayInsist(check)))

/** The sentence of one check, for the field it belongs to: 出生日期：要求 1990-03-16 起，您填写的是 1988-11-20. */
export const conditionMessage = (check: ConditionCheck): Label => ({
  zh: `${checkLabel(check).zh}：要求 ${check.need.zh}，您填写的是 ${check.got.zh}`,
  en: `${checkLabel(check).en}: ${check.need.en} is required, you gave ${check.got.en}`,
})

/** An answer that a chosen post asks for. */
export interface Demand {
  /** Item key, or `regionKey`. */
  readonly field: string
  readonly need: Label
}

/**
 * The answers without which the conditions of the chosen posts cannot be judged. Who may bring a certificate later need not name one, and what
 * a candidate declares of themselves is no condition.
 * @param checks - of both choices
 */
export const demandsOf = (checks: readonly ConditionCheck[], answers: Answers, context: FreshContext): Demand[] => {
  const mayFollow = [1, 3].includes(freshIn(answers, context) ?? 0)
  const demands = new Map<string, Demand>()
  for (const check of checks) {
    const field = fieldOfCheck(check)
    const isAsked = check.rule in judges && check.rule !== 'relative' && field !== 'fresh' && !(check.rule === 'cert' && mayFollow)
    if (isAsked && !demands.has(field)) demands.set(field, { field, need: check.need })
  }
  return [...demands.values()]
}
