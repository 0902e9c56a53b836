import type { Handler } from './context.ts'
import { KeptAnswer } from './written-answer.ts'

/** Tenants times what is kept of each; the one kept first goes first. */
const mostTenants = 500
const mostOfTenant = 100

/**
 * Answers that are the same for everybody of a tenant with the same rights, kept until something they are made of changes. Whoever changes it calls
 * `forget`; other processes hear it from the database (triggers on the tables), within the time that a notice takes.
 */
export interface KeptAnswers {
  /** @param key what the answer depends on besides the tenant: the call, roles, scopes */
  readonly of: (tenantId: string, key: string, make: () => Promise<unknown>) => Promise<KeptAnswer>
  /** All of one tenant, or everything. */
  readonly forget: (tenantId?: string) => void
}

export const createKeptAnswers = (): KeptAnswers => {
  const tenants = new Map<string, Map<string, Promise<KeptAnswer>>>()
  const oldestOf = (map: Map<string, unknown>): void => {
    const [oldest] = map.keys()
    if (oldest !== undefined) map.delete(oldest)
  }
  return {
    of: (tenantId, key, make) => {
      const answers = tenants.get(tenantId) ?? new Map<string, Promise<KeptAnswer>>()
      const known = answers.get(key)
      if (known) return known
      const made = make().then(data => new KeptAnswer(data))
      if (!tenants.has(tenantId)) {
        if (tenants.size >= mostTenants) oldestOf(tenants)
        tenants.set(tenantId, answers)
      }
      if (answers.size >= mostOfTenant) oldestOf(answers)
      // Before it is there: what is forgotten meanwhile is not kept.
      answers.set(key, made)
      made.catch(() => {
        if (answers.get(key) === made) answers.delete(key)
      })
      return made
    },
    forget: tenantId => {
      if (tenantId === undefined) tenants.clear()
      else tenants.delete(tenantId)
    },
  }
}

/** The same handlers; whatever writes forgets, so that who changes something sees it in their next call. */
export const forgetAfterWrites = (handlers: readonly Handler[], kept: KeptAnswers): Handler[] =>
  handlers.map(handler => {
    const { route } = handler
    if (route.method === 'GET' || route.tx === 'read') return handler
    return {
      ...handler,
      run: async call => {
        if (route.tx !== 'own') call.db.afterCommit(() => kept.forget(call.ctx.tenantId))
        const result = await handler.run(call)
        if (route.tx === 'own') kept.forget(call.ctx.tenantId)
        return result
      },
    }
  })
