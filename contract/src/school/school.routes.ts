import { Type } from 'typebox'
import { exportJobView } from '../kernel/export-job.ts'
import { defineRoute } from '../kernel/route.ts'
import { named, nullable, optional, strict, text } from '../kernel/schema.ts'

/** Schools whose name, former name or code holds the word; at most 20. */
export const schoolList = defineRoute({
  method: 'GET',
  path: '/blade-school/school/list',
  access: { signedIn: true, because: 'the school picker of the form; a public list of the ministry' },
  input: strict({ keyword: text(40, { minLength: 1 }) }),
  output: Type.Array(
    Type.Object({
      id: Type.String(),
      schoolCode: Type.String(),
      schoolName: Type.String(),
      province: Type.String(),
      city: Type.String(),
      level: Type.Integer(),
      isMedical: Type.Integer(),
      /** A former name by which the word found the school; null where its name of today does. */
      formerName: nullable(Type.String()),
    }),
  ),
  tx: 'read',
  background: true,
})

const what = { zh: '院校数据', en: 'Schools' } as const
/** The list as a workbook, or with `template` the empty one to fill in (domain 5.9, T8). */
export const schoolExcel = defineRoute({
  method: 'GET',
  path: '/blade-school/school/getExcel',
  access: { staff: 'school_export' },
  input: strict({
    code: named(
      { zh: '省级代码、all 或 template', en: 'Code of a province, all or template' },
      Type.String({ pattern: '^([0-9]{2}|[0-9]{6}|all|template)$', 'x-label': what }),
    ),
  }),
  output: exportJobView,
  answer: 'file',
  tx: 'own',
  means: 'with the code of a province its schools, with `all` the whole list, with `template` the workbook to fill in',
})

/** The same as the screens of examinations ask for it (S7.38). */
export const getSchoolExcel = defineRoute({
  method: 'POST',
  path: '/blade-exam/examination/getSchoolExcel',
  access: { staff: 'school_export' },
  input: strict({
    kind: named({ zh: '导出内容', en: 'What is exported' }, Type.Union([Type.Literal('template'), Type.Literal('data')])),
    province: optional(named({ zh: '省', en: 'Province' }, text(20))),
  }),
  output: exportJobView,
  answer: 'file',
  tx: 'own',
})
export const schoolRoutes = [schoolList, schoolExcel, getSchoolExcel] as const
