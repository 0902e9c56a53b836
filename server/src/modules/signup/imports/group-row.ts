import { type Label, label } from '#contract/kernel/label.ts'
import { checkDocument, idCardMessages, isTooYoung, tooYoungMessage } from '#contract/person/id-card.ts'
import { checkMobile, mobileMessages } from '#contract/person/mobile.ts'
import { documentKey } from '#contract/person/passport.ts'
import { checkName, nameKey, nameMessages } from '#contract/person/person-name.ts'
import { type NamedSchool, schoolMeant, titleOfSchool, whichSchool } from '#contract/school/named-school.ts'
import { blockingChecks, type ConditionCheck, conditionMessage, overallResult } from '#contract/signup/conditions.ts'
import { normalizeContent, type SignItem, validateContent, withDerived } from '#contract/signup/content.ts'
import { formDoubts, orderProblems } from '#contract/signup/form-facts.ts'
import type { PostRow } from '#modules/exam/index.ts'
import { failRepeated, flagOf, type HeaderSpec, isScientific, type RowReader, requiredReason, short } from '#modules/transfer/index.ts'
import type { KnownPerson } from '../data/group.repo.ts'

/** The columns of template T2 (domain 5.9); each further field of the form has a column by its label. */
export const groupColumns = {
  name: { header: '姓名', required: true },
  idCardType: { header: '证件类型', required: false },
  idCard: { header: '证件号码', required: true, kind: 'code' },
  phone: { header: '手机号', required: true, kind: 'code' },
  unit: { header: '单位代码', required: false, kind: 'code' },
  code: { header: '岗位代码', required: true, kind: 'code' },
  code2: { header: '第二志愿岗位代码', required: false, kind: 'code' },
  adjust: { header: '是否服从调剂', required: false },
  province: { header: '省', required: false },
  city: { header: '市', required: false },
  area: { header: '区', required: false },
  nation: { header: '民族', required: false },
  political: { header: '政治面貌', required: false },
  education: { header: '学历', required: true },
  degree: { header: '学位', required: false },
  school: { header: '毕业院校', required: false },
  major: { header: '专业', required: true },
  graduateDate: { header: '毕业时间', required: false, kind: 'day' },
  remark: { header: '备注', required: false, lines: true },
} as const satisfies Record<string, HeaderSpec>
export type GroupColumn = keyof typeof groupColumns
type Reader = RowReader<string>

/** Answers that have a column of their own in the template. */
const answerColumns = ['nation', 'political', 'education', 'degree', 'school', 'major', 'graduateDate'] as const
const ownKeys: ReadonlySet<string> = new Set([...answerColumns, 'name', 'idCardType', 'idCard', 'phone', 'adjust', 'sex', 'birthday'])
const inCells: ReadonlySet<string> = new Set([
  'text',
  'textarea',
  'number',
  'date',
  'month',
  'select',
  'radio',
  'school',
  'major',
  'phone',
  'email',
])

/** Columns of the form beside those of the template: what can be said in a cell. */
export const itemColumns = (items: readonly SignItem[]): Readonly<Record<string, HeaderSpec>> =>
  Object.fromEntries(
    items
      .filter(item => !ownKeys.has(item.itemKey) && inCells.has(item.fieldType))
      .map(item => [
        `item:${item.itemKey}`,
        {
          header: item.itemLabel,
          required: false,
          ...(item.fieldType === 'date' ? { kind: 'day' as const } : {}),
          ...(item.fieldType === 'textarea' ? { lines: true } : {}),
        },
      ]),
  )

export interface GroupInput {
  /** Undefined: an account is made. */
  readonly userId: string | undefined
  /** Whether the account that is made holds the numbers: one that stands in for somebody whom a school invites holds none. */
  readonly holdsNumbers: boolean
  /** The account of the person themselves, where the sign-up is an invitation beside it. */
  readonly invites: string | undefined
  readonly name: string
  readonly nameRare: boolean
  readonly idCard: string
  readonly idCardType: string
  readonly idCardIndex: string
  readonly sex: number
  readonly birthday: string
  readonly phone: string
  readonly phoneIndex: string
  readonly code: string
  readonly code2: string | null
  readonly adjust: boolean
  readonly region: { readonly province: string | null; readonly city: string | null; readonly area: string | null }
  readonly content: Readonly<Record<string, unknown>>
  /** Its school as lists print it. */
  readonly school: string | null
  readonly checks: readonly ConditionCheck[]
  readonly result: string
}

