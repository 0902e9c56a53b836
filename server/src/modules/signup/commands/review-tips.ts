import { refuse } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import type { CrudSeams } from '#kernel/crud/crud.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { countTipUse, listOfferedTips, type OfferedTip, tipsSeenBy } from '../data/examine-tip.repo.ts'

const forAll = 2
const mayShare = ({ session }: Ctx): boolean => session?.permissions.has('examinetip_share') ?? false

/** A person's own texts are theirs alone; those of all are written by whoever holds the right. */
export const tipRules: CrudSeams = {
  visible: ctx => tipsSeenBy(sessionOf(ctx).userId),
  prepare: async ({ ctx, input, before }) =>
    (input['scope'] === forAll || before?.['scope'] === forAll) && !mayShare(ctx) ? refuseSignup('tip/of-all', {}) : input,
  refuseRemove: async ({ ctx, rows }) =>
    rows.some(row => row['scope'] === forAll) && !mayShare(ctx) ? refuseSignup('tip/of-all', {}) : undefined,
}

export const offerTips = (ctx: Ctx, db: TenantDb): Promise<OfferedTip[]> => listOfferedTips(db, sessionOf(ctx).userId)

/** Refuses kernel/not-found: a text that is somebody else's is none. */
export const noteTipUse = async (ctx: Ctx, db: TenantDb, id: string): Promise<{ id: string } | Refusal> =>
  (await countTipUse(db, sessionOf(ctx).userId, id)) ? { id } : refuse('kernel/not-found', {})
