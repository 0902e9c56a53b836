import { useQueryClient } from '@tanstack/react-query'

type Conditions = Readonly<Record<string, string>>

const textOf = (conditions: Conditions): string => JSON.stringify(Object.entries(conditions).sort())

/**
 * What the search button of a list does. Whoever presses it wants what there is now, not what the same conditions found a moment ago.
 * @param name - of the list, as in `listKey`; a list that has several says them with a space behind it
 * @param shown - the conditions of what is on the screen; null where a search shows something else in any case, as from another page
 */
export const useFind = (name: string, shown: Conditions | null, show: (next: Conditions) => void) => {
  const client = useQueryClient()
  return (next: Conditions): void => {
    const isShown = shown !== null && textOf(shown) === textOf(next)
    void client.invalidateQueries({
      predicate: ({ queryKey: [kind, of] }) => kind === 'list' && (of === name || String(of).startsWith(`${name} `)),
      refetchType: isShown ? 'active' : 'none',
    })
    show(next)
  }
}
