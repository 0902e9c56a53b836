import { dictCodesOf } from '#contract/signup/dict-codes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import type { SignItemRow } from '#modules/exam/index.ts'
import { readDictionaries } from '#modules/reference/index.ts'
import { presentForm } from './present-form.ts'

/** The fields of an examination's form with the dictionaries they choose from. */
export const formOf = async (db: TenantDb, ctx: Ctx, items: readonly SignItemRow[]) =>
  presentForm(ctx, items, await readDictionaries(db, [...new Set(items.flatMap(dictCodesOf))]))
