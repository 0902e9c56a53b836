import { refuse } from '#contract/kernel/errors.ts'
import { type FieldMark, markOf } from '#contract/kernel/field-rule.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { resultImports } from '#contract/result/import-kinds.ts'
import { refuseResult } from '#contract/result/result.errors.ts'
import { resultNoun } from '#contract/result/result.noun.ts'
import { formatHundredths, parseHundredths } from '#contract/result/score.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { transition } from '#kernel/db/transition.ts'
import { inTurns } from '#kernel/turns.ts'
import { findExam } from '#modules/exam/index.ts'
import { explanationSheet, type ImportDefinition, templateColumn } from '#modules/transfer/index.ts'
import { joinByHash } from '../data/bulk.ts'
import { listHolders, listPapersOfImport, listTicketHolders, type PaperOfImport } from '../data/import.repo.ts'
import { lockPapers, readLines, upsertResults } from '../data/result.repo.ts'
import type { Seen } from '../domain/against-room.ts'
import {
  missingErrors,
  openResultSheet,
  type ResultInput,
  type ResultPaper,
  type ResultTicket,
  resultColumns,
} from '../domain/result-sheet.ts'
import { seenBy } from './against-room.ts'
import { refuseBeforeEnd } from './release.ts'

/** Rows of one statement: its parameters are made at once, so more of them would hold up other calls. */
const batch = 1_000

const stateTexts = ['正常', '缺考', '违纪', '零分', '免试'] as const

/** What the empty workbook says of somebody without a result: only what the room knows for certain. */
const knownState: Readonly<Record<Seen, string>> = { there: '', absent: '缺考', violation: '违纪' }

/** What the template says of people already. */
const filledIn: Partial<Readonly<Record<keyof typeof resultColumns, FieldMark>>> = {
  ticketNo: markOf(resultNoun, 'ticketNo'),
  name: markOf(resultNoun, 'name'),
  score: markOf(resultNoun, 'score'),
  bonus: markOf(resultNoun, 'score'),
  remark: markOf(resultNoun, 'remark'),
}

/** A ticket while its papers are gathered. */
type Holding = ResultTicket & { readonly itemCodes: string[]; readonly seen: Map<string, Seen> }

/** Why results of this paper cannot come in now. */
const refusePaper = (paper: PaperOfImport, at: Date): Refusal | undefined =>
  paper.scoreState === 'released' ? refuseResult('result/released', {}) : refuseBeforeEnd([paper], at)

/** Refuses where the results of none of these papers can come in. */
const refuseAll = (papers: readonly PaperOfImport[], at: Date): Refusal | undefined => {
  const [first] = papers
  if (!first) return refuse('kernel/not-found', {})
  return papers.every(paper => refusePaper(paper, at)) ? refusePaper(first, at) : undefined
}

/** Adds the results of one paper, or replaces those of the same people. */
const writePaper = async (
  db: TenantDb,
  of: { readonly examId: string; readonly itemId: string; readonly importId: string; readonly by: string },
  values: readonly ResultInput[],
  progress: (done: number) => Promise<void>,
): Promise<{ inserted: number; updated: number }> => {
  const counts = { inserted: 0, updated: 0 }
  const landed = async (writing: ReturnType<typeof upsertResults>, done: number): Promise<void> => {
    const { inserted, updated } = await writing
    counts.inserted += inserted
    counts.updated += updated
    await progress(done)
  }
  let last: Promise<void> | undefined
  for (let from = 0; from < values.length; from += batch) {
    const part = values.slice(from, from + batch).map(value => ({
      signupId: value.signupId,
      userId: value.userId,
      name: value.name,
      ticketNo: value.ticketNo,
      score: value.scoreHundredths === null ? null : formatHundredths(value.scoreHundredths),
      resultState: value.resultState,
      bonus: formatHundredths(value.bonusHundredths),
      finalScore: value.finalHundredths === null ? null : formatHundredths(value.finalHundredths),
      remark: value.remark,
    }))
    // The database writes one portion while the next is made and the progress of the one before is told.
    const writing = upsertResults(db, of, part)
    writing.catch(() => {})
    await last
    last = landed(writing, from + part.length)
    last.catch(() => {})
  }
  await last
  await transition(
    db,
    'exam_item',
    of.itemId,
    { from: ['none', 'imported'], to: 'imported', column: 'score_state' },
    { score_import_by: of.by, score_import_at: db.now, score_lines: await readLines(db, of.itemId) },
  )
  return counts
}