/** What the rows of a file are judged by. */
export interface GroupFacts {
  readonly today: string
  /** Names of all columns of the file. */
  readonly columns: readonly string[]
  readonly items: readonly SignItem[]
  /** Keys of dictionaries by label and by key. */
  readonly keyOf: (dictCode: string, text: string) => string | undefined
  readonly isRegion: (code: string) => boolean
  readonly indexOf: (purpose: 'id-card' | 'phone', value: string) => string
  readonly peopleByCard: ReadonlyMap<string, KnownPerson>
  readonly peopleByPhone: ReadonlyMap<string, KnownPerson>
  /** States of the sign-ups that the group has handed in for the examination, by id number. Undefined: staff, who may sign up anybody. */
  readonly handedIn: ReadonlyMap<string, Label> | undefined
  /** States of sign-ups of the examination, by id number and by account. */
  readonly signedUp: ReadonlyMap<string, Label>
  readonly listed: ReadonlySet<string>
  readonly hotline: string
  readonly posts: ReadonlyMap<string, PostRow>
  readonly allowSecond: boolean
  readonly judge: (content: Readonly<Record<string, unknown>>, post: PostRow, post2: PostRow | undefined) => readonly ConditionCheck[]
  /** Schools of the list by what stands in the cells: a name, one of before, or a code. */
  readonly schools: ReadonlyMap<string, readonly NamedSchool[]>
  readonly firstCard: Map<string, number>
  readonly firstPhone: Map<string, number>
}

const closed = (post: PostRow): boolean => post.postState === 2 || post.postState === 4

interface Numbers {
  readonly name: string
  readonly idCardIndex: string
  readonly known: KnownPerson | undefined
  readonly ofPhone: KnownPerson | undefined
}
type Place = Pick<GroupInput, 'userId' | 'holdsNumbers' | 'invites'>

const failSignedUp = (reader: Reader, state: Label): void =>
  reader.fail('idCard', 'signed-up', label(`此人已报名本次考试（${state.zh}）`, `This person has signed up already (${state.en})`))

/**
 * Where the sign-up of a group's row goes. What is known of a person is not said to a group, whether they have an account, a sign-up, that phone or a ban: every row
 * that is right by itself is an invitation of its own, which the person takes over.
 */
const placeOfGroup = (reader: Reader, handedIn: ReadonlyMap<string, Label>, { name, idCardIndex, known }: Numbers): Place => {
  const state = handedIn.get(idCardIndex)
  if (state) failSignedUp(reader, state)
  const isSamePerson = known !== undefined && known.status === 1 && nameKey(known.name) === nameKey(name)
  return { userId: undefined, holdsNumbers: false, invites: isSamePerson ? known.userId : undefined }
}

/** Where the sign-up of a row of the office goes, which hears why a person cannot be signed up. */
const placeOfOffice = (reader: Reader, facts: GroupFacts, { name, idCardIndex, known, ofPhone }: Numbers): Place => {
  if (known && nameKey(known.name) !== nameKey(name))
    reader.fail('name', 'name-mismatch', label('姓名与该证件号已注册的账号不一致', 'The name differs from the account with this id number'))
  if (ofPhone && ofPhone.userId !== known?.userId)
    reader.fail('phone', 'phone-taken', label('该手机号已由其他账号使用', 'Another account has this phone'))
  if (known && known.status !== 1)
    reader.fail('idCard', 'account-closed', label('此人的账号未启用，请先处理账号', 'This person’s account is not active; see to it first'))
  const state = facts.signedUp.get(idCardIndex) ?? (known && facts.signedUp.get(known.userId))
  if (state) failSignedUp(reader, state)
  if (facts.listed.has(idCardIndex))
    reader.fail(
      'idCard',
      'blocked',
      label(`此人暂不能报名，请电话咨询 ${facts.hotline}`, `This person cannot sign up at present; please call ${facts.hotline}`),
    )
  return { userId: known?.userId, holdsNumbers: true, invites: undefined }
}

