import { refuseExam } from '#contract/exam/exam.errors.ts'
import { userCode } from '#contract/exam/exam.resources.ts'
import type { CrudSeams } from '#kernel/crud/crud.ts'
import type { FileModule } from '#modules/file/index.ts'
import { isFileKindUsed, isItemUsed, isUnitCodeUsed } from '../data/library.repo.ts'
import { inUse, isChanged, textOf, withoutNulls } from './exam-part.ts'
import { refuseColumns, refusePattern, refusePixel } from './form-parts.ts'
import { takeSample, withSample } from './sample-file.ts'

/** Units and codes are shared by examinations and accounts; the libraries by every examination. */
export const librarySeamsOf = (file: FileModule): Readonly<Record<'userCode' | 'item' | 'fileKind', CrudSeams>> => ({
  userCode: {
    prepare: async ({ ctx, db, input, before }) => {
      const clean = withoutNulls(input, ['sort', 'status'])
      if (before && isChanged(before, clean, 'code') && (await isUnitCodeUsed(db, textOf(before['code']))))
        return refuseExam('exam/frozen', { fields: ctx.say(userCode.fields.code.label) }, { data: { fields: ['code'] } })
      return clean
    },
    refuseRemove: async ({ db, rows }) => {
      for (const row of rows)
        if (await isUnitCodeUsed(db, textOf(row['code']))) return inUse(`${textOf(row['code'])} ${textOf(row['name'])}`)
      return undefined
    },
  },
  item: {
    prepare: async ({ input, before }) =>
      refusePattern(input) ?? refuseColumns(input, before) ?? withoutNulls(input, ['sensitive', 'sort', 'status']),
    refuseRemove: async ({ db, rows }) => {
      for (const row of rows) if (row['builtIn'] === 1 || (await isItemUsed(db, row['id']))) return inUse(textOf(row['itemLabel']))
      return undefined
    },
  },
  fileKind: {
    prepare: async call =>
      refusePixel(call.input) ??
      (await takeSample(file, call)) ??
      withoutNulls(call.input, ['accept', 'maxKb', 'minKb', 'maxCount', 'sort', 'status']),
    present: withSample(file),
    refuseRemove: async ({ db, rows }) => {
      for (const row of rows) if (await isFileKindUsed(db, row['id'])) return inUse(textOf(row['fileLabel']))
      return undefined
    },
  },
})
