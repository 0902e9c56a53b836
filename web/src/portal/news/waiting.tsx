import { useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { RichText } from '#web/kernel/rich-text.tsx'
import { useRead } from '../calls.ts'
import { refresh } from '../data/answers.ts'
import { Load } from '../kit/load.tsx'
import { usePath } from '../kit/router.tsx'
import { Sheet } from '../kit/sheet.tsx'
import { Button } from '../kit/ui.tsx'
import { writes } from '../writes.ts'
import type { NoticeLine } from './line.tsx'
import { newsTexts } from './texts.ts'

export const waitingOf = { current: 1, size: 20 } as const

const Popped = ({ row, onLater }: { readonly row: NoticeLine; readonly onLater: () => void }) => {
  const t = useT(newsTexts)
  const [busy, setBusy] = useState(false)
  const text = useRead('notice', { id: row.id })
  const done = async (work: Promise<unknown>) => {
    setBusy(true)
    try {
      await work
      await refresh('waitingNotices')
    } catch {
      // The client has said why.
    } finally {
      setBusy(false)
    }
  }
  const mustSure = row.needSure && row.sureTime === null
  return (
    <Sheet
      title={row.title}
      firm={mustSure}
      wide
      onClose={mustSure ? onLater : () => void done(writes.readNotice(row.id))}
      foot={
        mustSure ? (
          <>
            <Button onClick={onLater}>{t('notice.later')}</Button>
            <Button
              look="primary"
              busy={busy}
              disabled={text.data === undefined}
              onClick={() => void done(writes.sureNotify(row.id, text.data?.textVersion))}
            >
              {t('notice.sure')}
            </Button>
          </>
        ) : (
          <Button look="primary" busy={busy} onClick={() => void done(writes.readNotice(row.id))}>
            {t('notice.ok')}
          </Button>
        )
      }
    >
      <Load query={text} skeleton={[200]}>
        {({ content }) => <RichText html={content} />}
      </Load>
    </Sheet>
  )
}

/** Put off until the next visit; what must be confirmed comes back until it is. */
const putOff = new Set<string>()

/** Notices that pop up, one after the other, outside of forms and of the notice itself. */
export const PoppedNotices = () => {
  const path = usePath()
  const [, look] = useState(0)
  const waiting = useRead('waitingNotices', waitingOf)
  const row = waiting.data?.records.find(
    one => one.popup && !putOff.has(one.id) && (one.needSure ? one.sureTime === null : !one.read) && path !== `/notices/${one.id}`,
  )
  if (row === undefined || path.startsWith('/signup/form/')) return null
  return (
    <Popped
      key={row.id}
      row={row}
      onLater={() => {
        putOff.add(row.id)
        look(count => count + 1)
      }}
    />
  )
}
