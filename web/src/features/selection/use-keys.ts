import { useEffect, useEffectEvent } from 'react'

const isElsewhere = (event: KeyboardEvent): boolean =>
  event.isComposing ||
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  event.defaultPrevented ||
  (event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [role=dialog], [role=menu]') !== null)

/** Single keys of the page; none while somebody types, chooses or answers a question, or `isOff`. */
export const useKeys = (keys: Readonly<Record<string, () => void>>, isOff: boolean): void => {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const run = isOff || event.repeat || isElsewhere(event) ? undefined : keys[event.key.toLowerCase()]
    if (run === undefined) return
    event.preventDefault()
    run()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}
