import { Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { id, int, named, nullable, optional, strict, text } from '../kernel/schema.ts'

/** Workbook of decision 4.7. */
const workbookBytes = 20 * 1024 * 1024

/** The workbook part of every import call. */
export const importFiles = [{ name: 'file', maxBytes: workbookBytes, maxCount: 1 }] as const

/** More cells than this are mended in the workbook. */
const mostFixes = 500

/**
 * The parameters every import call takes (domain 5.9). With `importId` the checked file is used again; `fixes` are cells of it that
 * were mended on the screen, and stay with it for the calls that follow.
 */
export const importInput = {
  mode: optional(named({ zh: '导入步骤', en: 'Step of the import' }, Type.Union([Type.Literal('check'), Type.Literal('commit')]))),
  policy: optional(Type.Union([Type.Literal('all'), Type.Literal('partial')])),
  importId: optional(id()),
  /** Rows whose doubts are confirmed, by their numbers in the sheet; `all` for every one. Others that ask are left out of a commit. */
  sure: optional(
    named({ zh: '已确认的行', en: 'Confirmed rows' }, Type.String({ pattern: '^(all|[0-9]{1,6}(,[0-9]{1,6}){0,1999})$', 'x-list': true })),
  ),
  fixes: optional(
    Type.Array(
      strict({
        row: int(2, 200_001),
        column: Type.String({ pattern: '^[A-Z]{1,3}$' }),
        value: named({ zh: '单元格内容', en: 'Content of the cell' }, text(500)),
      }),
      {
        maxItems: mostFixes,
      },
    ),
  ),
}

/** `ImportResult` of domain 5.13. `state`: 0 queued, 1 checking, 2 checked, 3 writing, 4 done, 5 failed, 6 cancelled. */
export const importResult = Type.Object({
  importId: Type.String(),
  kind: Type.String(),
  mode: Type.String(),
  fileName: Type.String(),
  state: Type.Integer(),
  total: Type.Integer(),
  /** Rows worked through, for the progress bar. */
  done: Type.Integer(),
  ok: Type.Integer(),
  failed: Type.Integer(),
  inserted: Type.Integer(),
  updated: Type.Integer(),
  skipped: Type.Integer(),
  errors: Type.Array(
    Type.Object({
      row: Type.Integer(),
      column: Type.String(),
      header: Type.String(),
      value: Type.String(),
      code: Type.String(),
      reason: Type.String(),
    }),
  ),
  /** One with `asks` holds its row back until the row is confirmed (`sure`). */
  warnings: Type.Array(Type.Object({ row: Type.Integer(), reason: Type.String(), asks: optional(Type.String()) })),
  /** Rows that ask and are not confirmed. */
  asked: Type.Integer(),
  errorFileUrl: nullable(Type.String()),
  /** Why the whole file was refused. */
  problem: nullable(Type.String()),
})

const because = 'only runs the caller started are shown'
export const importJob = defineRoute({
  method: 'GET',
  path: '/blade-exam/importjob/detail',
  access: { signedIn: true, because },
  input: strict({ id: id() }),
  output: importResult,
  background: true,
})
export const cancelImport = defineRoute({
  method: 'POST',
  path: '/blade-exam/importjob/cancel',
  access: { signedIn: true, because },
  input: strict({ id: id() }),
  output: Type.Object({ id: Type.String(), state: Type.Integer() }),
})
export const importTemplate = defineRoute({
  method: 'GET',
  path: '/blade-exam/examination/importTemplate',
  access: { signedIn: true, because: 'each kind of template asks for its own import permission' },
  input: strict({
    kind: named({ zh: '模板类别', en: 'Template' }, Type.String({ pattern: '^T\\d[a-z]?$' })),
    examId: optional(id()),
    itemId: optional(id()),
  }),
  output: Type.Unknown(),
  answer: 'file',
  tx: 'own',
})
export const importRoutes = [importJob, cancelImport, importTemplate] as const