/** Who a row is about: three answers that have to fit each other and what is known. */
const readPerson = (reader: Reader, facts: GroupFacts) => {
  const name = checkName(reader.text('name'))
  if (!name.ok) reader.fail('name', name.problem, reader.text('name') === '' ? requiredReason('姓名') : nameMessages[name.problem])
  const typed = reader.code('idCard')
  if (isScientific(typed)) {
    reader.fail(
      'idCard',
      'scientific',
      label('证件号码已变成科学计数，请设为文本格式后重新填写', 'Format the id number as text and type it again: digits were lost'),
    )
    return undefined
  }
  const card = checkDocument(typed, facts.today)
  if (!card.ok) reader.fail('idCard', card.problem, typed === '' ? requiredReason('证件号码') : idCardMessages[card.problem])
  else if (isTooYoung(card.birthday, facts.today)) reader.fail('idCard', 'too-young', tooYoungMessage)
  const phone = checkMobile(reader.code('phone'))
  if (!phone.ok) reader.fail('phone', phone.problem, reader.code('phone') === '' ? requiredReason('手机号') : mobileMessages[phone.problem])
  if (!name.ok || !card.ok || !phone.ok) return undefined
  const idCardIndex = facts.indexOf('id-card', documentKey({ idCard: card.idCard, nationality: null }))
  const phoneIndex = facts.indexOf('phone', phone.mobile)
  failRepeated(reader, 'idCard', idCardIndex, facts.firstCard)
  failRepeated(reader, 'phone', phoneIndex, facts.firstPhone)
  const known = facts.peopleByCard.get(idCardIndex)
  const ofPhone = facts.peopleByPhone.get(phoneIndex)
  const numbers = { name: name.name, idCardIndex, known, ofPhone }
  const place = facts.handedIn ? placeOfGroup(reader, facts.handedIn, numbers) : placeOfOffice(reader, facts, numbers)
  return { name, card, phone: phone.mobile, idCardIndex, phoneIndex, place }
}

const readPosts = (reader: Reader, facts: GroupFacts) => {
  const code = reader.code('code')
  const post = facts.posts.get(code)
  if (code === '') reader.fail('code', 'required', requiredReason('岗位代码'))
  else if (!post) reader.fail('code', 'unknown-post', label(`没有岗位 ${code}`, `There is no post ${code}`))
  else if (closed(post)) reader.fail('code', 'post-closed', label(`岗位 ${code} 已取消或暂停`, `Post ${code} is cancelled or paused`))
  const unit = reader.code('unit')
  if (post && unit !== '' && unit !== post.unit)
    reader.fail('unit', 'unit-mismatch', label(`岗位 ${code} 属于单位 ${post.unit}`, `Post ${code} is of unit ${post.unit}`))
  const code2 = reader.code('code2')
  const post2 = code2 === '' ? undefined : facts.posts.get(code2)
  if (code2 !== '' && !facts.allowSecond)
    reader.fail('code2', 'no-second', label('本考试没有第二志愿', 'This examination has no second choice'))
  else if (code2 !== '' && (!post2 || closed(post2) || code2 === code))
    reader.fail('code2', 'unknown-post', label(`第二志愿不能是岗位 ${code2}`, `Post ${code2} cannot be the second choice`))
  return { post, post2 }
}

const whichInCell = (typed: string, found: readonly NamedSchool[]): Label => {
  const { zh, en } = whichSchool(typed, found)
  return { zh: `${zh}；可在此填写院校标识码`, en: `${en}; its code may stand here` }
}

/** Answers of a row as the form keeps them: entries of dictionaries by their label or their key. */
const readAnswers = (reader: Reader, { items, keyOf, schools }: GroupFacts): Record<string, unknown> => {
  const content: Record<string, unknown> = {}
  for (const item of items) {
    const column = (answerColumns as readonly string[]).includes(item.itemKey) ? item.itemKey : `item:${item.itemKey}`
    if (column.startsWith('item:') && (ownKeys.has(item.itemKey) || !inCells.has(item.fieldType))) continue
    const typed = reader.text(column)
    if (typed === '' || reader.failed(column)) continue
    if (item.dictCode) {
      const key = keyOf(item.dictCode, typed)
      if (key === undefined) reader.fail(column, 'dictionary', label(`没有这个选项: ${typed}`, `There is no such entry: ${typed}`))
      else content[item.itemKey] = key
    } else if (item.fieldType === 'school') {
      const found = schools.get(typed) ?? []
      const school = schoolMeant(found, undefined)
      if (found.length > 1) reader.fail(column, 'several-schools', whichInCell(typed, found))
      const isCode = school?.schoolCode === typed
      content[item.itemKey] = isCode ? school.schoolName : typed
      if (school && (isCode || school.isFormer)) content[`${item.itemKey}Code`] = school.schoolCode
    } else content[item.itemKey] = typed
  }
  return content
}

