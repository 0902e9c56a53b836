import { useQuery } from '@tanstack/react-query'
import { create } from 'zustand'
import { onForget } from '#web/kernel/session.ts'
import { loadSignups } from '#web/resource/signup-rows.ts'

type Filters = Readonly<Record<string, string | number>>

interface Queue {
  readonly filters: Filters
  /** Address of the list with its conditions and its page. */
  readonly href: string
  /** The sign-up that was opened last. */
  readonly opened?: string
}

/** The list a sign-up was opened from, by examination: next, previous and the way back keep to it. */
const useQueues = create<Readonly<Record<string, Queue>>>(() => ({}))
onForget(() => useQueues.setState({}, true))

export const keepQueue = (examId: string, filters: Filters, href: string): void =>
  useQueues.setState(queues => ({ [examId]: { ...queues[examId], filters, href } }))

const ownList = (examId: string | null): Queue => ({ filters: {}, href: `/examine/list${examId === null ? '' : `?examId=${examId}`}` })
const queueOf = (examId: string | null): Queue => (examId === null ? undefined : useQueues.getState()[examId]) ?? ownList(examId)

/** Where the list is that a sign-up was opened from. */
export const listOf = (examId: string | null): string => queueOf(examId).href

/** Whoever goes back to the list finds the sign-up again. */
export const keepOpened = (examId: string | null, opened: string): void => {
  const queue = examId === null ? undefined : useQueues.getState()[examId]
  if (examId !== null && queue !== undefined) useQueues.setState({ [examId]: { ...queue, opened } })
}

/** The sign-up one comes from, once. */
export const takeOpened = (examId: string): string | null => {
  const { opened, ...queue } = queueOf(examId)
  if (opened === undefined) return null
  useQueues.setState({ [examId]: queue })
  return opened
}

export const queueKey = ['review', 'queue'] as const
/** As many as one page may hold; further ones come when these are decided. */
const queueSize = 200

export interface QueuePlace {
  /** 1 for the first; null when the sign-up is not among them. */
  readonly at: number | null
  readonly total: number
  /** There are more than `total`: long lists are counted to a bound (ADR 0031). */
  readonly isMore: boolean
  readonly previousId: string | null
  readonly nextId: string | null
}

/** Where a sign-up stands among those of the list. One that has left the list, being decided, stands before its first. */
export const placeOf = (ids: readonly string[], total: number, id: string, isMore = false): QueuePlace => {
  const index = ids.indexOf(id)
  return index < 0
    ? { at: null, total, isMore, previousId: null, nextId: ids[0] ?? null }
    : { at: index + 1, total, isMore, previousId: ids[index - 1] ?? null, nextId: ids[index + 1] ?? null }
}

interface Reviewed {
  readonly id: string
  readonly examine: number
}
/**
 * What is opened after a decision: whom the server names, where the list has them, else the next of the list that waits like the one that was
 * decided. Null: nothing of the list waits any more.
 * @param isWhole - the list has no further pages that could have more
 */
export const followingOf = (rows: readonly Reviewed[], decided: Reviewed, named: string | null, isWhole: boolean): string | null => {
  if (rows.some(({ id }) => id === named)) return named
  const index = rows.findIndex(({ id }) => id === decided.id)
  const left = [...rows.slice(index + 1), ...rows.slice(0, Math.max(0, index))].find(({ examine }) => examine === decided.examine)
  return left?.id ?? (isWhole ? null : named)
}

export interface Queued extends QueuePlace {
  /** @param named - the sign-up that the server would have next */
  readonly following: (named: string | null) => string | null
}

export const useQueue = (examId: string | null, signupId: string, state: number): Queued => {
  const kept = useQueues(queues => (examId === null ? undefined : queues[examId]))
  const filters: Filters = kept?.filters ?? { examine: state }
  const { data } = useQuery({
    queryKey: [...queueKey, examId, filters],
    queryFn: ({ signal }) => loadSignups({ ...filters, examId: String(examId), current: 1, size: queueSize, count: 'capped' }, signal),
    enabled: examId !== null,
  })
  const rows = data?.records ?? []
  const place = placeOf(
    rows.map(row => row.id),
    data?.total ?? 0,
    signupId,
    data?.atLeast === true,
  )
  return {
    ...place,
    // A list that never came, or that the sign-up was not opened from, keeps nobody from going on.
    following: named =>
      kept === undefined || data === undefined
        ? named
        : followingOf(rows, { id: signupId, examine: state }, named, data.total <= rows.length),
  }
}
