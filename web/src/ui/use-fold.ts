import { useCallback, useRef } from 'react'

/** Below it a list has no room for actions beside its columns (`data-table.css`). */
const narrow = '(max-width: 991px)'

/**
 * Makes a list that is too wide for its box narrower, so that the columns are in sight and not only what is done with a row:
 * `data-fold="1"` leaves the first action of a row beside its menu, `"2"` the menu alone, where that is enough or the screen is narrow.
 * What that looks like is the style sheet's: no row is drawn again. A list unfolds when its box or its columns (`shown`) have changed; other
 * rows only fold it more, so that it does not jump from page to page.
 */
export const useFold = (shown: string): ((box: HTMLElement) => void) => {
  const last = useRef<{ readonly shown: string; readonly width: number } | null>(null)
  return useCallback(
    (box: HTMLElement) => {
      const width = box.clientWidth
      // A tab that is hidden has no size.
      if (width === 0) return
      if (last.current?.shown !== shown || last.current.width !== width) {
        last.current = { shown, width }
        delete box.dataset.fold
      }
      const tooWide = () => box.scrollWidth - width
      if (box.dataset.fold === '2' || tooWide() <= 1) return
      if (matchMedia(narrow).matches) {
        box.dataset.fold = '2'
        return
      }
      box.dataset.fold = '1'
      const left = tooWide()
      if (left <= 1 || left >= (box.querySelector<HTMLElement>('th.cell-actions')?.offsetWidth ?? 0)) return
      box.dataset.fold = '2'
      if (tooWide() > 1) box.dataset.fold = '1'
    },
    [shown],
  )
}