const readRegion = (reader: Reader, { isRegion }: GroupFacts): GroupInput['region'] => {
  const part = (key: 'province' | 'city' | 'area'): string | null => {
    const code = reader.code(key)
    if (code !== '' && !isRegion(code)) reader.fail(key, 'region', label('请填 6 位行政区划代码', 'Give the six digits of the region'))
    return code === '' ? null : code
  }
  return { province: part('province'), city: part('city'), area: part('area') }
}

/** Which column an answer stands in. */
const columnOf = (key: string): string =>
  (answerColumns as readonly string[]).includes(key) || key === 'name' || key === 'idCard' || key === 'phone' ? key : `item:${key}`

/** A cell may hold the code of a school: what was found by it is of the name that the answer has now. */
const schoolOf = (reader: Reader, { schools }: GroupFacts, content: Readonly<Record<string, unknown>>): string | null =>
  titleOfSchool(new Map([[String(content['school']), schools.get(reader.text('school')) ?? []]]), content)

/** One row; undefined where it has faults, which the reader has kept. */
export const readGroupRow = (reader: Reader, facts: GroupFacts): GroupInput | undefined => {
  const person = readPerson(reader, facts)
  const { post, post2 } = readPosts(reader, facts)
  const typed = readAnswers(reader, facts)
  const region = readRegion(reader, facts)
  const adjust = flagOf(reader, 'adjust')
  short(reader, 'remark', 200)
  for (const [key, name] of [
    ['education', '学历'],
    ['major', '专业'],
  ] as const)
    if (reader.text(key) === '') reader.fail(key, 'required', requiredReason(name))
  if (!person || !post) return undefined
  const { name, card, phone, idCardIndex, phoneIndex, place } = person
  const content = normalizeContent(
    facts.items,
    withDerived(
      { ...typed, name: name.name, idCard: card.idCard, phone, ...(adjust === null ? {} : { adjust: String(adjust) }) },
      facts.today,
    ),
  )
  // What is not given is for the person to answer; what is given has to be right.
  for (const problem of validateContent(facts.items, content, { today: facts.today, dictionary: () => undefined }))
    if (problem.reason !== 'required' && problem.reason !== 'dictionary')
      reader.fail(columnOf(problem.key), problem.reason, problem.message)
  const answers = { ...content, birthday: card.birthday }
  const cellOf = (key: string): string => (key === 'birthday' ? 'idCard' : columnOf(key))
  for (const { key, message } of orderProblems(facts.items, answers, facts.today)) reader.fail(cellOf(key), 'order', message)
  for (const doubt of formDoubts(facts.items, answers, facts.today)) reader.ask(cellOf(doubt.field ?? ''), doubt)
  const checks = facts.judge(content, post, post2)
  const [unmet] = blockingChecks(checks.filter(check => (check.choice ?? 1) === 1))
  if (unmet) reader.fail('code', 'conditions', conditionMessage(unmet))
  const [unmet2] = blockingChecks(checks.filter(check => check.choice === 2))
  if (unmet2) reader.fail('code2', 'conditions', conditionMessage(unmet2))
  // A row with a fault takes no place and no number.
  if (facts.columns.some(column => reader.failed(column))) return undefined
  return {
    ...place,
    ...{ name: name.name, nameRare: name.nameRare || name.needsReview },
    ...{ idCard: card.idCard, idCardType: card.type, idCardIndex, sex: card.sex, birthday: card.birthday, phone, phoneIndex },
    ...{
      code: post.code,
      code2: post2?.code ?? null,
      adjust: adjust === 1,
      region,
      content,
      school: schoolOf(reader, facts, content),
    },
    ...{ checks, result: overallResult(checks) },
  }
}
