import { useEffect, useRef, useState } from 'react'
import { serverNow } from '#web/kernel/clock.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { epochOf } from '#web/kernel/wire-time.ts'
import { portalTexts } from '../texts.ts'

export interface TimeParts {
  readonly days: number
  readonly hours: number
  readonly minutes: number
  readonly seconds: number
}
const partsOf = (ms: number): TimeParts => {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  return {
    days: Math.floor(seconds / 86_400),
    hours: Math.floor(seconds / 3600) % 24,
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
  }
}

/** Text of a duration: the two units that matter, and days alone while hours do not. */
export const useDuration = (): ((ms: number) => string) => {
  const t = useT(portalTexts)
  return ms => {
    const { days, hours, minutes, seconds } = partsOf(ms)
    if (ms <= 0) return t('time.over')
    if (days > 2) return t('time.long', { days })
    if (days > 0) return t('time.days', { days, hours })
    if (hours > 0) return t('time.hours', { hours, minutes })
    return t('time.minutes', { minutes, seconds })
  }
}

/** The server's now, drawn anew each `everyMs`. */
export const useServerNow = (everyMs = 1000): number => {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** What is left until `until` by the server's clock. `onEnd` runs once when it is over. */
export const Countdown = ({ until, onEnd, plain }: { readonly until: string; readonly onEnd?: () => void; readonly plain?: boolean }) => {
  const t = useT(portalTexts)
  const duration = useDuration()
  const left = epochOf(until) - useServerNow()
  const ended = useRef(left <= 0)
  useEffect(() => {
    if (left <= 0 && !ended.current) {
      ended.current = true
      onEnd?.()
    }
    if (left > 0) ended.current = false
  }, [left, onEnd])
  const text = duration(left)
  return <span className="p-num p-left">{plain || left <= 0 ? text : t('time.left', { time: text })}</span>
}