/**
 * T6 (domain 5.9): results of one paper, or of several in one file. Everybody who holds a ticket for a paper of the file must stand in it or have a
 * result already; rows are merged by person and paper, so a mended file can be sent again. Refuses with 2401 once the paper is released.
 */
export const resultImport: ImportDefinition<ResultInput> = {
  ...resultImports.results,
  columns: resultColumns,
  // Everybody of a province-wide examination in one file (decision 4.7).
  maxRows: 200_000,
  guard: async (db, { job }) => {
    const papers = await listPapersOfImport(db, job.examId ?? '0', job.itemId ?? undefined)
    await lockPapers(
      db,
      job.examId ?? '0',
      papers.map(paper => paper.id),
    )
    return refuseAll(await listPapersOfImport(db, job.examId ?? '0', job.itemId ?? undefined), db.now)
  },
  check: async (db, sheet, { job }) => {
    const examId = job.examId ?? '0'
    await joinByHash(db)
    const items = new Map<string, ResultPaper>()
    const tickets = new Map<string, Holding>()
    /** Who has a result already, by paper. */
    const known = new Map<string, Set<string>>()
    for (const paper of await listPapersOfImport(db, examId, job.itemId ?? undefined)) {
      const { id, itemCode } = paper
      const full = parseHundredths(paper.fullScore)
      items.set(itemCode, { itemId: id, fullScoreHundredths: full.ok ? full.hundredths : 0, closed: refusePaper(paper, db.now)?.text })
      const seen = await seenBy(db, examId, id)
      const withResult = new Set<string>()
      known.set(itemCode, withResult)
      await inTurns(await listHolders(db, examId, id), ({ ticketNo, signupId, userId, name, hasResult }) => {
        const ticket: Holding = tickets.get(ticketNo) ?? { signupId, userId, name, itemCodes: [], seen: new Map() }
        tickets.set(ticketNo, ticket)
        ticket.itemCodes.push(itemCode)
        const inRoom = seen.get(signupId)
        if (inRoom !== undefined) ticket.seen.set(itemCode, inRoom)
        if (hasResult) withResult.add(ticketNo)
      })
    }
    const others = new Map(
      (await listPapersOfImport(db, examId, undefined)).flatMap(one =>
        items.has(one.itemCode) ? [] : [[one.itemCode, one.itemName] as const],
      ),
    )
    const reading = openResultSheet(sheet.header, { items, others, tickets })
    await inTurns(sheet.rows, (cells, i) => reading.take(cells, i + 2))
    const read = reading.end()
    const missing = missingErrors(read.missing.filter(({ ticketNo, itemCode }) => !known.get(itemCode)?.has(ticketNo)))
    // A row whose ticket or paper is wrong may be the missing person: who is missing is certain when every row names both.
    const naming: readonly string[] = [resultColumns.ticketNo.header, resultColumns.itemCode.header]
    const isCertain = job.policy === 'all' && !read.errors.some(error => naming.includes(error.header) && error.code !== 'duplicate')
    return {
      ...read,
      fileErrors: [...read.fileErrors, ...(isCertain ? missing : [])],
      fileWarnings: [...read.fileWarnings, ...(isCertain ? [] : missing)],
    }
  },
  write: async (db, rows, { job, progress }) => {
    const counts = { inserted: 0, updated: 0, skipped: 0 }
    let before = 0
    for (const [itemId, of] of Map.groupBy(rows, ({ value }) => value.itemId)) {
      const values = of.map(({ value }) => value)
      const order = { examId: job.examId ?? '0', itemId, importId: job.id, by: job.createdBy }
      const done = before
      const { inserted, updated } = await writePaper(db, order, values, count => progress(done + count))
      before += values.length
      counts.inserted += inserted
      counts.updated += updated
      await audit(db, undefined, {
        action: 'result.imported',
        entity: 'examitem',
        entityId: itemId,
        after: { paper: values[0]?.itemCode, importId: job.id, inserted, updated },
      })
    }
    return counts
  },
  template: async (db, { examId = '0', itemId, ctx }) => {
    const all = await listPapersOfImport(db, examId, itemId)
    const refused = all.length === 0 || itemId === undefined ? refuseAll(all, db.now) : undefined
    if (refused) return refused
    // Of several papers those whose results can come in now.
    const papers = itemId === undefined ? all.filter(paper => !refusePaper(paper, db.now)) : all
    await joinByHash(db)
    const rows: string[][] = []
    for (const { id, itemCode } of papers) {
      const seen = await seenBy(db, examId, id)
      await inTurns(await listTicketHolders(db, examId, id), one => {
        rows.push([
          one.ticketNo,
          one.name,
          itemCode,
          one.score ?? '',
          stateTexts[(one.resultState ?? 0) - 1] ?? knownState[seen.get(one.signupId) ?? 'there'],
          one.bonus === null || Number(one.bonus) === 0 ? '' : one.bonus,
          one.remark ?? '',
        ])
      })
    }
    const [paper] = papers
    /** What is said of the full scores, of one paper or of each. */
    const full = papers
      .map(({ itemCode, fullScore }) => (papers.length === 1 ? `0–${fullScore}` : `${itemCode}: 0–${fullScore}`))
      .join(', ')
    const required = (key: keyof typeof resultColumns) => {
      return { ...templateColumn(ctx.say, resultColumns[key]), ...(filledIn[key] ? { field: filledIn[key] } : {}) }
    }
    const exam = await findExam(db, examId)
    return {
      of: [
        ...(exam ? [exam.examCode] : []),
        itemId !== undefined && paper ? `${paper.itemCode}${paper.itemName}` : ctx.say({ zh: '全部科目', en: 'All papers' }),
      ],
      sheets: [
        {
          name: papers.length === 1 && paper ? paper.itemName : ctx.say({ zh: '全部科目', en: 'All papers' }),
          columns: [
            { ...required('ticketNo'), width: 18 },
            { ...required('name'), width: 18 },
            required('itemCode'),
            {
              ...required('score'),
              comment: ctx.say({ zh: `${full}，最多两位小数`, en: `${full}, at most two decimals` }),
            },
            { ...required('state'), choices: stateTexts },
            required('bonus'),
            { ...required('remark'), width: 30 },
          ],
          choiceRows: Math.max(rows.length, 1),
          rows,
        },
        {
          name: ctx.say(explanationSheet),
          columns: [
            { header: ctx.say({ zh: '列', en: 'Column' }), width: 36 },
            { header: ctx.say({ zh: '说明', en: 'Meaning' }), width: 60 },
            { header: ctx.say({ zh: '示例', en: 'Example' }) },
          ],
          rows: [
            [resultColumns.ticketNo.header, ctx.say({ zh: '已填好，请勿修改', en: 'Filled in; do not change' }), '260301012173'],
            [resultColumns.name.header, ctx.say({ zh: '已填好，须与准考证一致', en: 'Filled in; must match the ticket' }), '王测'],
            [resultColumns.itemCode.header, ctx.say({ zh: '已填好', en: 'Filled in' }), paper?.itemCode ?? ''],
            [resultColumns.score.header, ctx.say({ zh: '状态为“正常”时必填，其他状态留空', en: 'Needed for 正常, else empty' }), '78.50'],
            [resultColumns.state.header, ctx.say({ zh: '每人必填', en: 'Needed for everybody' }), '正常'],
            [resultColumns.bonus.header, ctx.say({ zh: '没有则留空', en: 'Empty when there is none' }), '2'],
            [resultColumns.remark.header, ctx.say({ zh: '最多 200 字', en: 'At most 200 characters' }), ''],
          ],
        },
      ],
    }
  },
}
