import { refuse } from '#contract/kernel/errors.ts'
import { markOf } from '#contract/kernel/field-rule.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { resultNoun } from '#contract/result/result.noun.ts'
import type { exportResult } from '#contract/result/result.routes.ts'
import { formatHundredths, parseHundredths } from '#contract/result/score.ts'
import { fileName, maxExportRows, watermarkOf } from '#kernel/crud/export.ts'
import { type Ctx, type ExportPlan, Refused } from '#kernel/http/context.ts'
import type { SheetColumn, SheetLine } from '#kernel/sheet/write-sheet.ts'
import { readDictionaries } from '#modules/reference/index.ts'
import { joinByHash } from '../data/bulk.ts'
import { findExamOfResults } from '../data/exam.repo.ts'
import { type ExportPerson, listExportPapers, listResultPeople, readResultPeople } from '../data/export.repo.ts'
import type { ResultScope } from '../domain/result-scope.ts'
import { atScale } from '../domain/totals.ts'

const batch = 1_000

const bonusOf = (person: ExportPerson): string => {
  const sum = person.results.reduce((all, result) => {
    const bonus = parseHundredths(result.bonus)
    return all + (bonus.ok ? bonus.hundredths : 0)
  }, 0)
  return sum === 0 ? '' : formatHundredths(sum)
}

/** Empty while nothing is calculated: only who missed a paper is off a list that does not exist yet. */
const shortlistText = (ctx: Ctx, person: ExportPerson): string => {
  const hasMissed = person.results.some(({ state }) => state === 2 || state === 3)
  if (person.writtenTotal === null && person.interviewTotal === null && !hasMissed) return ''
  switch (person.shortlist) {
    case 1:
      return ctx.say({ zh: '是', en: 'Yes' })
    case 2:
      return ctx.say({ zh: '递补', en: 'Moved up' })
    case 3:
      return ctx.say({ zh: '放弃', en: 'Gave up' })
    case 0:
      return ctx.say({ zh: '否', en: 'No' })
    default:
      return ''
  }
}

/**
 * One line per person with a result, the papers as columns (domain 5.3). The rows follow in batches with a transaction each.
 */
export const planResults = async (ctx: Ctx, input: InputOf<typeof exportResult>, scope: ResultScope): Promise<ExportPlan> => {
  const { exam, ids, papers, states } = await ctx.tx(async db => {
    const exam = await findExamOfResults(db, input.examId)
    if (!exam) throw new Refused(refuse('kernel/not-found', {}))
    await joinByHash(db)
    const ids = await listResultPeople(db, input, scope, maxExportRows + 1)
    if (ids.length > maxExportRows) throw new Refused(refuse('kernel/too-many', { limit: maxExportRows }))
    const papers = await listExportPapers(db, exam.id, input.itemId)
    const entries = (await readDictionaries(db, ['result_state']))['result_state'] ?? []
    return { exam, ids, papers, states: new Map(entries.map(entry => [entry.key, ctx.say(entry)])) }
  })
  const scaled = (value: string | null) => (value === null ? '' : atScale(value, exam.scale))
  const line = (person: ExportPerson, number: number): SheetLine => {
    const byPaper = new Map(person.results.map(result => [result.itemId, result]))
    const unusual = papers.flatMap(paper => {
      const result = byPaper.get(paper.id)
      return result && result.state !== 1 ? [`${paper.itemName}: ${states.get(String(result.state)) ?? result.state}`] : []
    })
    return [
      number,
      person.ticketNo,
      person.name,
      person.idCardMask,
      person.unitName,
      person.code,
      person.codeName,
      ...papers.map(paper => byPaper.get(paper.id)?.score ?? ''),
      bonusOf(person),
      scaled(person.writtenTotal),
      scaled(person.interviewTotal),
      scaled(person.total),
      person.rank === null ? '' : String(person.rank),
      person.plan === null ? '' : String(person.plan),
      shortlistText(ctx, person),
      unusual.length === 0 ? (states.get('1') ?? '') : unusual.join('; '),
    ]
  }
  async function* lines(): AsyncGenerator<SheetLine> {
    let number = 0
    for (let from = 0; from < ids.length; from += batch) {
      for (const person of await ctx.tx(db => readResultPeople(db, ids.slice(from, from + batch), scope))) {
        number += 1
        yield line(person, number)
      }
    }
  }
  const head = (zh: string, en: string, field?: keyof typeof resultNoun.fields): SheetColumn => ({
    header: ctx.say({ zh, en }),
    ...(field ? { field: markOf(resultNoun, field) } : {}),
  })
  const columns: SheetColumn[] = [
    { ...head('序号', 'No.'), kind: 'number' },
    head('准考证号', 'Ticket no.', 'ticketNo'),
    head('姓名', 'Name', 'name'),
    head('身份证号', 'Id number', 'idCard'),
    head('单位', 'Unit'),
    head('岗位代码', 'Post code'),
    head('岗位', 'Post'),
    ...papers.map(paper => ({ header: paper.itemName, field: markOf(resultNoun, 'score'), kind: 'number' as const })),
    { ...head('加分', 'Bonus', 'score'), kind: 'number' },
    { ...head('笔试成绩', 'Written', 'score'), kind: 'number' },
    { ...head('面试成绩', 'Interview', 'score'), kind: 'number' },
    { ...head('总成绩', 'Total', 'score'), kind: 'number' },
    { ...head('岗位排名', 'Rank in post', 'score'), kind: 'number' },
    head('招聘人数', 'Headcount'),
    head('是否入围', 'Shortlisted'),
    head('状态', 'State'),
  ]
  const title = ctx.say({ zh: '成绩', en: 'Results' })
  const name = fileName(exam.examCode, exam.examName, title, toWireTime(ctx.arrivedAt).replace(/\D/g, '').slice(0, 12))
  return {
    fileName: name,
    total: ids.length,
    audit: { action: 'result.exported', entity: 'examination', entityId: exam.id, after: { filter: input, scope } },
    book: { watermark: watermarkOf(ctx, `${exam.examName} ${title}`), sheets: [{ name: title, columns, rows: lines() }] },
  }
}
