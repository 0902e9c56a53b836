import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { create } from 'zustand'
import { loadChunk } from '#web/kernel/chunk.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { onForget } from '#web/kernel/session.ts'
import { confirm } from '#web/ui/dialog.tsx'
import type { ExamineInfo } from '../show.ts'
import { reviewTexts } from '../texts.ts'
import type { Review } from './use-review.ts'

const ReasonDialog = lazy(async () => ({ default: (await import('#web/ui/reason-dialog.tsx')).ReasonDialog }))

/** The sign-up this person decided on last: a slip is noticed a moment later, when the next one is open already. */
export const useLastDecided = create<{ readonly id: string | null; readonly name: string }>(() => ({ id: null, name: '' }))
onForget(() => useLastDecided.setState({ id: null, name: '' }))

/** Takes the last decision on the shown sign-up back (domain 4.2, last row), where the server says that this reader may. */
export const useUndo = (review: Review, info: ExamineInfo) => {
  const t = useT(reviewTexts)
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const undo = review.isOld ? null : (review.latest?.undo ?? null)
  const name = info.signup.name ?? info.signup.signNo ?? ''
  const result = undo === null ? '' : undo.result === 1 ? t('result.1') : undo.result === 2 ? t('result.2') : t('result.3')
  const lead = t('undo.ask', { name, result, who: undo?.examinerName ?? '' })
  const send = async (reason: string) => {
    const { sendUndo } = await loadChunk(() => import('./undo-send.ts'))
    await sendUndo(client, info.signup, reason, t('undo.done', { name }))
    if (useLastDecided.getState().id === info.signup.id) useLastDecided.setState({ id: null, name: '' })
    await review.reload()
  }
  const start = async () => {
    if (undo === null) return
    if (undo.needsReason) return setAsking(true)
    if (await confirm({ title: t('undo.title'), text: lead, ok: t('undo.title'), danger: true })) await send('').catch(() => {})
  }
  return {
    may: undo !== null,
    decided: t('undo.decided', { who: undo?.examinerName ?? '', result }),
    until: undo?.until === null || undo === null ? null : t('undo.until', { time: minuteOf(undo.until).slice(11) }),
    start: () => void start(),
    dialog: asking ? (
      <Suspense>
        <ReasonDialog
          title={t('undo.title')}
          lead={lead}
          label={t('undo.reason')}
          missing={t('undo.reasonMissing')}
          ok={t('undo.title')}
          send={send}
          onClose={() => setAsking(false)}
        />
      </Suspense>
    ) : null,
  }
}
