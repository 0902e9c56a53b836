import { classesOf, compareKeys, type Key, type ValueClass, type Valued } from './partition.ts'
import { added, isFew, type Tally } from './people.ts'
import { type Axis, type CubeCell, cellsToHide, total } from './protect.ts'

/** What cells are counted by, and what of it is wanted. */
export interface Cut {
  /** The dimensions of the cells: rows and columns first, then what only filters name. */
  readonly names: readonly string[]
  /** How many of them are rows and columns. */
  readonly shown: number
  /** Which values are wanted, by dimension; an empty text is none. */
  readonly wanted: ReadonlyMap<string, (value: string) => boolean>
  /** The dimension by which people are looked at apart, as examinations: each has classes and hidden cells of its own. */
  readonly population?: string | undefined
}
/** Rows that have the same values, as the database counts them. */
export interface Group {
  readonly keys: readonly Key[]
  /** For each dimension the outer value that this one lies within; undefined where it lies within none. */
  readonly parents: readonly (Key | undefined)[]
  readonly tally: Tally
}
/** A cell of the table; hidden where one of those that it is made of is. `undefined` in `keys` is the sum over that dimension. */
export interface NarrowedCell {
  readonly keys: readonly (Key | undefined)[]
  readonly rows: number
  readonly sums: readonly { readonly sum: number; readonly count: number }[]
  readonly isHidden: boolean
}
export interface Narrowed {
  readonly cells: readonly NarrowedCell[]
  /** Whether a value of a dimension is shown by itself. */
  readonly isApart: (dimension: string, key: Key) => boolean
  /** Populations of few people, which are in no number. */
  readonly leftOut: number
}

/** The key of values that are told as one. No value of the database has this character. */
export const mergedKey = '\u0001merged'

export const codeOf = (keys: readonly (Key | undefined)[]): string => JSON.stringify(keys.map(key => (key === undefined ? 0 : [key])))

/** Sums over sets of dimensions. */
const cubeOf = <K>(groups: readonly { readonly keys: readonly K[]; readonly tally: Tally }[]) => {
  const made = new Map<string, { keys: readonly (K | undefined)[]; tally: Tally }>()
  for (const { keys, tally } of groups)
    for (let mask = 0; mask < 2 ** keys.length; mask += 1) {
      const place = keys.map((key, i) => ((mask >> i) & 1 ? undefined : key))
      const code = JSON.stringify(place.map(key => (key === undefined ? 0 : [key])))
      const one = made.get(code)
      if (one) one.tally = added(one.tally, tally)
      else made.set(code, { keys: place, tally })
    }
  return [...made.values()]
}

const valuesAt = (groups: readonly Group[], at: number): readonly Valued[] => {
  const found = new Map<Key, Valued>()
  for (const { keys, parents, tally } of groups) {
    const key = keys[at] ?? null
    const before = found.get(key)
    const parent = parents[at]
    found.set(key, { key, tally: before ? added(before.tally, tally) : tally, ...(parent === undefined ? {} : { parent }) })
  }
  return [...found.values()]
}

interface Protected {
  /** For each dimension but the population a class, or undefined for the sum over it. */
  readonly classes: readonly (ValueClass | undefined)[]
  readonly rows: number
  readonly sums: NarrowedCell['sums']
  readonly isHidden: boolean
}
/** The cells of one population, in classes, with what is hidden of them. Turning the report around changes nothing: dimensions go by their names. */
const protectedCells = (
  names: readonly string[],
  groups: readonly Group[],
  within: ReadonlyMap<string, string>,
): { cells: readonly Protected[]; classes: readonly (readonly ValueClass[])[] } => {
  const turned = names.map((name, from) => ({ name, from })).sort((a, b) => (a.name < b.name ? -1 : 1))
  const classes = turned.map(({ from }) => classesOf(valuesAt(groups, from)))
  const placeOf = classes.map(list => new Map(list.flatMap((one, place) => [...one.members].map(key => [key, place] as const))))
  const axes = turned.map(({ name, from }, i): Axis => {
    const list = classes[i] ?? []
    const outer = turned.findIndex(one => one.name === within.get(name))
    const parentOf = new Map(groups.map(({ keys, parents }) => [keys[from] ?? null, parents[from] ?? null]))
    return {
      size: list.length,
      groups: list.map(one => one.group),
      ...(outer < 0
        ? {}
        : {
            within: {
              axis: outer,
              of: list.map(({ members: [first = null] }) => placeOf[outer]?.get(parentOf.get(first) ?? null) ?? 0),
            },
          }),
    }
  })
  const inClasses = new Map<string, { keys: readonly number[]; tally: Tally }>()
  for (const { keys, tally } of groups) {
    const places = turned.map(({ from }, i) => placeOf[i]?.get(keys[from] ?? null) ?? 0)
    const code = places.join()
    const one = inClasses.get(code)
    inClasses.set(code, { keys: places, tally: one ? added(one.tally, tally) : tally })
  }
  const cube = cubeOf([...inClasses.values()]).map(({ keys, tally }) => ({ at: keys.map(key => key ?? total), tally }))
  const hidden = new Set(
    cellsToHide(
      axes,
      cube.map(({ at, tally }): CubeCell => ({ at, rows: tally.rows, isFew: isFew(tally) })),
    ).map(at => at.join()),
  )
  const asAsked = (at: readonly number[]): readonly (ValueClass | undefined)[] =>
    names.map((_, from) => {
      const i = turned.findIndex(one => one.from === from)
      return classes[i]?.[at[i] ?? total]
    })
  const there = new Set(cube.map(({ at }) => at.join()))
  const blank = groups[0]?.tally.sums.map(() => ({ sum: 0, count: 0 })) ?? []
  return {
    classes: names.map((_, from) => classes[turned.findIndex(one => one.from === from)] ?? []),
    cells: [
      ...cube.map(({ at, tally }) => ({
        classes: asAsked(at),
        rows: tally.rows,
        sums: tally.sums,
        isHidden: hidden.has(at.join()),
      })),
      ...[...hidden]
        .filter(code => !there.has(code))
        .map(code => ({ classes: asAsked(code.split(',').map(Number)), rows: 0, sums: blank, isHidden: true })),
    ],
  }
}

