import { dateDoubts } from '#contract/kernel/date-facts.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { endOfWindow, fromWireTime, saidTime, toEndMinute, toWireDay, toWireEnd } from '#contract/kernel/when.ts'
import { payImports } from '#contract/pay/import-kinds.ts'
import { audit } from '#kernel/audit.ts'
import { enqueue } from '#kernel/queue/outbox.ts'
import { findExam, listPapers } from '#modules/exam/index.ts'
import {
  failRepeated,
  type HeaderSpec,
  type ImportDefinition,
  openSheet,
  type RowReader,
  requiredReason,
  templateBook,
} from '#modules/transfer/index.ts'
import { feesByRuleOf } from '../commands/dues.ts'
import { mirror, tellOwner } from '../commands/news.ts'
import { type FeeOfSignup, holdPayers, insertImportedDue, listKnownDues, openBatch, type Payer } from '../data/import.repo.ts'
import type { PayKit } from '../deps.ts'
import { feeNameKey } from '../domain/fee-name.ts'
import { dueBar, feeKindOf } from '../domain/payable.ts'
import { type FeeFacts, judgeDue, type KnownDue } from '../domain/second-due.ts'
import { payTexts } from '../templates/notices.ts'
import { findPayers, readAmount, readPayer, readShort } from './sheet.ts'

/** The columns of template T7a (domain 5.9). */
export const dueColumns = {
  idCard: { header: '证件号码', required: true, kind: 'code' },
  name: { header: '姓名', required: true },
  itemCode: { header: '科目代码', required: false, kind: 'code' },
  payName: { header: '费用名称', required: true },
  amount: { header: '应缴金额(元)', required: true, kind: 'number' },
  deadline: { header: '缴费截止时间', required: false, kind: 'moment' },
  remark: { header: '备注', required: false, lines: true },
} as const satisfies Record<string, HeaderSpec>

export interface DueInput {
  readonly signupId: string
  readonly userId: string
  readonly itemId: string
  readonly payName: string
  readonly amountFen: number
  readonly deadline: Date
  /** The row has a time of its own. */
  readonly ownDeadline: boolean
  readonly remark: string
}

const keyOf = (due: FeeOfSignup): string => `${due.signupId} ${due.itemId} ${feeNameKey(due.payName)}`

type DuesImport = ImportDefinition<DueInput>
type Reader = RowReader<keyof typeof dueColumns>

/** What the rows of a file are judged by; `first` gathers what the file itself asks for. */
interface DueFacts {
  /** By id number as it stands in the file. */
  readonly payers: ReadonlyMap<string, Payer>
  /** Ids of papers by their codes. */
  readonly papers: ReadonlyMap<string, string>
  /** Paper of a row that names none. */
  readonly itemId: string
  /** Dues there are already, and those that the rule will make, by sign-up. */
  readonly known: ReadonlyMap<string, readonly KnownDue[]>
  readonly byRule: ReadonlyMap<string, readonly FeeFacts[]>
  readonly payEnd: Date | null
  readonly now: Date
  readonly first: Map<string, number>
}

const readPaper = (reader: Reader, { papers, itemId }: DueFacts): string | undefined => {
  const itemCode = reader.code('itemCode')
  const found = itemCode === '' ? itemId : papers.get(itemCode)
  if (found === undefined)
    reader.fail('itemCode', 'unknown-item', { zh: `科目代码在本考试不存在: ${itemCode}`, en: `There is no paper ${itemCode}` })
  return found
}

/** The row's own time, else the end of payment of the examination; it must not have passed. */
const readDeadline = (reader: Reader, { payEnd, now }: DueFacts): Date | undefined => {
  const typed = reader.code('deadline')
  if (reader.failed('deadline')) return undefined
  // A day alone ends with its last second.
  const written = fromWireTime(typed.length === 10 ? `${typed} 23:59:59` : typed)
  const deadline = written === undefined ? payEnd : endOfWindow(written)
  if (deadline === null)
    reader.fail('deadline', 'required', {
      zh: '考试没有缴费结束时间，请填写截止时间',
      en: 'The examination has no end of payment; fill in a time',
    })
  else if (deadline <= now)
    reader.fail('deadline', 'time-past', {
      zh: `缴费截止时间已过: ${saidTime(toWireEnd(deadline))}`,
      en: `${saidTime(toWireEnd(deadline))} has passed`,
    })
  return deadline ?? undefined
}

/** The due of a row; undefined where it has faults, which the reader has kept. */
const readDue = (reader: Reader, facts: DueFacts): DueInput | undefined => {
  const payer = readPayer(reader, facts.payers, toWireDay(facts.now))
  const bar = payer && dueBar(payer)
  if (bar) reader.fail('idCard', 'sign-up-ended', bar)
  const itemId = readPaper(reader, facts)
  const typed = readShort(reader, 'payName', '费用名称', 60)
  if (typed === '') reader.fail('payName', 'required', requiredReason('费用名称'))
  const amountFen = readAmount(reader)
  const deadline = readDeadline(reader, facts)
  const remark = readShort(reader, 'remark', '备注', 200)
  if (!payer || itemId === undefined || amountFen === undefined || !deadline) return undefined
  const { payName, doubts } = judgeDue(
    { itemId, payName: typed, amountFen },
    facts.known.get(payer.signupId) ?? [],
    facts.byRule.get(payer.signupId) ?? [],
  )
  const due: DueInput = {
    signupId: payer.signupId,
    userId: payer.userId,
    itemId,
    payName,
    amountFen,
    deadline,
    ownDeadline: reader.code('deadline') !== '',
    remark,
  }
  failRepeated(reader, 'idCard', keyOf({ ...due, payName: typed }), facts.first)
  if (payName !== typed) failRepeated(reader, 'idCard', keyOf(due), facts.first)
  for (const doubt of doubts) reader.ask('payName', doubt)
  for (const doubt of dateDoubts('payDeadline', 'deadline', deadline, { now: facts.now })) reader.ask('deadline', doubt)
  return due
}

