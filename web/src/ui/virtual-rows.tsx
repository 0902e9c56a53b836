import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useEffect, useState } from 'react'

interface Props {
  readonly count: number
  readonly scroller: RefObject<HTMLElement | null>
  readonly rowPx: number
  readonly columns: number
  readonly row: (index: number) => ReactNode
}

/** Only the rows in view and a few around them; two empty rows hold the place of the others. Comes with the first long list. */
export const VirtualRows = ({ count, scroller, rowPx, columns, row }: Props) => {
  // The scrolling element stands above these rows: it is known only after they are there.
  const [, setKnown] = useState(false)
  useEffect(() => void setKnown(true), [])
  const virtual = useVirtualizer({ count, getScrollElement: () => scroller.current, estimateSize: () => rowPx, overscan: 12 })
  const items = virtual.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  const gap = (heightPx: number) =>
    heightPx <= 0 ? null : (
      // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without content is not focusable
      <tr aria-hidden="true" className="row-gap">
        <td colSpan={columns} style={{ height: heightPx }} />
      </tr>
    )
  return (
    <>
      {gap(before)}
      {items.map(item => row(item.index))}
      {gap(after)}
    </>
  )
}