/** How much of a class is wanted. */
const wantedOf = (one: ValueClass, isWanted: (value: string) => boolean): 'all' | 'none' | 'part' => {
  const count = [...one.members].filter(key => isWanted(key ?? '')).length
  return count === 0 ? 'none' : count === one.members.size ? 'all' : 'part'
}

/**
 * The cells of a report for whoever sees figures only. Every number is a sum of cells of single examinations, in classes of values and with cells
 * hidden that are the same in every report of these people; it is hidden where one of them is, or where a filter takes a part of a class. So
 * reports tell no more together than these cells do, whatever is put in rows, columns and filters.
 *
 * @param within - the outer dimension of an inner one, by name
 */
export const narrowed = (cut: Cut, groups: readonly Group[], within: ReadonlyMap<string, string>): Narrowed => {
  const population = cut.population === undefined ? -1 : cut.names.indexOf(cut.population)
  const others = cut.names.filter((_, i) => i !== population)
  const without = <T>(list: readonly T[]): readonly T[] => list.filter((_, i) => i !== population)
  const parted = new Map<Key, Group[]>()
  for (const { keys, parents, tally } of groups) {
    const of = population < 0 ? null : (keys[population] ?? null)
    const list = parted.get(of) ?? []
    list.push({ keys: without(keys), parents: without(parents), tally })
    parted.set(of, list)
  }
  let leftOut = 0
  const merged = new Map(others.map(name => [name, new Set<Key>()]))
  const found: { readonly of: Key; readonly cells: readonly Protected[] }[] = []
  for (const [of, list] of [...parted].sort(([a], [b]) => compareKeys(a, b))) {
    const [first, ...more] = list
    if (!first || isFew(more.reduce((sum, one) => added(sum, one.tally), first.tally))) {
      leftOut += 1
      continue
    }
    const { cells, classes } = protectedCells(others, list, within)
    for (const [i, name] of others.entries())
      for (const one of classes[i] ?? []) if (one.isMerged) for (const key of one.members) merged.get(name)?.add(key)
    found.push({ of, cells })
  }
  const isApart: Narrowed['isApart'] = (dimension, key) => merged.get(dimension)?.has(key) !== true
  const keyOf = (i: number, one: ValueClass | undefined): Key | undefined => {
    if (one === undefined) return undefined
    const [key = null] = one.members
    return one.isMerged || !isApart(others[i] ?? '', key) ? mergedKey : key
  }

  const made = new Map<string, { keys: NarrowedCell['keys']; rows: number; sums: { sum: number; count: number }[]; isHidden: boolean }>()
  for (const { of, cells } of found)
    for (const cell of cells) {
      const wants = others.map((name, i) => {
        const isWanted = cut.wanted.get(name)
        const one = cell.classes[i]
        if (isWanted === undefined) return 'all'
        return one === undefined ? 'none' : wantedOf(one, isWanted)
      })
      if (wants.includes('none')) continue
      const isHidden = cell.isHidden || wants.includes('part')
      const all = cell.classes.map((one, i) => keyOf(i, one))
      if (population >= 0) all.splice(population, 0, of)
      let places: NarrowedCell['keys'][] = [all.slice(0, cut.shown)]
      // What is filtered by and shown as well has its sums over the wanted values alone.
      for (let i = 0; i < cut.shown; i += 1)
        if (i === population || cut.wanted.has(cut.names[i] ?? ''))
          places = places.flatMap(keys => [keys, keys.map((key, at) => (at === i ? undefined : key))])
      for (const keys of places) {
        const code = codeOf(keys)
        const one = made.get(code)
        if (!one) {
          made.set(code, { keys, rows: cell.rows, sums: cell.sums.map(sum => ({ ...sum })), isHidden })
          continue
        }
        one.rows += cell.rows
        one.isHidden ||= isHidden
        for (const [i, sum] of one.sums.entries()) {
          sum.sum += cell.sums[i]?.sum ?? 0
          sum.count += cell.sums[i]?.count ?? 0
        }
      }
    }
  return { cells: [...made.values()], isApart, leftOut }
}

/** The same for whoever sees every row: all of it with all sums. */
export const inFull = (groups: readonly Group[]): Narrowed => ({
  cells: cubeOf(groups).map(({ keys, tally }) => ({ keys, rows: tally.rows, sums: tally.sums, isHidden: false })),
  isApart: () => true,
  leftOut: 0,
})
