/** What somebody holds, as ids. */
export interface Held {
  readonly roleIds: readonly string[]
  readonly deptIds: readonly string[]
}
/** The part of it that a session goes on with. */
export interface Choice extends Held {
  /** Less than all of it. */
  readonly isNarrowed: boolean
}

/** Ids as headers and parameters have them: comma-joined, empty for no wish. */
export const wishOf = (text: string | undefined): readonly string[] =>
  [...new Set((text ?? '').split(',').map(id => id.trim()))].filter(Boolean)

/**
 * Narrows a session to the roles and departments that are asked for (framework-contract 2.14). A wish is never a fact: one id that is not held
 * refuses all. No wish keeps what the session has, as far as it is still held.
 */
export const chooseFrom = (held: Held, now: Held, wish: Held): Choice | 'foreign' => {
  const part = (kind: keyof Held): readonly string[] | undefined => {
    const [all, wanted] = [held[kind], wish[kind]]
    if (wanted.some(id => !all.includes(id))) return undefined
    const kept = all.filter(id => (wanted.length > 0 ? wanted : now[kind]).includes(id))
    return kept.length > 0 ? kept : all
  }
  const [roleIds, deptIds] = [part('roleIds'), part('deptIds')]
  if (!roleIds || !deptIds) return 'foreign'
  return { roleIds, deptIds, isNarrowed: roleIds.length < held.roleIds.length || deptIds.length < held.deptIds.length }
}
