import type { Label } from './label.ts'
import type { MaskKind } from './mask.ts'

/**
 * What is told about a person, whichever noun tells it: a rule about a fact is a rule about all its copies (ADR 0320). Sign-ups, tickets, dues and
 * their workbooks each hold a name; whoever may not see it in one of them does not read it in the next.
 */
export const facts = {
  name: { label: { zh: '姓名', en: 'Name' }, mask: 'name' },
  idCard: { label: { zh: '证件号码', en: 'Id number' }, mask: 'idCard' },
  phone: { label: { zh: '手机号', en: 'Phone' }, mask: 'phone' },
  email: { label: { zh: '电子邮箱', en: 'E-mail' }, mask: 'email' },
  address: { label: { zh: '地址', en: 'Address' }, mask: 'address' },
  photo: { label: { zh: '照片', en: 'Photo' }, mask: 'none' },
  birthday: { label: { zh: '出生日期', en: 'Birth date' }, mask: 'none' },
  sex: { label: { zh: '性别', en: 'Sex' }, mask: 'none' },
  ticketNo: { label: { zh: '准考证号', en: 'Ticket number' }, mask: 'ticketNo' },
  score: { label: { zh: '成绩', en: 'Score' }, mask: 'none' },
} as const satisfies Readonly<Record<string, { readonly label: Label; readonly mask: MaskKind }>>
export type Fact = keyof typeof facts
export const factNames = Object.keys(facts) as readonly Fact[]
/** `none`: it is nobody's, whatever its name or its mask make of it: the name of a thing, the announced phone of an office. */
export type SaidFact = Fact | 'none'

const isFact = (name: string): name is Fact => Object.hasOwn(facts, name)

/** Which fact a field holds: what is said of it, else what its mask is made for. */
export const factOf = (field: { readonly mask?: MaskKind; readonly fact?: SaidFact }): Fact | undefined => {
  if (field.fact !== undefined) return field.fact === 'none' ? undefined : field.fact
  return field.mask !== undefined && isFact(field.mask) ? field.mask : undefined
}

/** Names under which a fact travels, in the order in which they are tried. */
const byName: readonly (readonly [Fact, RegExp])[] = [
  ['phone', /^(phone|mobile|tel|telephone|contactNumber)(Mask|Tail|Full|No)?$|(Phone|Mobile)(Mask)?$/],
  ['email', /^e?mail(Mask)?$|Email(Mask)?$/],
  ['idCard', /^(idCard|idNo|idNumber|certNo|passport(No)?)(Mask|Tail|Full)?$|(IdCard|IdNo|IdNumber)(Mask|Tail)?$/],
  ['address', /^address$|Address$/],
  ['photo', /^(photo|avatar|portrait|face)(s|Url|Link)?$|(Photo|Avatar|Portrait)(Url|Link)?$/],
  ['birthday', /^(birthday|birthDate|dateOfBirth)$/],
  ['sex', /^(sex|gender)$/],
  ['ticketNo', /^ticketNo(Mask)?$|TicketNo$/],
  ['score', /^(score|finalScore|writtenTotal|interviewTotal|totalScore)$|Score$/],
  [
    'name',
    /^(name|realName|userName|nickName|linkman|contact|candidate|applicant|personName)(Mask)?$|(RealName|UserName|NickName|PersonName|CandidateName)$|^(create|update|approve|approver|handle|handled|handler|apply|applicant|enter|entered|posted|sure|import|undo|by|check|checker|first|second|starter|assignee|owner|examiner|reviewer|operator|sender|creator|recorder|confirm|decide|decided|uploader)(User)?Name$|^(check|first|second|apply|create|update)User$/,
  ],
]
/** What screens and columns call them in Chinese; in English things have names and addresses too. */
const byWord: Readonly<Record<Fact, RegExp>> = {
  name: /^(考生|人员|本人|联系人)?姓名$|^联系人$|(经办|处理|审批|审核|申请|登记|确认|导入|撤销|上传|操作)人$/,
  idCard: /^(证件|身份证)(号码?)/,
  phone: /(手机号码?|联系电话|^电话)$/,
  email: /邮箱$/,
  address: /^(通讯|家庭|联系|户籍)?地址$/,
  photo: /^(考生)?(照片|头像)$/,
  birthday: /^(出生日期|生日)$/,
  sex: /^性别$/,
  ticketNo: /^准考证号$/,
  score: /^(成绩|得分|总分|总成绩|笔试成绩|面试成绩)$/,
}

/** Which fact a value seems to be, by what a program calls it. */
export const factByName = (name: string): Fact | undefined => byName.find(([, pattern]) => pattern.test(name))?.[0]
/** The same by what people call it. */
export const factByWord = (word: string): Fact | undefined => factNames.find(fact => byWord[fact].test(word))

/** What is wrong with a field that seems to hold a fact and says neither which nor that it is none; undefined when nothing is. */
export const factProblem = (
  name: string,
  field: { readonly label?: Label; readonly mask?: MaskKind; readonly fact?: SaidFact },
): string | undefined => {
  if (field.fact !== undefined || factOf(field) !== undefined) return undefined
  const seems = factByName(name) ?? (field.label && factByWord(field.label.zh))
  return seems === undefined
    ? undefined
    : `${name} seems to hold the ${facts[seems].label.en.toLowerCase()} of a person: say \`fact: '${seems}'\`, or \`fact: 'none'\` where it is nobody's`
}
