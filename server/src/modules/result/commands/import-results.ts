import { refuse } from '#contract/kernel/errors.ts'
import { type FieldMark, markOf } from '#contract/kernel/field-rule.ts'
import { resultImports } from '#contract/result/import-kinds.ts'
import { refuseResult } from '#contract/result/result.errors.ts'
import { resultNoun } from '#contract/result/result.noun.ts'
import { formatHundredths, parseHundredths } from '#contract/result/score.ts'
import { transition } from '#kernel/db/transition.ts'
import { inTurns } from '#kernel/turns.ts'
import { explanationSheet, type ImportDefinition } from '#modules/transfer/index.ts'
import { joinByHash } from '../data/bulk.ts'
import { findPaperOfImport, listHolders, listTicketHolders } from '../data/import.repo.ts'
import { lockPapers, readLines, upsertResults } from '../data/result.repo.ts'
import type { Seen } from '../domain/against-room.ts'
import { missingErrors, openResultSheet, type ResultInput, type ResultTicket, resultColumns } from '../domain/result-sheet.ts'
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

/**
 * T6 (domain 5.9): results of one paper. Everybody who holds a ticket must stand in the file or have a result already; rows are merged by
 * person, so a mended file can be sent again. Refuses with 2401 once the paper is released.
 */
export const resultImport: ImportDefinition<ResultInput> = {
  ...resultImports.results,
  columns: resultColumns,
  // Everybody of a province-wide examination in one file (decision 4.7).
  maxRows: 200_000,
  guard: async (db, { job }) => {
    const [paper] = await lockPapers(db, job.examId ?? '0', [job.itemId ?? '0'])
    if (!paper) return refuse('kernel/not-found', {})
    return paper.scoreState === 'released' ? refuseResult('result/released', {}) : refuseBeforeEnd([paper], db.now)
  },
  check: async (db, sheet, { job }) => {
    const paper = await findPaperOfImport(db, job.examId ?? '0', job.itemId ?? '0')
    if (!paper) throw new Error('the guard found the paper')
    await joinByHash(db)
    const full = parseHundredths(paper.fullScore)
    const itemCodes = [paper.itemCode]
    const seen = await seenBy(db, job.examId ?? '0', paper.id)
    const tickets = new Map<string, ResultTicket>()
    const known = new Set<string>()
    await inTurns(await listHolders(db, job.examId ?? '0', paper.id), ({ ticketNo, signupId, userId, name, hasResult }) => {
      tickets.set(ticketNo, { signupId, userId, name, itemCodes, seen: seen.get(signupId) })
      if (hasResult) known.add(ticketNo)
    })
    const reading = openResultSheet(sheet.header, {
      items: new Map([[paper.itemCode, { itemId: paper.id, fullScoreHundredths: full.ok ? full.hundredths : 0 }]]),
      tickets,
    })
    await inTurns(sheet.rows, (cells, i) => reading.take(cells, i + 2))
    const read = reading.end()
    const missing = missingErrors(read.missing.filter(({ ticketNo }) => !known.has(ticketNo)))
    // A row whose ticket is wrong may be the missing person: who is missing is certain when every row names a ticket.
    const isCertain =
      job.policy === 'all' && !read.errors.some(error => error.header === resultColumns.ticketNo.header && error.code !== 'duplicate')
    return {
      ...read,
      fileErrors: [...read.fileErrors, ...(isCertain ? missing : [])],
      fileWarnings: [...read.fileWarnings, ...(isCertain ? [] : missing)],
    }
  },
  write: async (db, rows, { job, progress }) => {
    const counts = { inserted: 0, updated: 0, skipped: 0 }
    const itemId = job.itemId ?? '0'
    const landed = async (writing: ReturnType<typeof upsertResults>, done: number): Promise<void> => {
      const { inserted, updated } = await writing
      counts.inserted += inserted
      counts.updated += updated
      await progress(done)
    }
    let last: Promise<void> | undefined
    for (let from = 0; from < rows.length; from += batch) {
      const part = rows.slice(from, from + batch).map(({ value }) => ({
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
      const writing = upsertResults(db, { examId: job.examId ?? '0', itemId, importId: job.id }, part)
      writing.catch(() => {})
      await last
      last = landed(writing, from + part.length)
      last.catch(() => {})
    }
    await last
    await transition(
      db,
      'exam_item',
      itemId,
      { from: ['none', 'imported'], to: 'imported', column: 'score_state' },
      { score_import_by: job.createdBy, score_import_at: db.now, score_lines: await readLines(db, itemId) },
    )
    return counts
  },
  template: async (db, { examId = '0', itemId = '0', ctx }) => {
    const paper = await findPaperOfImport(db, examId, itemId)
    if (!paper) return refuse('kernel/not-found', {})
    await joinByHash(db)
    const holders = await listTicketHolders(db, examId, itemId)
    const seen = await seenBy(db, examId, itemId)
    const stateOf = (signupId: string) => knownState[seen.get(signupId) ?? 'there']
    const required = (key: keyof typeof resultColumns) => {
      const { header, required } = resultColumns[key]
      return { header, required, ...(filledIn[key] ? { field: filledIn[key] } : {}) }
    }
    return {
      sheets: [
        {
          name: paper.itemName,
          columns: [
            { ...required('ticketNo'), width: 18 },
            { ...required('name'), width: 18 },
            required('itemCode'),
            {
              ...required('score'),
              comment: ctx.say({ zh: `0–${paper.fullScore}，最多两位小数`, en: `0–${paper.fullScore}, at most two decimals` }),
            },
            { ...required('state'), choices: stateTexts },
            required('bonus'),
            { ...required('remark'), width: 30 },
          ],
          choiceRows: Math.max(holders.length, 1),
          rows: holders.map(one => [
            one.ticketNo,
            one.name,
            paper.itemCode,
            one.score ?? '',
            stateTexts[(one.resultState ?? 0) - 1] ?? stateOf(one.signupId),
            one.bonus === null || Number(one.bonus) === 0 ? '' : one.bonus,
            one.remark ?? '',
          ]),
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
            [resultColumns.itemCode.header, ctx.say({ zh: '已填好', en: 'Filled in' }), paper.itemCode],
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
