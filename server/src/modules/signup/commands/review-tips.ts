import { refuse, refuseField } from '#contract/kernel/errors.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { regionKey } from '#contract/signup/region.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import type { CrudSeams } from '#kernel/crud/crud.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { countTipUse, isFormKey, listOfferedTips, type OfferedTip, tipsSeenBy } from '../data/examine-tip.repo.ts'

const forAll = 2
/** What is advised upon beside the fields and files of a form: the chosen post and the region. */
const otherKeys: readonly string[] = ['code', regionKey]
const mayShare = ({ session }: Ctx): boolean => session?.permissions.has('examinetip_share') ?? false

/** A person's own texts are theirs alone; those of all are written by whoever holds the right. */
export const tipRules: CrudSeams = {
  visible: ctx => tipsSeenBy(sessionOf(ctx).userId),
  prepare: async ({ ctx, db, input, before }) => {
    if ((input['scope'] === forAll || before?.['scope'] === forAll) && !mayShare(ctx)) return refuseSignup('tip/of-all', {})
    const key = input['fieldKey']
    if (typeof key === 'string' && key !== '' && key !== before?.['fieldKey'] && !otherKeys.includes(key) && !(await isFormKey(db, key)))
      return refuseField('fieldKey', {
        zh: `没有代码为“${key}”的报名项或材料，代码见报名项库和材料库，如 photo；不填则处处可用`,
        en: `No field or file has the code “${key}”; the codes stand in the libraries of fields and files, as photo. Left empty the text is offered everywhere`,
      })
    return input
  },
  refuseRemove: async ({ ctx, rows }) =>
    rows.some(row => row['scope'] === forAll) && !mayShare(ctx) ? refuseSignup('tip/of-all', {}) : undefined,
}

export const offerTips = (ctx: Ctx, db: TenantDb): Promise<OfferedTip[]> => listOfferedTips(db, sessionOf(ctx).userId)

/** Refuses kernel/not-found: a text that is somebody else's is none. */
export const noteTipUse = async (ctx: Ctx, db: TenantDb, id: string): Promise<{ id: string } | Refusal> =>
  (await countTipUse(db, sessionOf(ctx).userId, id)) ? { id } : refuse('kernel/not-found', {})
