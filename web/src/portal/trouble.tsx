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
 * @param movedMs - the same of what the server has answered from memory, having no database; null when it has one
 */
export const Trouble = ({ oldMs, movedMs }: { readonly oldMs: number | null; readonly movedMs: number | null }) => {
  const t = useT(laterTexts)
  const isOld = oldMs !== null
  const isMoved = movedMs !== null
  useEffect(() => {
    if (!isOld) return
    const timer = setInterval(() => navigator.onLine && answers.online(), againMs)
    return () => clearInterval(timer)
  }, [isOld])
  useEffect(() => {
    if (!isMoved) return
    const timer = setInterval(() => document.hidden || void answers.invalidate(), againMs)
    return () => clearInterval(timer)
  }, [isMoved])
  return (
    <div className="p-offline">
      <OfflineIcon size={18} />
      <span>
        {isMoved
          ? t('app.moved', { time: toWireMinute(movedMs).slice(-5) })
          : isOld
            ? t('app.old', { time: toWireMinute(oldMs) })
            : t('app.offline')}
      </span>
    </div>
  )
}
