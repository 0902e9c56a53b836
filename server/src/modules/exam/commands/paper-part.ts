import { refuseExam } from '#contract/exam/exam.errors.ts'
import { examItem } from '#contract/exam/exam.resources.ts'
import { paperScoreWire, paperTicketWire } from '#contract/exam/exam.state.ts'
import { frozenOfPaper } from '#contract/exam/released.ts'
import { checkPaper } from '#contract/exam/window.ts'
import { refuseField } from '#contract/kernel/errors.ts'
import { endOfWindow, fromWireTime, toWireTime } from '#contract/kernel/when.ts'
import type { Row } from '#kernel/crud/rows.ts'
import type { FieldCipher } from '#kernel/crypto/field.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { listPapers, postsOfPapers } from '../data/paper.repo.ts'
import { listPosts } from '../data/post.repo.ts'
import { overlappingPapers, type PaperFacts } from '../domain/release-check.ts'
import { drawSeeds } from './draw-seeds.ts'
import { frozenAmong, inUse, type Part, textOf } from './exam-part.ts'

/** Papers as the wire carries them, each with the posts that sit it. */
export const withPosts = async (db: TenantDb, rows: readonly Row[]): Promise<readonly Row[]> => {
  const posts = await postsOfPapers(
    db,
    rows.map(row => String(row['id'])),
  )
  return rows.map(row => ({ ...row, typeCodes: posts.get(String(row['id'])) ?? [] }))
}
/** States of tickets and results as the wire numbers them. */
export const presentPaper = (row: Row): Row => ({
  ...row,
  ticketState: paperTicketWire[row['ticketState'] as keyof typeof paperTicketWire],
  scoreState: paperScoreWire[row['scoreState'] as keyof typeof paperScoreWire],
})

const isoTime = (value: unknown, fallback: unknown): Date | undefined =>
  typeof value === 'string' ? fromWireTime(value) : fallback instanceof Date ? fallback : undefined

/** The end as it is kept: a paper that is written to end at 10:29:59 has that second too. */
const withWholeEnd = (input: Row): Row => {
  const end = typeof input['endTime'] === 'string' ? fromWireTime(input['endTime']) : undefined
  return end ? { ...input, endTime: toWireTime(endOfWindow(end)) } : input
}

export const paperOf = (cipher: FieldCipher): Part => ({
  resource: examItem,
  chargedIn: 2,
  key: 'itemCode',
  noun: { zh: '科目', en: 'paper' },
  title: row => textOf(row['itemName']),
  defaults: ['lateMinutes', 'fullScore', 'weight', 'feeFen', 'rooms', 'sort'],
  judge: async ({ ctx, db, exam, input: typed, before }) => {
    const input = withWholeEnd(typed)
    const [start, end] = [isoTime(input['startTime'], before?.['startTime']), isoTime(input['endTime'], before?.['endTime'])]
    if (!start || !end) return refuseField('endTime', { zh: '结束时间须晚于开始时间', en: 'It must end after it begins' })
    const report = input['reportTime'] === null || input['reportTime'] === '' ? null : isoTime(input['reportTime'], before?.['reportTime'])
    if (typeof input['reportTime'] === 'string' && report === undefined)
      return refuseField('reportTime', { zh: '最迟报到时间不正确', en: 'The latest report is no valid time' })
    const mark = (name: 'fullScore' | 'passScore'): string => textOf(input[name] === undefined ? before?.[name] : input[name])
    const [problem] = checkPaper({
      startTime: start.getTime(),
      endTime: end.getTime(),
      reportTime: report?.getTime() ?? null,
      fullScore: mark('fullScore') || '100',
      passScore: mark('passScore') || null,
    })
    if (problem) return refuseField(problem.field, problem.message)
    if (input['rooms'] !== undefined && !Array.isArray(input['rooms'])) {
      const { zh, en } = examItem.fields.rooms.label
      return refuseField('rooms', { zh: `${zh}格式不正确`, en: `${en} must be a list` })
    }
    if (before) {
      const frozen = frozenOfPaper({
        isSeated: before['ticketState'] !== 'none',
        isScored: before['scoreState'] !== 'none',
        isPaid: exam.state === 'released' && exam.feeMode === 2,
      })
      const refusal = frozenAmong(examItem, ctx, before, input, [...frozen])
      if (refusal) return refusal
      const isMoved = input['passScore'] !== undefined && Number(input['passScore'] ?? -1) !== Number(before['passScore'] ?? -1)
      if (before['scoreState'] === 'released' && isMoved) return refuseExam('exam/results-out', { fields: examItem.fields.passScore.label })
    }
    if (exam.state === 'draft') return input
    const code = textOf(input['itemCode'] ?? before?.['itemCode'])
    const self: PaperFacts = {
      itemName: textOf(input['itemName'] ?? before?.['itemName']),
      itemCode: code,
      itemType: 1,
      startTime: start.getTime(),
      endTime: end.getTime(),
      typeCodes: (before?.['typeCodes'] ?? []) as string[],
      feeFen: 0,
    }
    const others = (await listPapers(db, exam.id)).filter(paper => paper.id !== before?.['id'])
    const clash = overlappingPapers(
      [
        self,
        ...others.map(paper => ({ ...paper, startTime: paper.startTime.getTime(), endTime: paper.endTime.getTime(), reportTime: null })),
      ],
      await listPosts(db, exam.id),
    ).find(pair => pair.some(paper => paper === self))
    return clash ? refuseExam('exam/overlap', { papers: clash.map(paper => paper.itemName).join('、') }) : input
  },
  refuseRemove: async ({ db, exam, row }) => {
    if (row['ticketState'] !== 'none' || row['scoreState'] !== 'none') return inUse(textOf(row['itemName']))
    const code = textOf(row['itemCode'])
    const count = (await listPosts(db, exam.id)).filter(post => post.itemCodes.includes(code)).length
    return count === 0 ? undefined : refuseExam('exam/paper-used', { code, count })
  },
  afterWrite: async ({ db, exam, after }) => {
    if (exam.state === 'released' && after) await drawSeeds(db, cipher, exam.id)
  },
  present: (_ctx, row) => presentPaper(row),
  more: withPosts,
})
