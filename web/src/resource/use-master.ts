import { useCallback } from 'react'
import { usePage } from '../shell/page-context.tsx'

/** Of the second list of a page; its state and the chosen row of the first stand in the address under it. */
export const detailPrefix = 'detail.'

/**
 * The chosen row of the first of two lists (S2.10). Give `current` to the first `CrudPage`, `prefix={detailPrefix}` and the id to the
 * second; another choice begins the second list at its first page.
 */
export const useMaster = () => {
  const { search, setSearch } = usePage()
  const id = search.get(`${detailPrefix}of`)
  const choose = useCallback(
    (next: string | null) => {
      const rest = [...search].filter(([name]) => !name.startsWith(detailPrefix))
      setSearch({ ...Object.fromEntries(rest), [`${detailPrefix}of`]: next })
    },
    [search, setSearch],
  )
  /** When rows of the first list are gone. */
  const forget = useCallback(
    (gone: readonly string[]) => {
      if (id !== null && gone.includes(id)) choose(null)
    },
    [id, choose],
  )
  return { id, current: { id, onChange: choose }, forget }
}
