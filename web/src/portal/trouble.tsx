import { useEffect } from 'react'
import { useStore } from 'zustand'
import { useT } from '#web/kernel/i18n/index.ts'
import { movedStore } from '#web/kernel/moved.ts'
import { answers } from './data/answers.ts'
import { OfflineIcon } from './kit/page-icons.tsx'
import { toWireMinute } from './kit/wire-time.ts'
import { laterTexts } from './later-texts.ts'
import './later.css'

/** A phone says that it is online some seconds before anything gets through: what is old is asked for again so often. */
const againMs = 5_000

/**
 * Says that there is no network, or that the server has no database, and how old what is shown is.
 * @param oldMs - when the oldest copy of this device on the screen left the server, epoch milliseconds; null when none is shown
 */
export const Trouble = ({ oldMs }: { readonly oldMs: number | null }) => {
  const t = useT(laterTexts)
  const movedMs = useStore(movedStore, state => state.atMs)
  const isOld = oldMs !== null
  const isMoved = movedMs !== null
  useEffect(() => {
    if (!isOld && !isMoved) return
    const timer = setInterval(() => {
      if (isMoved && !document.hidden) void answers.invalidate()
      else if (!isMoved && navigator.onLine) answers.online()
    }, againMs)
    return () => clearInterval(timer)
  }, [isOld, isMoved])
  return (
    <div className="p-offline">
      <OfflineIcon size={18} />
      <span>
        {isMoved
          ? t('app.moved', { time: toWireMinute(Math.min(movedMs, oldMs ?? movedMs)).slice(-5) })
          : isOld
            ? t('app.old', { time: toWireMinute(oldMs) })
            : t('app.offline')}
      </span>
    </div>
  )
}
