import { type RefObject, useLayoutEffect } from 'react'

/**
 * Marks a box that scrolls sideways with `data-more` while some of it lies beyond its end.
 * @param tighten - makes what the box holds narrower where it is too wide; told of each size before the mark is set
 */
export const useMoreBeside = (box: RefObject<HTMLElement | null>, tighten?: (box: HTMLElement) => void): void => {
  useLayoutEffect(() => {
    const { current } = box
    if (current === null) return
    const look = () => {
      // Widths are whole pixels, the place of the bar is not.
      current.dataset.more = String(current.scrollWidth - current.clientWidth - current.scrollLeft > 1)
    }
    const measure = () => {
      tighten?.(current)
      look()
    }
    // Tells of each size at the beginning too, once the browser has laid the page out and before it paints: asking at once would have it
    // laid out twice.
    const sizes = new ResizeObserver(measure)
    sizes.observe(current)
    for (const child of current.children) sizes.observe(child)
    current.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      current.removeEventListener('scroll', look)
    }
  }, [box, tighten])
}
