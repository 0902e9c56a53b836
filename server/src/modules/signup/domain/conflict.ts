import { nameKey } from '#contract/person/person-name.ts'

/** Why somebody must not decide on a sign-up (domain 3.9). */
export type Conflict =
  /** They, or the office for them, said so. */
  | 'declared'
  /** It is their own. */
  | 'samePerson'
  /** The candidate names them as a relative. */
  | 'relative'
  /** The candidate works where they do. */
  | 'colleague'

export interface ConflictReviewer {
  readonly userId: string
  readonly name: string
  readonly idCardIndex: string | null
  readonly phoneIndex: string | null
  /** Names of the departments they belong to. */
  readonly workplaces: readonly string[]
}
export interface ConflictItem {
  readonly signupId: string
  readonly ownerId: string
  readonly idCardIndex: string | null
  readonly phoneIndex: string | null
  readonly unit: string
  readonly workUnit: string
  /** As it came out of the form: rows of a table, each perhaps with a name. */
  readonly relatives: unknown
}
/** What was declared: one sign-up, one person in whichever sign-up, or a hiring unit as a whole. */
export interface Recusal {
  readonly userId: string
  readonly signupId: string | null
  readonly idCardIndex: string | null
  readonly unit: string | null
}

const namesOf = (relatives: unknown): readonly string[] =>
  (Array.isArray(relatives) ? relatives : []).flatMap((row: unknown) => {
    const name = typeof row === 'object' && row !== null && 'name' in row ? row.name : undefined
    return typeof name === 'string' && name.trim() !== '' ? [nameKey(name)] : []
  })
const workplaceKey = (name: string): string => name.replace(/\s+/g, '')

/** Whom each key points at. */
const indexOf = <T>(rows: readonly T[], keysOf: (row: T) => readonly (string | null)[]): ReadonlyMap<string, readonly T[]> => {
  const found = new Map<string, T[]>()
  for (const row of rows) for (const key of keysOf(row)) if (key !== null && key !== '') found.set(key, [...(found.get(key) ?? []), row])
  return found
}

/**
 * Who has a conflict with a sign-up, and why; the first reason that is found. Look-ups by key only: an examination has hundreds of thousands of
 * sign-ups and hundreds of reviewers.
 */
export const conflictFinder = (reviewers: readonly ConflictReviewer[], recusals: readonly Recusal[]) => {
  const wanted = new Set(reviewers.map(({ userId }) => userId))
  const declared = recusals.filter(({ userId }) => wanted.has(userId))
  const bySignup = indexOf(declared, one => [one.signupId])
  const byDeclaredNumber = indexOf(declared, one => [one.idCardIndex])
  const byUnit = indexOf(declared, one => [one.unit])
  const byNumber = indexOf(reviewers, one => [one.idCardIndex])
  const byPhone = indexOf(reviewers, one => [one.phoneIndex])
  const byName = indexOf(reviewers, one => [nameKey(one.name)])
  const byWorkplace = indexOf(reviewers, one => one.workplaces.map(workplaceKey))
  return (item: ConflictItem): ReadonlyMap<string, Conflict> => {
    const found = new Map<string, Conflict>()
    const add = (rows: readonly { readonly userId: string }[] | undefined, why: Conflict): void => {
      for (const { userId } of rows ?? []) if (!found.has(userId)) found.set(userId, why)
    }
    add(bySignup.get(item.signupId), 'declared')
    if (item.idCardIndex !== null) {
      add(byDeclaredNumber.get(item.idCardIndex), 'declared')
      add(byNumber.get(item.idCardIndex), 'samePerson')
    }
    add(byUnit.get(item.unit), 'declared')
    if (item.phoneIndex !== null) add(byPhone.get(item.phoneIndex), 'samePerson')
    if (wanted.has(item.ownerId)) add([{ userId: item.ownerId }], 'samePerson')
    for (const name of namesOf(item.relatives)) add(byName.get(name), 'relative')
    if (item.workUnit !== '') add(byWorkplace.get(workplaceKey(item.workUnit)), 'colleague')
    return found
  }
}
