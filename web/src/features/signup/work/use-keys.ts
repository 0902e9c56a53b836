import { useEffect, useEffectEvent } from 'react'
import { isInInput, isTyping } from '../typing.ts'

/** Keys of the page, by what they write, and `Ctrl+Enter`; none while somebody types or `isOff`. */
export const useKeys = (keys: Readonly<Record<string, () => void>>, isOff: boolean): void => {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.repeat || isOff) return
    const sends = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (sends ? isInInput(event) : isTyping(event)) return
    const run = keys[sends ? 'Ctrl+Enter' : event.key.length === 1 ? event.key.toLowerCase() : event.key]
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
