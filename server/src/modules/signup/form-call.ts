import { refuse } from '#contract/kernel/errors.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, type Session } from '#kernel/http/context.ts'
import type { SignItemRow } from '#modules/exam/index.ts'
import type { SignupContext } from './deps.ts'
import { presentForm } from './present.ts'

export const sessionOf = (ctx: Ctx): Session => {
  if (!ctx.session) throw new Refused(refuse('kernel/no-token', {}))
  return ctx.session
}

/** The fields of an examination's form with the dictionaries they choose from. */
export const formOf = async (deps: SignupContext, db: TenantDb, ctx: Ctx, items: readonly SignItemRow[]) =>
  presentForm(ctx, items, await deps.system.dictionaries(db, [...new Set(items.map(item => item.dictCode).filter(code => code !== null))]))

export const pageNumbers = (input: { current?: number; size?: number }) => {
  const current = input.current ?? 1
  const size = input.size ?? 10
  return { current, size, offset: (current - 1) * size }
}
