import type { Handler } from '#kernel/http/context.ts'
import { forgetAfterWrites } from '#kernel/http/kept-answers.ts'
import type { AccessDeps } from './deps.ts'
import { fieldRuleHandlers } from './field-rule.http.ts'
import { grantedHandlers } from './granted.http.ts'
import { menuHandlers } from './menu.http.ts'
import { roleHandlers } from './role.http.ts'
import { scopeHandlers } from './scope.http.ts'
import { topMenuHandlers } from './topmenu.http.ts'
import { viewAsHandlers } from './view-as.http.ts'

/** Who may do and see what: menus, roles, scopes of rows and calls, rules of fields, and looking as somebody else would. */
export interface AccessModule {
  readonly handlers: readonly Handler[]
  /** Learns how the other modules answer their lists, for whoever looks at what somebody would see. */
  readonly bind: (handlers: readonly Handler[]) => void
}

export const createAccessModule = (deps: AccessDeps): AccessModule => {
  let bound: ReadonlyMap<string, Handler> = new Map()
  return {
    handlers: forgetAfterWrites(
      [
        ...grantedHandlers(deps.services.kept),
        ...topMenuHandlers,
        ...menuHandlers(),
        ...roleHandlers(),
        ...scopeHandlers(),
        ...fieldRuleHandlers(),
        ...viewAsHandlers(deps, place => bound.get(place)),
      ],
      deps.services.kept,
    ),
    bind: handlers => {
      bound = new Map(handlers.map(handler => [`${handler.route.method} ${handler.route.path}`, handler]))
    },
  }
}
