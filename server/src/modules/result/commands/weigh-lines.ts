import { examLabel } from '#contract/exam/exam.labels.ts'
import { examItem } from '#contract/exam/exam.resources.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import type { weighLines } from '#contract/result/result.routes.ts'
import { formatHundredths, parseHundredths } from '#contract/result/score.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { findExamOfResults } from '../data/exam.repo.ts'
import type { PaperState } from '../data/result.repo.ts'
import { readStandingFacts } from '../data/standing.repo.ts'
import { type Lines, measuredBy, movesBetween } from '../domain/lines.ts'
import type { StandingFacts } from '../domain/standing.ts'

const linesOf = ({ rules, papers }: StandingFacts): Lines => ({
  written: rules.passHundredths,
  interview: rules.interviewPassHundredths,
  papers: new Map(papers.map(paper => [paper.itemId, paper.passHundredths])),
})

/** A line as it was typed: undefined leaves it as it is, empty is none. */
const typedLine = (field: string, label: Label, text: string | undefined, stored: number | null): number | null | Refusal => {
  if (text === undefined) return stored
  if (text.trim() === '') return null
  const read = parseHundredths(text)
  return read.ok
    ? read.hundredths
    : refuseField(field, {
        zh: `${label.zh}须为不小于 0、最多两位小数的数字`,
        en: `${label.en} must be a number from 0 on with at most two decimals`,
      })
}

/** Whose outcome other lines would change, by the results that are imported: whoever moves a line is told before it is saved. */
export const weighNewLines = async (db: TenantDb, input: InputOf<typeof weighLines>) => {
  if (!(await findExamOfResults(db, input.examId))) return refuse('kernel/not-found', {})
  const facts = await readStandingFacts(db, input.examId, 'imported')
  const now = linesOf(facts)
  const written = typedLine('passScore', examLabel('passScore'), input.passScore, now.written)
  if (isRefusal(written)) return written
  const interview = typedLine('interviewPass', examLabel('interviewPass'), input.interviewPass, now.interview)
  if (isRefusal(interview)) return interview
  const papers = new Map(now.papers)
  for (const part of (input.papers ?? '').split(',').filter(text => text !== '')) {
    const [itemId = '', text = ''] = part.split(':')
    const stored = now.papers.get(itemId)
    // A paper that counts for nobody, or is not there: its line moves nobody.
    if (stored === undefined) continue
    const line = typedLine('papers', examItem.fields.passScore.label, text, stored)
    if (isRefusal(line)) return line
    papers.set(itemId, line)
  }
  return {
    imported: facts.people.filter(person => person.isValid).length,
    ...movesBetween(facts, measuredBy(facts, { written, interview, papers })),
  }
}

const shown = (line: number | null): string | null => (line === null ? null : formatHundredths(line))
const read = (text: string | null | undefined): number | null => {
  const parsed = parseHundredths(text ?? '')
  return parsed.ok ? parsed.hundredths : null
}

/** Lines that were moved after the results of these papers came in, and whose outcome they changed. */
export const linesMoved = async (db: TenantDb, ctx: Ctx, examId: string, papers: readonly PaperState[]) => {
  const facts = await readStandingFacts(db, examId, 'imported')
  const now = linesOf(facts)
  const known = papers.filter(paper => paper.scoreLines !== null)
  const then = (isWritten: boolean): number | null => {
    const first = known.find(paper => (paper.itemType === 1) === isWritten)
    return first === undefined ? (isWritten ? now.written : now.interview) : read(first.scoreLines?.exam)
  }
  const before: Lines = {
    written: then(true),
    interview: then(false),
    papers: new Map(known.map(paper => [paper.id, read(paper.scoreLines?.paper)])),
  }
  const line = (label: Label, old: number | null, next: number | null) =>
    old === next ? [] : [{ name: ctx.say(label), before: shown(old), after: shown(next) }]
  const lines = [
    ...line(examLabel('passScore'), before.written, now.written),
    ...line(examLabel('interviewPass'), before.interview, now.interview),
    ...known.flatMap(paper => {
      const { zh, en } = examItem.fields.passScore.label
      const label = { zh: `${paper.itemName} ${zh}`, en: `${paper.itemName}: ${en}` }
      return line(label, before.papers.get(paper.id) ?? null, read(paper.passScore))
    }),
  ]
  return { lines, moved: lines.length === 0 ? 0 : movesBetween(measuredBy(facts, before), facts).people }
}
