import { useCallback, useMemo } from 'react'
import * as settings from '../kernel/settings.ts'
import { usePage } from '../shell/page-context.tsx'
import type { Sort } from '../ui/data-table.tsx'

export interface ListState {
  readonly current: number
  readonly size: number
  readonly sort: Sort | null
  readonly filters: Readonly<Record<string, string>>
}

/** `of` is the row of the first list that a second one belongs to. */
const own = new Set(['current', 'size', 'sort', 'tenantId', 'of'])

/** Names of one list in an address: all of one page's lists but the first have a prefix, `child.` gives `child.current`. */
const part = (search: URLSearchParams, prefix: string): ReadonlyMap<string, string> =>
  new Map(
    [...search].flatMap(([name, value]) => {
      const rest = name.startsWith(prefix) ? name.slice(prefix.length) : '.'
      return rest.includes('.') ? [] : [[rest, value]]
    }),
  )

/** The state of a list out of the search part of its address; what makes no sense is left out. */
export const parseListState = (search: URLSearchParams, prefix = ''): ListState => {
  const values = part(search, prefix)
  const current = Number(values.get('current') ?? 1)
  const size = Number(values.get('size') ?? settings.pageSizes[0])
  const sort = values.get('sort')?.match(/^(-?)([A-Za-z][A-Za-z0-9_]*)$/)
  return {
    current: Number.isInteger(current) && current > 0 ? current : 1,
    size: (settings.pageSizes as readonly number[]).includes(size) ? size : settings.pageSizes[0],
    sort: sort?.[2] === undefined ? null : { by: sort[2], way: sort[1] === '-' ? 'desc' : 'asc' },
    filters: Object.fromEntries([...values].filter(([name, value]) => !own.has(name) && value !== '')),
  }
}

export const toSearch = (state: ListState): Record<string, string | number | null> => ({
  ...state.filters,
  sort: state.sort === null ? null : `${state.sort.way === 'desc' ? '-' : ''}${state.sort.by}`,
  current: state.current === 1 ? null : state.current,
  size: state.size === settings.pageSizes[0] ? null : state.size,
})

/** What the server is asked: S7.02. */
export const toQuery = (state: ListState): Record<string, string | number> => ({
  ...state.filters,
  current: state.current,
  size: state.size,
  ...(state.sort === null ? {} : { [state.sort.way === 'desc' ? 'descs' : 'ascs']: state.sort.by }),
})

/** The address with the state of one list in it and everything else as it was. */
export const withListState = (search: URLSearchParams, state: ListState, prefix = ''): Record<string, string | number | null> => {
  const mine = part(search, prefix)
  const others = [...search].filter(([name]) => name === `${prefix}of` || !(name.startsWith(prefix) && mine.has(name.slice(prefix.length))))
  const next = Object.entries(toSearch(state)).map(([name, value]) => [prefix + name, value])
  return { ...Object.fromEntries(others), ...Object.fromEntries(next) }
}

/**
 * The list's state lives in the address, so that a list can be sent to a colleague and comes back after a reload.
 * @param prefix - for the second list of a page, `child.`
 */
export const useListState = (prefix = '') => {
  const { search, setSearch } = usePage()
  const state = useMemo(() => parseListState(search, prefix), [search, prefix])
  const change = useCallback(
    (of: Partial<ListState>) => setSearch(withListState(search, { ...state, ...of }, prefix)),
    [setSearch, search, state, prefix],
  )
  return { state, change }
}
