import { added, fewestPeople, isFew, type Tally } from './people.ts'

export type Key = string | null
/** A value of a dimension with what is counted of it. */
export interface Valued {
  readonly key: Key
  readonly tally: Tally
  /** The value of the outer dimension that this one lies within, as the unit of a post. */
  readonly parent?: Key
}
/** Values that every report of the same people tells as one. */
export interface ValueClass {
  readonly members: ReadonlySet<Key>
  readonly isMerged: boolean
  /** Classes of one group lie within the same value of the outer dimension. */
  readonly group: string
}

export const compareKeys = (a: Key, b: Key): number => (a === b ? 0 : a === null ? -1 : b === null ? 1 : a < b ? -1 : 1)

/**
 * Values that are told as one: all of few people, and the smallest others until few are behind none of it and the parts cannot be worked out from the
 * sum. Each of k values that occur has at least one row, so that a sum of s leaves each a range of s - k.
 */
export const mergedValues = (values: readonly Valued[]): ReadonlySet<Key> => {
  const rising = [...values].sort((a, b) => a.tally.rows - b.tally.rows || compareKeys(a.key, b.key))
  const merged = rising.filter(one => isFew(one.tally))
  const others = rising.filter(one => !isFew(one.tally))
  const [first] = merged
  if (!first) return new Set()
  let tally = merged.slice(1).reduce((sum, one) => added(sum, one.tally), first.tally)
  while (merged.length < 2 || isFew(tally) || tally.rows < merged.length + fewestPeople - 1) {
    const next = others.shift()
    if (!next) break
    merged.push(next)
    tally = added(tally, next.tally)
  }
  return new Set(merged.map(one => one.key))
}

const byParent = (values: readonly Valued[]): ReadonlyMap<Key, readonly Valued[]> => {
  const found = new Map<Key, Valued[]>()
  for (const one of values) {
    const list = found.get(one.parent ?? null)
    if (list) list.push(one)
    else found.set(one.parent ?? null, [one])
  }
  return found
}

/**
 * The classes of a dimension: the same for every report of these people, whatever else stands in it. Where values lie within those of an outer
 * dimension, they are merged within each of these, whose sum is shown elsewhere; what is merged within outer values that are merged is one class.
 */
export const classesOf = (values: readonly Valued[]): readonly ValueClass[] => {
  const single = (key: Key, group: string): ValueClass => ({ members: new Set([key]), isMerged: false, group })
  const isNested = values.some(one => one.parent !== undefined)
  const parted = byParent(values)
  const mergedParents = isNested
    ? mergedValues(
        [...parted].flatMap(([key, [first, ...more]]) =>
          first ? [{ key, tally: more.reduce((sum, one) => added(sum, one.tally), first.tally) }] : [],
        ),
      )
    : new Set<Key>()
  const classes: ValueClass[] = []
  const outside = new Set<Key>()
  for (const [parent, list] of parted) {
    const group = JSON.stringify(parent)
    if (mergedParents.has(parent)) {
      // Of a large outer value that is merged only as much is merged as keeps its sum unknown.
      const rising = [...list].sort((a, b) => a.tally.rows - b.tally.rows || compareKeys(a.key, b.key))
      const isLarge = !isFew(rising.map(one => one.tally).reduce(added))
      const merged = isLarge ? new Set([...mergedValues(list), ...rising.slice(0, 1).map(one => one.key)]) : undefined
      for (const one of rising)
        if (!merged || merged.has(one.key) || isFew(one.tally)) outside.add(one.key)
        else classes.push(single(one.key, group))
      continue
    }
    const merged = mergedValues(list)
    if (merged.size > 0) classes.push({ members: merged, isMerged: true, group })
    for (const one of list) if (!merged.has(one.key)) classes.push(single(one.key, group))
  }
  if (outside.size > 0) classes.push({ members: outside, isMerged: true, group: '' })
  const first = (one: ValueClass): Key => [...one.members].sort(compareKeys)[0] ?? null
  return classes.sort((a, b) => compareKeys(first(a), first(b)))
}
