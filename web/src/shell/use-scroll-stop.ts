import { type RefObject, useLayoutEffect } from 'react'
import { hasControl } from '../ui/has-control.ts'

/** A box that can only be read is a stop of the keyboard by itself, under `name`, while there is more of it than can be seen. */
export const useScrollStop = (ref: RefObject<HTMLElement | null>, name: string): void => {
  useLayoutEffect(() => {
    const box = ref.current
    if (box === null) return
    const look = () => {
      const isStop = box.scrollHeight - box.clientHeight > 1 && !hasControl(box)
      if (isStop) box.setAttribute('aria-label', name)
      else box.removeAttribute('aria-label')
      box.toggleAttribute('tabindex', isStop)
      if (isStop) box.tabIndex = 0
    }
    // Sizes are told once the page has been laid out; what stands in the box comes after its skeleton.
    const sizes = new ResizeObserver(look)
    const observe = () => {
      sizes.disconnect()
      sizes.observe(box)
      for (const child of box.children) sizes.observe(child)
    }
    const children = new MutationObserver(observe)
    children.observe(box, { childList: true })
    observe()
    return () => {
      children.disconnect()
      sizes.disconnect()
    }
  }, [ref, name])
}
