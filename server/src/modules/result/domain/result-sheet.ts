import type { Label } from '#contract/kernel/label.ts'
import { nameKey } from '#contract/person/person-name.ts'
import { formatHundredths, parseHundredths } from '#contract/result/score.ts'
import {
  type CheckedSheet,
  type FileProblem,
  type HeaderSpec,
  headerKey,
  isScientific,
  type OpenedSheet,
  openSheet,
  type RowReader,
  requiredReason,
  sameAsReason,
} from '#modules/transfer/domain/sheet.ts'
import type { ImportCell } from '#modules/transfer/domain/sheet-cell.ts'
import { roomObjects, type Seen } from './against-room.ts'

/** The columns of template T6 (domain 5.9). */
export const resultColumns = {
  ticketNo: { header: '准考证号', required: true, kind: 'code' },
  name: { header: '姓名', required: true },
  itemCode: { header: '科目代码', required: true, kind: 'code' },
  score: { header: '成绩', required: false, kind: 'number' },
  state: { header: '考试状态(正常/缺考/违纪/零分/免试)', required: true },
  bonus: { header: '加分', required: false, kind: 'number' },
  remark: { header: '备注', required: false, lines: true },
} as const satisfies Record<string, HeaderSpec>
export type ResultColumn = keyof typeof resultColumns

/** `resultState` on the wire (domain 3.12) by what the sheet says. */
const STATES: Readonly<Record<string, 1 | 2 | 3 | 4 | 5>> = { 正常: 1, 缺考: 2, 违纪: 3, 零分: 4, 免试: 5, 缓考: 5, '缓考/免试': 5 }
const stateWords = Object.keys(STATES)
  .filter(word => !word.includes('/'))
  .join('、')

export interface ResultInput {
  readonly ticketNo: string
  readonly signupId: string
  readonly userId: string
  /** As on the ticket, whatever the sheet's spelling. */
  readonly name: string
  readonly itemId: string
  readonly itemCode: string
  /** Null unless the state is 1. */
  readonly scoreHundredths: number | null
  readonly resultState: 1 | 2 | 3 | 4 | 5
  readonly bonusHundredths: number
  /** Score plus bonus; null unless the state is 1. */
  readonly finalHundredths: number | null
  readonly remark: string
}

export interface ResultSheetContext {
  /** Papers this file may hold, by their codes. */
  readonly items: ReadonlyMap<string, ResultPaper>
  /** Names of the other papers of the examination, by their codes. */
  readonly others?: ReadonlyMap<string, string>
  /** Everybody who holds a ticket, by ticket number, with the papers the ticket is for. */
  readonly tickets: ReadonlyMap<string, ResultTicket>
}
export interface ResultPaper {
  readonly itemId: string
  readonly fullScoreHundredths: number
  /** Why its results cannot come in now: released, or not over yet. */
  readonly closed?: Label | undefined
}
export interface ResultTicket {
  readonly signupId: string
  readonly userId: string
  readonly name: string
  readonly itemCodes: readonly string[]
  /** What was marked in the room of a paper, by its code: there, absent, or a violation that was confirmed. */
  readonly seen?: ReadonlyMap<string, Seen>
}
export interface ResultSheetResult extends CheckedSheet<ResultInput> {
  /**
   * Ticket holders without a row, in the order of their numbers, for the papers of which the file has a row: all or nothing refuses the file for
   * them, partial only lists them.
   */
  readonly missing: readonly { readonly ticketNo: string; readonly itemCode: string }[]
}

type Reader = RowReader<ResultColumn>

function ticketOf(reader: Reader, context: ResultSheetContext) {
  const ticketNo = reader.code('ticketNo')
  const ticket = context.tickets.get(ticketNo)
  if (ticketNo === '') reader.fail('ticketNo', 'required', requiredReason('准考证号'))
  else if (isScientific(ticketNo)) {
    reader.fail('ticketNo', 'scientific', {
      zh: '准考证号已变成科学计数，请设为文本格式',
      en: 'Format the ticket number as text: digits were lost',
    })
  } else if (!ticket) reader.fail('ticketNo', 'unknown-ticket', { zh: '准考证号不存在', en: 'There is no such ticket' })
  return { ticketNo, ticket }
}

