import { maskTicketNo } from '../kernel/mask.ts'

/** Lists that are published from released results (domain 4.11). */
export const publicityList = { shortlist: 1, hire: 2 } as const
export type PublicityList = (typeof publicityList)[keyof typeof publicityList]

export interface PublicityPerson {
  readonly unitName: string
  readonly code: string
  readonly codeName: string
  readonly name: string
  readonly ticketNo: string
  readonly written: string
  readonly interview: string
  readonly total: string
  readonly rank: string
}

export interface PublicityFacts {
  readonly examName: string
  readonly list: PublicityList
  /** Who publishes it, and who hears objections. */
  readonly office: string
  readonly department: string
  readonly contactPhone: string
  readonly days: number
  /** First and last day, `yyyy-MM-dd`. */
  readonly from: string
  readonly until: string
  readonly people: readonly PublicityPerson[]
}

const names: Readonly<Record<PublicityList, string>> = { 1: '入围人员名单', 2: '拟聘用人员名单' }
const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, char => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] ?? '')
const row = (tag: 'th' | 'td', cells: readonly string[]): string =>
  `<tr>${cells.map(cell => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`

const dayWords = (day: string): string => {
  const [year, month, date] = day.split('-').map(Number)
  return `${year}年${month}月${date}日`
}
type Column = readonly [head: string, of: (person: PublicityPerson, index: number) => string]
const columns: readonly Column[] = [
  ['序号', (_person, index) => String(index + 1)],
  ['招聘单位', person => person.unitName],
  ['岗位代码', person => person.code],
  ['岗位名称', person => person.codeName],
  ['姓名', person => person.name],
  ['准考证号', person => (person.ticketNo === '' ? '' : maskTicketNo(person.ticketNo))],
  ['笔试成绩', person => person.written],
  ['面试成绩', person => person.interview],
  ['总成绩', person => person.total],
  ['名次', person => person.rank],
]

/**
 * The notice that publishes a list. By law it says the name in full; the ticket number is masked in its middle, and numbers of identity cards and
 * phones are no part of it (domain 4.11, 5.10). What nobody has is no column.
 */
export const publicityNotice = (facts: PublicityFacts): { title: string; content: string } => {
  const { examName, list, office, department, contactPhone, days, from, until, people } = facts
  const shown = columns.filter(([, of]) => people.some((person, index) => of(person, index) !== ''))
  const head = row(
    'th',
    shown.map(([name]) => name),
  )
  const body = people.map((person, index) =>
    row(
      'td',
      shown.map(([, of]) => of(person, index)),
    ),
  )
  const hearing = [...(department === '' ? [] : [`受理部门：${department}`]), ...(contactPhone === '' ? [] : [`联系电话：${contactPhone}`])]
  return {
    title: `${examName}${names[list]}公示`,
    content: [
      `<p>根据招聘公告和考试成绩，现将${escaped(examName)}${names[list]}予以公示，共 ${people.length} 人。公示期：${dayWords(from)}至${dayWords(until)}（${days} 个工作日）。</p>`,
      `<table><thead>${head}</thead><tbody>${body.join('')}</tbody></table>`,
      '<p>对名单有异议的，可在公示期内反映。反映问题应实事求是，并提供必要的证据。</p>',
      ...(hearing.length === 0 ? [] : [`<p>${escaped(hearing.join('；'))}</p>`]),
      `<p data-align="right">${escaped(office)}</p><p data-align="right">${dayWords(from)}</p>`,
    ].join(''),
  }
}
