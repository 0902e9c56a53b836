import { type KeyboardEvent, type RefObject, useState } from 'react'
import { type TreeRow, treeMove } from './tree.ts'

/** What makes the table a tree. */
export interface TreeParts<Row> {
  readonly rowOf: (row: Row) => TreeRow<unknown>
  readonly onToggle: (id: string) => void
}

/** The keyboard in a tree: which row Tab reaches, and what the arrow keys do on it. */
export const useTreeWalk = <Row>(
  tree: TreeParts<Row> | undefined,
  rows: readonly Row[] | undefined,
  ids: readonly string[],
  scroller: RefObject<HTMLElement | null>,
) => {
  const [walked, setWalked] = useState<string | null>(null)
  if (tree === undefined) return { tabIndexOf: () => undefined, onKeyDown: undefined }
  const reached = walked !== null && ids.includes(walked) ? walked : ids[0]
  return {
    tabIndexOf: (id: string) => (reached === id ? (0 as const) : (-1 as const)),
    /** Of a row; keys in its buttons are the buttons'. */
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const on = event.target as HTMLElement
      const id = on.matches('tr[data-row]') ? on.dataset.row : undefined
      if (rows === undefined || id === undefined) return
      const move = treeMove(rows.map(tree.rowOf), id, event.key)
      if (move === null) {
        if (event.key === 'Enter') on.querySelector<HTMLElement>('[data-choose], [data-toggle], [data-act]')?.click()
        return
      }
      event.preventDefault()
      if (move.kind === 'toggle') return tree.onToggle(move.id)
      setWalked(move.id)
      scroller.current?.querySelector<HTMLElement>(`tr[data-row="${CSS.escape(move.id)}"]`)?.focus()
    },
  }
}
