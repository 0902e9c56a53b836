import { useEffect, useEffectEvent } from 'react'
import { isTyping } from '../typing.ts'

/** Single keys of the page, by what they write; none while somebody types or `isOff`. */
export const useKeys = (keys: Readonly<Record<string, () => void>>, isOff: boolean): void => {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isTyping(event) || event.repeat || isOff) return
    const run = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key]
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
