import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { useStore } from 'zustand'
import { useT } from '#web/kernel/i18n/index.ts'
import { movedStore } from '#web/kernel/moved.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSession } from '#web/kernel/session.ts'
import { Toaster } from '#web/kernel/toaster.tsx'
import { answers } from './data/answers.ts'
import { keptExams } from './form/kept.ts'
import { useAskStore } from './kit/ask.ts'
import { AskHost } from './kit/ask-host.tsx'
import { laterTexts } from './later-texts.ts'
import { Trouble } from './trouble.tsx'
import { startWorker } from './worker.ts'
import './later.css'
import './print.css'

const PoppedNotices = lazy(() => import('./news/waiting.tsx').then(module => ({ default: module.PoppedNotices })))

/** Fetches the pages that are most likely to be opened next, unless the person saves data. */
const fetchNext = (): void => {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } }
  if (connection?.saveData) return
  for (const load of [() => import('./routes.tsx'), () => import('./exam/list.tsx'), () => import('./mine/page.tsx')])
    load().catch(() => {})
}

/** The keyboard of a phone makes the visible part smaller: the field being typed into stays in it. */
const keepFieldInView = (): (() => void) => {
  const { visualViewport } = window
  const changed = () => {
    document.documentElement.style.setProperty('--p-seen', `${visualViewport?.height ?? innerHeight}px`)
    const field = document.activeElement
    if (field instanceof HTMLElement && field.matches('input, textarea, select')) field.scrollIntoView({ block: 'nearest' })
  }
  visualViewport?.addEventListener('resize', changed)
  // Somebody may be typing already when this part of the program comes.
  changed()
  return () => visualViewport?.removeEventListener('resize', changed)
}

/** The news that the server has no database, in the place of the news about the network, where that does not stand already. */
const Moved = () => {
  const isMoved = useStore(movedStore, state => state.atMs !== null)
  const isOld = useSyncExternalStore(answers.onChange, () => !navigator.onLine || answers.oldestMs() !== null)
  const place = document.querySelector('.p-body > [role=status]')
  return !isMoved || isOld || place === null ? null : createPortal(<Trouble oldMs={null} />, place)
}

export const Later = () => {
  const t = useT(laterTexts)
  const userId = useSession(session => (session.user?.userType === 2 ? session.user.userId : null))
  const asked = useAskStore(state => state.question !== null)
  useEffect(() => {
    fetchNext()
    startWorker()
    return keepFieldInView()
  }, [])
  useEffect(() => {
    if (userId === null) return
    const send = async () => {
      if (keptExams(userId).length === 0) return
      const { sendKept } = await import('./form/send-kept.ts')
      const sent = await sendKept(userId, examId => location.pathname === `/signup/form/${examId}`)
      if (sent > 0) notify('success', t('app.keptSent'))
    }
    const trySend = () => void send().catch(() => {})
    trySend()
    addEventListener('online', trySend)
    return () => removeEventListener('online', trySend)
  }, [userId, t])
  return (
    <>
      <Moved />
      {asked && <AskHost />}
      {userId !== null && (
        <Suspense fallback={null}>
          <PoppedNotices />
        </Suspense>
      )}
      <Toaster />
    </>
  )
}
