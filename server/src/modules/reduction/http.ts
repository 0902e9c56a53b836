import * as routes from '#contract/reduction/reduction.routes.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { choose, readChoice } from './commands/choose.ts'
import { joinByHand, takeOff } from './commands/list-names.ts'
import { readNames, readReductions } from './commands/read-reductions.ts'
import { saveReductions } from './commands/save-reductions.ts'
import type { ReductionDeps } from './deps.ts'

export const reductionHandlers = (deps: ReductionDeps): Handler[] => [
  handle(routes.reductionList, ({ ctx, db, input }) => readReductions(deps, db, ctx, input)),
  handle(routes.saveReductions, ({ ctx, db, input }) => saveReductions(deps, db, ctx, input)),
  handle(routes.reductionNames, ({ ctx, db, input }) => readNames(db, ctx, input)),
  handle(routes.joinReduction, ({ ctx, db, input }) => joinByHand(deps, db, ctx, input)),
  handle(routes.removeFromReduction, ({ ctx, db, input }) => takeOff(db, ctx, input)),
  handle(routes.ownReduction, ({ ctx, input }) => readChoice(deps, ctx, input)),
  handle(routes.chooseReduction, ({ ctx, input }) => choose(deps, ctx, input)),
]
