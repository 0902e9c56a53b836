import { refuseExam } from '#contract/exam/exam.errors.ts'
import { signFile, signItem } from '#contract/exam/exam.resources.ts'
import { fitsTicket, mostOnTicket } from '#contract/exam/ticket-fields.ts'
import { refuse, refuseField } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { TableColumn } from '#contract/signup/content.ts'
import { isSafePattern } from '#contract/signup/safe-pattern.ts'
import type { Row } from '#kernel/crud/rows.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import type { FileModule } from '#modules/file/index.ts'
import { listSignItems, type PhotoPixels } from '../data/form.repo.ts'
import { isItemOffered } from '../data/library.repo.ts'
import { hasSubmitted } from '../data/signup-facts.repo.ts'
import { frozenAmong, inUse, type Part, textOf } from './exam-part.ts'
import { takeSample, withSample } from './sample-file.ts'

/** A pattern that is never tried, because it cannot be read or could explode, would refuse every candidate. */
export const refusePattern = (input: Row): Refusal | undefined => {
  const pattern = input['pattern']
  if (typeof pattern !== 'string' || pattern === '' || isSafePattern(pattern)) return undefined
  return refuseField('pattern', {
    zh: '校验规则不可用：须是有效的正则表达式，不含环视、反向引用、重复的分组，最多两处变长重复和六个“|”',
    en: 'The pattern cannot be used: a valid regular expression without look-around, back-reference or repeated group, with at most two variable repetitions and six “|”',
  })
}

/** A table that nobody could fill in: without columns, with two of one key, with a choice from nothing. */
export const refuseColumns = (input: Row, before: Row | undefined): Refusal | undefined => {
  const { fieldType, columns } = { ...before, ...input } as { fieldType?: unknown; columns?: readonly TableColumn[] | null }
  if (fieldType !== 'table') return undefined
  if (!columns || columns.length === 0) return refuseField('columns', { zh: '表格至少要有一列', en: 'A table needs at least one column' })
  const keys = columns.map(column => column.key)
  const twice = keys.find((key, at) => keys.indexOf(key) !== at)
  if (twice !== undefined) return refuseField('columns', { zh: `列标识重复：${twice}`, en: `Two columns have the key ${twice}` })
  const empty = columns.find(column => column.fieldType === 'select' && !column.dictCode)
  return (
    empty &&
    refuseField('columns', {
      zh: `请为“${empty.label}”列选择字典`,
      en: `Choose a dictionary for the column ${empty.labelEn || empty.label}`,
    })
  )
}

/** The paper has a few lines for answers, and only some answers fit a line (domain 7.2). */
export const refuseOnTicket = async (db: TenantDb, input: Row, before: Row | undefined): Promise<Refusal | undefined> => {
  const item = { ...before, ...input } as { itemKey: string; fieldType: string; sensitive?: number; useInTicket?: number; examId: string }
  if (item.useInTicket !== 1) return undefined
  if (!fitsTicket(item))
    return refuseField('useInTicket', {
      zh: '此项不能印在准考证上：已印在上面，或是敏感信息，或一行放不下',
      en: 'This field cannot be printed on the ticket: it stands there anyway, is sensitive, or does not fit a line',
    })
  const others = (await listSignItems(db, item.examId)).filter(one => one.useInTicket === 1 && one.id !== String(before?.['id'] ?? ''))
  return others.length < mostOnTicket
    ? undefined
    : refuseField('useInTicket', { zh: `准考证上最多印 ${mostOnTicket} 项`, en: `At most ${mostOnTicket} fields fit the ticket` })
}

/** No picture could pass. */
export const refusePixel = (input: Row): Refusal | undefined => {
  const pixel = input['pixel'] as PhotoPixels | null | undefined
  if (!pixel) return undefined
  const { minW, minH, maxW, maxH, ratio } = pixel
  return minW <= maxW && minH <= maxH && ratio[0] <= ratio[1]
    ? undefined
    : refuseField('pixel', { zh: '像素要求的下限不能大于上限', en: 'The least of the pixels must not be more than the most' })
}

/** Once somebody has submitted, nothing more can be demanded of them, and what they answered keeps its meaning. */
const formPart = (
  part: Pick<Part, 'key' | 'noun' | 'defaults'> & {
    readonly resource: typeof signItem | typeof signFile
    readonly titleField: string
    /** What an answer means depends on these. */
    readonly fixed: readonly string[]
    /** Whether a new row asks something of those who have submitted. */
    readonly asksAnew: (input: Row) => boolean
    readonly refuse?: (call: { ctx: Ctx; db: TenantDb; input: Row; before: Row | undefined }) => Promise<Refusal | undefined>
    readonly present?: Part['present']
  },
): Part => {
  const title = (row: Row): string => textOf(row[part.titleField])
  return {
    resource: part.resource,
    key: part.key,
    noun: part.noun,
    defaults: part.defaults,
    title,
    ...(part.present ? { present: part.present } : {}),
    judge: async ({ ctx, db, exam, input, before }) => {
      const refusal = await part.refuse?.({ ctx, db, input, before })
      if (refusal) return refusal
      if (!(await hasSubmitted(db, exam.id))) return undefined
      if (!before)
        return part.asksAnew(input)
          ? refuseExam('exam/frozen', { fields: ctx.say(part.resource.fields.required.label) }, { data: { fields: ['required'] } })
          : undefined
      const madeRequired = input['required'] === 1 && before['required'] === 0 ? ['required'] : []
      return frozenAmong(part.resource, ctx, before, input, [...part.fixed, ...madeRequired])
    },
    refuseRemove: async ({ db, exam, row }) => ((await hasSubmitted(db, exam.id)) ? inUse(title(row)) : undefined),
  }
}

export const formFields = formPart({
  resource: signItem,
  key: 'itemKey',
  noun: { zh: '报名项', en: 'form field' },
  titleField: 'itemLabel',
  defaults: ['sensitive', 'required', 'lockAfterPass', 'reviewerVisible', 'useInTicket', 'useInExport', 'useInReport', 'sort'],
  fixed: ['itemKey', 'fieldType', 'dictCode', 'columns', 'sensitive'],
  asksAnew: input => input['required'] === 1,
  refuse: async ({ db, input, before }) => {
    const wrong = refusePattern(input) ?? refuseColumns(input, before) ?? (await refuseOnTicket(db, input, before))
    if (wrong) return wrong
    return input['itemsId'] && !before && !(await isItemOffered(db, input['itemsId'])) ? refuse('kernel/not-found', {}) : undefined
  },
})

export const formFilesOf = (file: FileModule): Part =>
  formPart({
    resource: signFile,
    key: 'fileKey',
    noun: { zh: '材料', en: 'required file' },
    titleField: 'fileLabel',
    defaults: ['accept', 'maxKb', 'minKb', 'maxCount', 'required', 'stage', 'watermark', 'sort'],
    fixed: ['fileKey', 'kind', 'stage'],
    refuse: async call => refusePixel(call.input) ?? takeSample(file, call),
    present: withSample(file),
    // Those of the re-review are asked for later.
    asksAnew: input => input['required'] === 1 && input['stage'] !== 2,
  })