const checkDues =
  (kit: PayKit): DuesImport['check'] =>
  async (db, sheet, { job }) => {
    const exam = await findExam(db, job.examId ?? '0')
    if (!exam) throw new Error('the guard found the examination')
    const opened = openSheet(dueColumns, sheet.header)
    const readers = opened.readers(sheet.rows)
    const idCards = readers.map(reader => reader.code('idCard'))
    const find = () => findPayers(kit, db, exam.id, idCards)
    const signupIds = [...(await find()).values()].map(payer => payer.signupId)
    if (job.mode === 'commit') await holdPayers(db, signupIds)
    const payers = await find()
    const facts: DueFacts = {
      payers,
      papers: new Map((await listPapers(db, exam.id)).map(paper => [paper.itemCode, paper.id])),
      itemId: job.itemId ?? '0',
      known: await listKnownDues(db, exam.id, signupIds),
      byRule: await feesByRuleOf(db, exam, [...payers.values()]),
      payEnd: exam.payEnd,
      now: db.now,
      first: new Map(),
    }
    const read = readers.map(reader => {
      const value = readDue(reader, facts)
      return value && { row: reader.row, value }
    })
    return opened.checked(read)
  }

const writeDues =
  (kit: PayKit): DuesImport['write'] =>
  async (db, rows, { job, progress }) => {
    const exam = await findExam(db, job.examId ?? '0')
    if (!exam) throw new Error('the guard found the examination')
    const kind = feeKindOf(exam.payWhen)
    const mainId = await openBatch(db, {
      examId: exam.id,
      itemId: job.itemId ?? '0',
      name: job.fileName.slice(0, 100),
      kind: 1,
      importId: job.id,
      total: rows.length,
      amountFen: rows.reduce((sum, { value }) => sum + value.amountFen, 0),
    })
    let done = 0
    for (const { row, value } of rows) {
      const due = { ...value, examId: exam.id, kind, remark: value.remark || null }
      const id = await insertImportedDue(db, due, { mainId, row })
      await enqueue(db, 'pay.lapse', { payId: id }, { runAt: value.deadline, jobKey: `lapse-${id}` })
      await audit(db, undefined, {
        action: 'exampay.added',
        entity: 'exampay',
        entityId: id,
        after: { amountFen: value.amountFen, payName: value.payName, importId: job.id },
      })
      const until = toEndMinute(value.deadline)
      const owner = { userId: value.userId, examId: exam.id }
      await tellOwner(kit, db, owner, payTexts.due(exam.examName, value.amountFen, until), `due:${id}:${until}`)
      await mirror(kit, db, value.signupId)
      done += 1
      await progress(done)
    }
    return { inserted: rows.length, updated: 0, skipped: 0 }
  }

const duesTemplate: DuesImport['template'] = async (_db, { ctx }) =>
  templateBook(ctx.say, { zh: '应缴名单', en: 'Dues' }, dueColumns, {
    idCard: {
      note: {
        zh: '已报名本次考试的考生，也可填报名序号；单元格须为文本格式',
        en: 'Of somebody who has signed up; the sign-up number will do as well; the cell must be text',
      },
      sample: '330106199806301023',
    },
    name: { note: { zh: '须与报名一致', en: 'As in the sign-up' }, sample: '王·测' },
    itemCode: { note: { zh: '按科目收费时填写，否则留空', en: 'For a fee of one paper, else empty' }, sample: '' },
    payName: { note: { zh: '考生看到的名称，最多 60 字', en: 'What the candidate reads, at most 60 characters' }, sample: '报名费' },
    amount: { note: { zh: '元，最多两位小数', en: 'Yuan, at most two decimals' }, sample: '100.00' },
    deadline: { note: { zh: '留空即考试的缴费结束时间', en: 'Empty = end of payment of the examination' }, sample: '2026-04-01 17:00' },
    remark: { note: { zh: '最多 200 字', en: 'At most 200 characters' }, sample: '' },
  })

/** T7a: dues that no rule of the examination makes (domain 5.4 importExamPay). All or nothing. */
export const duesImport = (kit: PayKit): ImportDefinition<DueInput> => ({
  ...payImports.dues,
  columns: dueColumns,
  maxRows: 10_000,
  guard: async (db, { job }) => ((await findExam(db, job.examId ?? '0')) ? undefined : refuse('kernel/not-found', {})),
  check: checkDues(kit),
  write: writeDues(kit),
  template: duesTemplate,
})
