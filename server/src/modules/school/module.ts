import { refuseField } from '#contract/kernel/errors.ts'
import type { Resource } from '#contract/kernel/resource.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { school } from '#contract/school/school.resource.ts'
import { getSchoolExcel, schoolExcel, schoolList } from '#contract/school/school.routes.ts'
import { fileName, planRows } from '#kernel/crud/export.ts'
import { toWire } from '#kernel/crud/rows.ts'
import { type Ctx, type ExportPlan, type Handler, handle, handleExport, Refused } from '#kernel/http/context.ts'
import { rowScopeOf } from '#kernel/http/row-scope.ts'
import type { Invariant } from '#kernel/invariant.ts'
import type { TransferModule } from '#modules/transfer/index.ts'
import { schoolInvariants } from './data/invariants.repo.ts'
import { findNamed, findProvince, findSchools, schoolsOf } from './data/school.repo.ts'

export interface SchoolModule {
  readonly handlers: readonly Handler[]
  readonly invariants: readonly Invariant[]
  /** Schools of the list by each of these full names, former names among them, or by codes in their place; a name of none is left out. */
  readonly findNamed: typeof findNamed
}

const noun = school as unknown as Resource

/** The schools of a province, or all, with the columns that an import reads. */
const planSchools = (ctx: Ctx, filter: Readonly<Record<string, unknown>>, province: string | undefined): Promise<ExportPlan> =>
  planRows(noun, ctx, {
    filter,
    ...schoolsOf(rowScopeOf(ctx.session, noun), province),
    present: row => toWire(noun, row),
  })

const provinceOf = async (ctx: Ctx, code: string): Promise<string> => {
  const name = await ctx.tx(db => findProvince(db, code))
  if (name === undefined)
    throw new Refused(refuseField('code', { zh: `没有代码为 ${code} 的省级行政区`, en: `There is no province with the code ${code}` }))
  return name
}

export const createSchoolModule = (transfer: TransferModule): SchoolModule => {
  const planTemplate = async (ctx: Ctx): Promise<ExportPlan> => ({
    fileName: fileName(ctx.say({ zh: '院校导入模板', en: 'Template for schools' }), toWireTime(ctx.arrivedAt).replace(/\D/g, '')),
    total: 0,
    audit: { action: 'school.exported', entity: 'school', entityId: null, after: { filter: { kind: 'template' } } },
    book: await transfer.nounBook(noun, ctx),
  })
  return {
    invariants: schoolInvariants,
    handlers: [
      handle(schoolList, ({ db, input }) => findSchools(db, input.keyword)),
      handleExport(schoolExcel, async ({ ctx, input }) => {
        if (input.code === 'template') return planTemplate(ctx)
        return planSchools(ctx, input, input.code === 'all' ? undefined : await provinceOf(ctx, input.code))
      }),
      handleExport(getSchoolExcel, ({ ctx, input }) =>
        input.kind === 'template' ? planTemplate(ctx) : planSchools(ctx, input, input.province || undefined),
      ),
    ],
    findNamed,
  }
}