function scoreCell(reader: Reader, isNormal: boolean, fullHundredths: number | undefined): number | null {
  const text = reader.code('score')
  const fail = (code: string, zh: string, en: string) => {
    reader.fail('score', code, { zh, en })
    return null
  }
  if (!isNormal)
    return text === ''
      ? null
      : fail('score-not-empty', '考试状态不是“正常”时成绩应为空', 'The score must be empty unless the state is 正常')
  if (text === '') return fail('required', '状态为“正常”时须填写成绩', 'The state 正常 needs a score')
  const score = parseHundredths(text)
  if (!score.ok) {
    switch (score.problem) {
      case 'decimals':
        return fail('score-decimals', '成绩超过两位小数', 'The score has more than two decimals')
      case 'negative':
        return fail('score-range', '成绩不能小于 0', 'The score must not be less than 0')
      case 'too-large':
        return fail('score-range', '成绩超过满分', 'The score is larger than the full score')
      default:
        return fail('score-number', '成绩不是数字', 'The score is not a number')
    }
  }
  if (fullHundredths !== undefined && score.hundredths > fullHundredths) {
    const full = formatHundredths(fullHundredths)
    return fail('score-range', `成绩超过满分 ${full}`, `The score is larger than the full score ${full}`)
  }
  return score.hundredths
}

function bonusCell(reader: Reader): number {
  const text = reader.code('bonus')
  if (text === '') return 0
  const bonus = parseHundredths(text, 99_999)
  if (bonus.ok) return bonus.hundredths
  reader.fail('bonus', 'bonus', { zh: '加分应为 0–999.99 且最多两位小数', en: 'The bonus must be 0–999.99 with at most two decimals' })
  return 0
}

function stateCell(reader: Reader): 1 | 2 | 3 | 4 | 5 | undefined {
  const text = reader.code('state')
  if (text === '') reader.fail('state', 'required', requiredReason('考试状态'))
  else if (Object.hasOwn(STATES, text)) return STATES[text]
  else if (/^[1-5]$/.test(text)) return Number(text) as 1 | 2 | 3 | 4 | 5
  else reader.fail('state', 'dictionary', { zh: `考试状态只能填 ${stateWords}`, en: `The state must be one of ${stateWords}` })
  return undefined
}

/** Who stands in the file: the row of each person, by paper. */
type Listed = Map<string, Map<ResultTicket, number>>

/** What a row is read with. */
interface Reading {
  readonly context: ResultSheetContext
  readonly sheet: OpenedSheet<ResultColumn>
  readonly listed: Listed
  /** Rows that were told of a second one. */
  readonly repeated: Set<number>
}

/** Remembers whose row this is, whatever else is wrong with it; two rows of one person and paper are told of each other. */
function register(reader: Reader, ticketNo: string, ticket: ResultTicket, itemCode: string, { sheet, listed, repeated }: Reading): void {
  const rows = listed.get(itemCode) ?? new Map<ResultTicket, number>()
  listed.set(itemCode, rows)
  const earlier = rows.get(ticket)
  if (earlier === undefined) {
    rows.set(ticket, reader.row)
    return
  }
  reader.fail('ticketNo', 'duplicate', sameAsReason(earlier))
  if (!repeated.has(earlier)) sheet.fail(earlier, 'ticketNo', 'duplicate', sameAsReason(reader.row), ticketNo)
  repeated.add(earlier)
}

function resultOf(reader: Reader, reading: Reading): ResultInput | undefined {
  const { context } = reading
  const { ticketNo, ticket } = ticketOf(reader, context)
  const name = reader.text('name')
  if (name === '') reader.fail('name', 'required', requiredReason('姓名'))
  else if (ticket && name !== ticket.name && nameKey(name) !== nameKey(ticket.name)) {
    const reason: Label = { zh: `姓名与准考证不一致: 应为 ${ticket.name}`, en: `The name differs from the ticket: ${ticket.name}` }
    reader.fail('name', 'name-mismatch', reason)
  }
  const itemCode = reader.code('itemCode')
  const item = context.items.get(itemCode)
  if (itemCode === '') reader.fail('itemCode', 'required', requiredReason('科目代码'))
  else if (context.others?.has(itemCode)) {
    const name = `${itemCode} ${context.others.get(itemCode)}`
    reader.fail('itemCode', 'other-item', { zh: `这是另一个科目（${name}）的成绩`, en: `This is a result of another paper (${name})` })
  } else if (!item) reader.fail('itemCode', 'unknown-item', { zh: `科目代码不存在: ${itemCode}`, en: `There is no paper ${itemCode}` })
  else if (ticket && !ticket.itemCodes.includes(itemCode)) {
    reader.fail('itemCode', 'not-this-item', { zh: '该准考证不含此科目', en: 'The ticket is not for this paper' })
  } else if (item.closed) reader.fail('itemCode', 'closed-item', item.closed)
  else if (ticket) register(reader, ticketNo, ticket, itemCode, reading)
  const state = stateCell(reader)
  const score = state === undefined ? null : scoreCell(reader, state === 1, item?.fullScoreHundredths)
  if (state !== undefined) for (const objection of roomObjects(state, ticket?.seen?.get(itemCode))) reader.warn(objection)
  const bonus = bonusCell(reader)
  const remark = reader.text('remark')
  if ([...remark].length > 200)
    reader.fail('remark', 'too-long', { zh: '备注超过 200 个字', en: 'The remark is longer than 200 characters' })
  if (!ticket || !item || state === undefined) return undefined
  return {
    ticketNo,
    signupId: ticket.signupId,
    userId: ticket.userId,
    name: ticket.name,
    itemId: item.itemId,
    itemCode,
    scoreHundredths: score,
    resultState: state,
    bonusHundredths: bonus,
    finalHundredths: score === null ? null : score + bonus,
    remark,
  }
}

