import { useEffect } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { answers } from './data/answers.ts'
import { OfflineIcon } from './kit/page-icons.tsx'
import { toWireMinute } from './kit/wire-time.ts'
import { laterTexts } from './later-texts.ts'
import './later.css'

/** A phone says that it is online some seconds before anything gets through: what is old is asked for again so often. */
const againMs = 5_000

/**
 * Says that there is no network, and how old what is shown is.
 * @param oldMs - when the oldest answer on the screen left the server, epoch milliseconds; null when none is old
 */
export const Trouble = ({ oldMs }: { readonly oldMs: number | null }) => {
  const t = useT(laterTexts)
  const isOld = oldMs !== null
  useEffect(() => {
    if (!isOld) return
    const timer = setInterval(() => navigator.onLine && answers.online(), againMs)
    return () => clearInterval(timer)
  }, [isOld])
  return (
    <div className="p-offline">
      <OfflineIcon size={18} />
      <span>{isOld ? t('app.old', { time: toWireMinute(oldMs) }) : t('app.offline')}</span>
    </div>
  )
}
