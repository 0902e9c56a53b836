/**
 * What a call is worth while more people come than the installation can serve. From the last to be held back to the first:
 *
 * - `submit`: saves, uploads, hand-ins and payments. Never held back.
 * - `within`: what somebody reads who is at work inside. Held back only from sessions without a place, and only under severe load.
 * - `arrive`: the first, expensive steps of somebody new (captcha, code, registration, log-in, opening the form). These wait for their turn.
 * - `look`: what everybody may read. Answered from memory where an answer is there, so that it costs no database.
 */
export const ranks = ['submit', 'within', 'arrive', 'look'] as const
export type Rank = (typeof ranks)[number]

/** A route that serves several purposes says by which field of its input they are told apart. */
export interface RankByField {
  readonly field: string
  readonly cases: Readonly<Record<string, Rank>>
  readonly otherwise: Rank
}

/** What of a route its rank is found by. */
interface Ranked {
  readonly access: object
  readonly method: 'GET' | 'POST'
  readonly tx?: 'read' | 'write' | 'own'
  readonly rank?: Rank | RankByField
}

const defaultRank = ({ access, method, tx }: Ranked): Rank => {
  const isRead = method === 'GET' || tx === 'read'
  // Nobody is known yet: who changes something is on the way in.
  if ('public' in access || 'guest' in access) return isRead ? 'look' : 'arrive'
  return isRead ? 'within' : 'submit'
}

/** The rank of one call; a route that declares none gets it from its access and its method, so that new routes take part by themselves. */
export const rankOf = (route: Ranked, input?: unknown): Rank => {
  const { rank } = route
  if (rank === undefined) return defaultRank(route)
  if (typeof rank === 'string') return rank
  const value = typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[rank.field] : undefined
  return (typeof value === 'string' && Object.hasOwn(rank.cases, value) ? rank.cases[value] : undefined) ?? rank.otherwise
}