/** What is wrong with every row alike: the file of another paper, or a template that nobody filled in. */
const wrongFile = (errors: CheckedSheet<ResultInput>['errors'], rows: number): FileProblem | undefined => {
  if (rows < 2) return undefined
  const others = errors.filter(error => error.code === 'other-item')
  const [other] = others
  if (other && others.length === rows && others.every(error => error.value === other.value))
    return { code: 'other-item', reason: { zh: `整个文件：${other.reason.zh}`, en: `The whole file: ${other.reason.en}` } }
  const stateless = errors.filter(error => error.header === headerKey(resultColumns.state.header) && error.code === 'required')
  if (stateless.length === rows)
    return {
      code: 'untouched',
      reason: {
        zh: '“考试状态”整列没有填写：每人都要填，正常参加考试的填“正常”和成绩',
        en: 'No state is filled in: everybody needs one, 正常 with a score for whoever sat the paper',
      },
    }
  return undefined
}

/** A result list being read: rows in any portions, so that a long one leaves room for other work. */
export interface ResultReading {
  /** @param row the number the user sees in the sheet; the first below the header is 2. Empty rows are passed over */
  take(cells: readonly ImportCell[], row: number): void
  end(): ResultSheetResult
}

/**
 * Reads a result list (T6). A row reports all its errors. People who hold a ticket for a paper of the file and stand in no row of it are listed
 * as `missing`, so that nobody is forgotten silently.
 */
export function openResultSheet(header: readonly string[], context: ResultSheetContext): ResultReading {
  const sheet = openSheet(resultColumns, header)
  let rows = 0
  const reading: Reading = { context, sheet, listed: new Map(), repeated: new Set() }
  const read: { readonly row: number; readonly value: ResultInput }[] = []
  return {
    take: (cells, row) => {
      const reader = sheet.reader(cells, row)
      const value = reader && resultOf(reader, reading)
      if (reader) rows += 1
      if (value) read.push({ row, value })
    },
    end: () => {
      const checked = sheet.checked(read)
      const missing: { ticketNo: string; itemCode: string }[] = []
      // Of a file whose header is wrong nobody knows who is in it.
      if (checked.fileErrors.length > 0) return { ...checked, missing }
      const problem = wrongFile(checked.errors, rows)
      // What is wrong with the file as a whole is said once, not again for each row.
      if (problem) return { ...checked, errors: [], fileErrors: [problem], missing }
      for (const [ticketNo, ticket] of context.tickets)
        for (const itemCode of ticket.itemCodes)
          if (reading.listed.get(itemCode)?.has(ticket) === false) missing.push({ ticketNo, itemCode })
      missing.sort((a, b) => (a.ticketNo + a.itemCode < b.ticketNo + b.itemCode ? -1 : 1))
      return { ...checked, missing }
    },
  }
}

/** The file-level errors for people who are in no row, one per person and paper. */
export const missingErrors = (missing: ResultSheetResult['missing']): FileProblem[] =>
  missing.map(({ ticketNo, itemCode }) => ({
    code: 'missing-person',
    reason: {
      zh: `名单缺少准考证号 ${ticketNo} 科目 ${itemCode}，缺考也须列出`,
      en: `Ticket ${ticketNo}, paper ${itemCode} is not in the file; absent people must be listed too`,
    },
  }))
