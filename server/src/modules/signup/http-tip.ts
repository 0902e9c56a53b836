import { examineTip } from '#contract/signup/examine-tip.resource.ts'
import { offeredTips, useTip } from '#contract/signup/examine-tip.routes.ts'
import { crud } from '#kernel/crud/crud.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { noteTipUse, offerTips, tipRules } from './commands/review-tips.ts'

export const tipHandlers = (): Handler[] => [
  ...crud(examineTip, tipRules),
  handle(offeredTips, ({ ctx, db }) => offerTips(ctx, db)),
  handle(useTip, ({ ctx, db, input }) => noteTipUse(ctx, db, input.id)),
]
