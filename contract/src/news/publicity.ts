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
  readonly contactPhone: string
  readonly days: number
  readonly people: readonly PublicityPerson[]
}

const names: Readonly<Record<PublicityList, string>> = { 1: '入围人员名单', 2: '拟聘用人员名单' }
const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, char => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] ?? '')
const row = (tag: 'th' | 'td', cells: readonly string[]): string =>
  `<tr>${cells.map(cell => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`

/**
 * The notice that publishes a list. By law it says the name in full; the ticket number is masked in its middle, and numbers of identity cards and
 * phones are no part of it (domain 4.11, 5.10).
 */
export const publicityNotice = ({ examName, list, contactPhone, days, people }: PublicityFacts): { title: string; content: string } => {
  const withInterview = people.some(person => person.interview !== '')
  const columns: readonly (readonly [head: string, of: (person: PublicityPerson) => string])[] = [
    ['招聘单位', person => person.unitName],
    ['岗位代码', person => person.code],
    ['岗位名称', person => person.codeName],
    ['姓名', person => person.name],
    ['准考证号', person => maskTicketNo(person.ticketNo)],
    ['笔试成绩', person => person.written],
    ...(withInterview ? [['面试成绩', (person: PublicityPerson) => person.interview] as const] : []),
    ['总成绩', person => person.total],
    ['名次', person => person.rank],
  ]
  return {
    title: `${examName}${names[list]}公示`,
    content: [
      `<p>根据招聘公告和考试成绩，现将${escaped(examName)}${names[list]}予以公示，共 ${people.length} 人，公示期 ${days} 个工作日。</p>`,
      `<table><thead>${row(
        'th',
        columns.map(([head]) => head),
      )}</thead><tbody>${people
        .map(person =>
          row(
            'td',
            columns.map(([, of]) => of(person)),
          ),
        )
        .join('')}</tbody></table>`,
      `<p>对名单有异议的，可在公示期内反映${contactPhone === '' ? '' : `，联系电话：${escaped(contactPhone)}`}。反映问题应实事求是，并提供必要的证据。</p>`,
    ].join(''),
  }
}
