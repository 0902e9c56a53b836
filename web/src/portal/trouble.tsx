import { useT } from '#web/kernel/i18n/index.ts'
import { OfflineIcon } from './kit/page-icons.tsx'
import { toWireMinute } from './kit/wire-time.ts'
import { laterTexts } from './later-texts.ts'
import './later.css'

/**
 * Says that there is no network, and how old what is shown is.
 * @param oldMs - when the oldest answer on the screen left the server, epoch milliseconds; null when none is old
 */
export const Trouble = ({ oldMs }: { readonly oldMs: number | null }) => {
  const t = useT(laterTexts)
  return (
    <div className="p-offline">
      <OfflineIcon size={18} />
      <span>{oldMs === null ? t('app.offline') : t('app.old', { time: toWireMinute(oldMs) })}</span>
    </div>
  )
}
