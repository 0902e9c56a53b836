import { refuse } from '#contract/kernel/errors.ts'
import { examPay } from '#contract/pay/pay.resources.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { isNarrowed } from '#kernel/http/row-scope.ts'
import type { RunImport } from '#modules/transfer/index.ts'

/** A workbook names people by their id numbers, wherever they stand: for whoever sees all dues. */
export const importList = async (run: RunImport, ctx: Ctx, path: string, input: Parameters<RunImport>[2]) =>
  isNarrowed(ctx.session, examPay.permission) ? refuse('kernel/whole-needed', {}) : run(ctx, path, input)
