import { useCallback, useEffect, useMemo, useRef } from 'react'
import { isApiError } from '#web/kernel/api-error.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { useSession } from '#web/kernel/session.ts'
import type { SignupForm, SubmitAnswer } from '../wire.ts'
import { writes } from '../writes.ts'
import { afterSave, editsToSend, onTheirWay } from './draft.ts'
import { keepLocal, settleLocal } from './local-copy.ts'
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
 * @param onMoved - the sign-up is in another state than the form began with
 * @param isCopy - the form itself is a copy from this device: changes stay here until the real one has come
 */
export const useAutosave = (
  store: FormStore,
  form: SignupForm,
  userId: string,
  enabled: boolean,
  isCopy: boolean,
  onMoved: () => void,
): Autosave => {
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
    const state = store.getState()
    const sent = editsToSend(form, state)
    const edits = onTheirWay(state.edits, sent)
    store.setState({ save: { kind: 'saving' }, edits })
    // The page may be gone before the answer comes: the next one must know this save as its own.
    keepLocal(examId, userId, items, values, edits, serverNow())
    let answer: SubmitAnswer
    try {
      answer = await writes.submit({
        ...toInput(form, values, todayOf(serverNow())),
        submitType: 0,
        draft: { seen: state.version, edits: sent },
      })
    } catch (error) {
      if (isApiError(error) && !error.isOffline && error.status < 500) {
        sentRevision.current = revision
        return store.setState({ save: { kind: 'refused', reason: error.message } })
      }
      return store.setState({ save: { kind: 'local' } })
    }
    sentRevision.current = revision
    const now = store.getState()
    const isCurrent = now.revision === revision
    const after = afterSave(form, now, sent, answer)
    // Decided, handed in or withdrawn meanwhile: what the form offers is another thing now.
    const hasMoved = answer.examine !== (form.signup?.examine ?? 0) || answer.signVersion !== (form.signup?.signVersion ?? 0)
    const asked = new Set(answer.conflicts.map(({ key }) => key))
    // The server has these: this device need not keep them, and the next visit has nothing to restore.
    settleLocal(examId, userId, Object.fromEntries(Object.entries(sent).filter(([key]) => !asked.has(key))))
    store.setState({
      ...after,
      // The form that begins anew asks: a sheet of this one would go with it.
      ...(answer.conflicts.length > 0 ? { asking: hasMoved ? 'later' : 'now' } : {}),
      save: isCurrent ? { kind: 'saved', atMs: serverNow() } : { kind: 'dirty' },
      // What was judged is what was sent; what has changed since is judged by the save that follows.
      ...(isCurrent ? { judged: answer } : {}),
    })
    if (hasMoved) onMoved()
  }, [store, form, examId, userId, items, isCopy, onMoved])
  const flush = useCallback(() => inLine(examId, send), [examId, send])

  useEffect(() => {
    stopped.current = !enabled
    const timer = setInterval(() => void flush(), everyMs)
    const online = () => void flush()
    addEventListener('online', online)
    // Who closes the page, or puts the phone away, has left the field.
    document.addEventListener('visibilitychange', online)
    const stopWatching = store.subscribe((state, before) => {
      if (state.revision !== before.revision && !stopped.current) keepLocal(examId, userId, items, state.values, state.edits, serverNow())
    })
    return () => {
      clearInterval(timer)
      removeEventListener('online', online)
      document.removeEventListener('visibilitychange', online)
      stopWatching()
      void flush()
    }
  }, [flush, store, examId, userId, items, enabled])

  const stop = useCallback(() => {
    stopped.current = true
  }, [])
  return { flush, stop }
}
