import { objectionState, objectToChange } from '#contract/person/objection.routes.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { object, standingOf } from './commands/object.ts'
import type { PersonDeps } from './deps.ts'

const because = 'whoever objects has the key that was sent to their phone'

export const objectionHandlers = (deps: PersonDeps): Handler[] => [
  handle(objectionState, ({ ctx, input }) => ctx.asSystem(because, db => standingOf(deps, db, input))),
  handle(objectToChange, ({ ctx, input }) => ctx.asSystem(because, db => object(deps, db, ctx, input))),
]
