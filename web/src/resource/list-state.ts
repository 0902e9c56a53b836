import { useCallback, useMemo } from 'react'
import { settings } from '../kernel/settings.ts'
import { usePage } from '../shell/page-context.tsx'
import type { Sort } from '../ui/data-table.tsx'

export interface ListState {
  readonly current: number
  readonly size: number
  readonly sort: Sort | null
  readonly filters: Readonly<Record<string, string>>
}

const own = new Set(['current', 'size', 'sort', 'tenantId'])

/** The state of a list out of the search part of its address; what makes no sense is left out. */
export const parseListState = (search: URLSearchParams): ListState => {
  const current = Number(search.get('current') ?? 1)
  const size = Number(search.get('size') ?? settings.pageSizes[0])
  const sort = search.get('sort')?.match(/^(-?)([A-Za-z][A-Za-z0-9_]*)$/)
  return {
    current: Number.isInteger(current) && current > 0 ? current : 1,
    size: (settings.pageSizes as readonly number[]).includes(size) ? size : settings.pageSizes[0],
    sort: sort?.[2] === undefined ? null : { by: sort[2], way: sort[1] === '-' ? 'desc' : 'asc' },
    filters: Object.fromEntries([...search].filter(([name, value]) => !own.has(name) && value !== '')),
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

/** The list's state lives in the address, so that a list can be sent to a colleague and comes back after a reload. */
export const useListState = () => {
  const { search, setSearch } = usePage()
  const state = useMemo(() => parseListState(search), [search])
  const change = useCallback((part: Partial<ListState>) => setSearch(toSearch({ ...state, ...part })), [setSearch, state])
  return { state, change }
}
