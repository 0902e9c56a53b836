import { useEffect, useState } from 'react'

/** True once the browser has nothing more urgent to do. */
export const useIdle = (): boolean => {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    const done = () => setIdle(true)
    if (typeof requestIdleCallback === 'function') {
      const handle = requestIdleCallback(done, { timeout: 1_500 })
      return () => cancelIdleCallback(handle)
    }
    const timer = setTimeout(done, 300)
    return () => clearTimeout(timer)
  }, [])
  return idle
}
