import { useEffect, useRef, useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { clockOf } from '../show.ts'
import { reviewTexts } from '../texts.ts'

/** Time this sign-up has been looked at; it stands still while the tab is hidden. */
export const Spent = () => {
  const t = useT(reviewTexts)
  const before = useRef(0)
  const [ms, setMs] = useState(0)
  useEffect(() => {
    const from = performance.now() - before.current
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setMs(performance.now() - from)
    }, 1_000)
    return () => {
      clearInterval(timer)
      before.current = performance.now() - from
    }
  }, [])
  return <span className="work-spent">{t('work.spent', { time: clockOf(ms) })}</span>
}
