import { loadSignups, type SignupRow } from '#web/resource/signup-rows.ts'

type Filters = Readonly<Record<string, string>>

/** So many at once are never open at reviewers: one that nobody has is among them. */
const asked = 50

/** The sign-up to begin with; `held`: how many wait, all of them open at colleagues. */
export type First = { readonly id: string } | { readonly held: number }

/** Of the rows that wait and whose decision is not somebody else's, the one that has waited longest and that no colleague has open. */
export const firstToDecide = (rows: readonly Pick<SignupRow, 'id' | 'submitTime' | 'lockedBy' | 'recusal'>[], own: string): First => {
  const inOrder = rows
    .filter(row => row.recusal === null)
    .toSorted((one, other) => ((one.submitTime ?? '') < (other.submitTime ?? '') ? -1 : 1))
  const first = inOrder.find(row => row.lockedBy === null || row.lockedBy === own)
  return first === undefined ? { held: inOrder.length } : { id: first.id }
}

/**
 * The sign-up that has waited longest among those of a list's conditions that somebody may decide on.
 * @param decides - numbers of the states that wait for them
 * @param own - the name under which they hold a sign-up themselves
 */
export const longestWaiting = async (filters: Filters, decides: readonly number[], own: string): Promise<First> => {
  const { current: _current, size: _size, order: _order, level: _level, examine, ...more } = filters
  const states = decides.some(state => String(state) === examine) ? decides.filter(state => String(state) === examine) : decides
  const pages = await Promise.all(
    states.map(state =>
      loadSignups({ ...more, examine: state, order: 'wait', current: 1, size: asked, count: 'capped' }, new AbortController().signal),
    ),
  )
  return firstToDecide(
    pages.flatMap(page => page.records),
    own,
  )
}
