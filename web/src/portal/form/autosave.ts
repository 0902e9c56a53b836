import { useCallback, useEffect, useMemo, useRef } from 'react'
import { isApiError } from '#web/kernel/api-error.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { useSession } from '#web/kernel/session.ts'
import type { SignupForm } from '../wire.ts'
import { writes } from '../writes.ts'
import { dropLocal, keepLocal } from './local-copy.ts'
import { itemsOf, todayOf, toInput } from './model.ts'
import { inLine } from './saves.ts'
import type { FormStore } from './store.ts'

/** Changes are sent at the latest after this time (domain 6.3). */
const everyMs = 5_000

export interface Autosave {
  /** Sends what has changed now; resolves when nothing is on its way. */
  readonly flush: () => Promise<void>
  /** No more saving: the form has been submitted. */
  readonly stop: () => void
}

/**
 * Keeps each change on this device at once, and on the server every 5 seconds, on blur, on leaving and when the network is back.
 * @param isCopy - the form itself is a copy from this device: changes stay here until the real one has come
 */
export const useAutosave = (store: FormStore, form: SignupForm, userId: string, enabled: boolean, isCopy: boolean): Autosave => {
  const sentRevision = useRef(0)
  const stopped = useRef(!enabled)
  const examId = form.exam.id
  const items = useMemo(() => itemsOf(form), [form])
  const send = useCallback(async (): Promise<void> => {
    const { revision, values } = store.getState()
    if (stopped.current || revision === sentRevision.current) return
    // Its turn may come after somebody else has logged in on this device.
    if (useSession.getState().user?.userId !== userId) return
    if (isCopy) return store.setState({ save: { kind: 'local' } })
    store.setState({ save: { kind: 'saving' } })
    try {
      await writes.submit({ ...toInput(form, values, todayOf(serverNow())), submitType: 0 })
    } catch (error) {
      if (isApiError(error) && !error.isOffline && error.status < 500) {
        sentRevision.current = revision
        return store.setState({ save: { kind: 'refused', reason: error.message } })
      }
      return store.setState({ save: { kind: 'local' } })
    }
    sentRevision.current = revision
    const isCurrent = store.getState().revision === revision
    // The server has everything: this device need not keep it, and the next visit has nothing to restore.
    if (isCurrent) dropLocal(examId, userId)
    store.setState({ save: isCurrent ? { kind: 'saved', atMs: serverNow() } : { kind: 'dirty' } })
  }, [store, form, examId, userId, isCopy])
  const flush = useCallback(() => inLine(examId, send), [examId, send])

  useEffect(() => {
    stopped.current = !enabled
    const timer = setInterval(() => void flush(), everyMs)
    const online = () => void flush()
    addEventListener('online', online)
    const stopWatching = store.subscribe((state, before) => {
      if (state.revision !== before.revision && !stopped.current) keepLocal(examId, userId, items, state.values, serverNow())
    })
    return () => {
      clearInterval(timer)
      removeEventListener('online', online)
      stopWatching()
      void flush()
    }
  }, [flush, store, examId, userId, items, enabled])

  const stop = useCallback(() => {
    stopped.current = true
  }, [])
  return { flush, stop }
}
