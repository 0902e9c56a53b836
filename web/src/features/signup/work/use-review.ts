import { useCallback, useEffect, useRef, useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { useLang } from '#web/kernel/i18n/index.ts'
import { commonHeaders, newKey, urlOf } from '#web/kernel/send.ts'
import type { ExamineInfo } from '../show.ts'

/** The lock lasts ten minutes; it is renewed while somebody looks (domain 3.9). */
const renewMs = 2 * 60_000

/** Locks being given back: taking the same one again waits for that, or the later call would lose it. */
const givingBack = new Map<string, Promise<unknown>>()
const giveBack = (signUpId: string, after: Promise<unknown>): void => {
  const done = after
    .then(() => api.call('POST /blade-signup/examine/release', { signUpId }, { quiet: true }))
    .catch(() => {})
    .finally(() => {
      if (givingBack.get(signUpId) === done) givingBack.delete(signUpId)
    })
  givingBack.set(signUpId, done)
}

interface State {
  /** What is on the screen. */
  readonly shown: ExamineInfo | null
  /** What the server said last; differs from `shown` when the candidate has submitted again meanwhile. */
  readonly latest: ExamineInfo | null
  readonly error: Error | null
}

const isSame = (a: ExamineInfo, b: ExamineInfo): boolean =>
  a.signup.signVersion === b.signup.signVersion && a.signup.examine === b.signup.examine

export interface Review extends State {
  /** The sign-up has changed since it was drawn. */
  readonly isOld: boolean
  readonly mayDecide: boolean
  /** Fresh links to the files by id: those that came first lapse after ten minutes. */
  readonly linkOf: (fileId: string, first: string) => string
  /** Asks again without changing what is on the screen. */
  readonly renew: () => Promise<void>
  /** Draws what the server has now. */
  readonly reload: () => Promise<void>
  /** The decision has ended the lock: nothing is left to give back. */
  readonly finished: () => void
}

/** Takes the lock of a sign-up, keeps it while the page is seen, and gives it back when the person goes elsewhere. */
export const useReview = (signUpId: string): Review => {
  const [state, setState] = useState<State>({ shown: null, latest: null, error: null })
  const taking = useRef<Promise<unknown>>(Promise.resolve())
  const takenAt = useRef(0)
  const isFinished = useRef(false)

  const take = useCallback(
    (draw: boolean | 'same'): Promise<void> => {
      const ask = async () => {
        await givingBack.get(signUpId)
        takenAt.current = performance.now()
        try {
          const info = await api.call('POST /blade-signup/examine/open', { signUpId }, { quiet: true })
          setState(({ shown }) => {
            const isDrawn = shown === null || draw === true || (draw === 'same' && isSame(shown, info))
            return { shown: isDrawn ? info : shown, latest: info, error: null }
          })
        } catch (error) {
          setState(before => ({ ...before, error: error instanceof Error ? error : new Error(String(error)) }))
        }
      }
      const asked = ask()
      taking.current = asked
      return asked
    },
    [signUpId],
  )

  // Runs again when the tab comes back: somebody else may have had it meanwhile.
  useEffect(() => {
    void take(false)
    const renewWhenSeen = () => {
      if (document.visibilityState === 'visible' && performance.now() - takenAt.current >= renewMs - 1_000) void take(false)
    }
    const timer = setInterval(renewWhenSeen, renewMs / 4)
    document.addEventListener('visibilitychange', renewWhenSeen)
    const leave = () => {
      if (isFinished.current) return
      const headers = { ...commonHeaders(), 'Content-Type': 'application/json', 'Idempotency-Key': newKey() }
      const body = JSON.stringify({ signUpId })
      void fetch(urlOf('/blade-signup/examine/release'), { method: 'POST', keepalive: true, headers, body }).catch(() => {})
    }
    addEventListener('pagehide', leave)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', renewWhenSeen)
      removeEventListener('pagehide', leave)
      if (!isFinished.current) giveBack(signUpId, taking.current)
    }
  }, [take, signUpId])

  // The server's texts in them are of the language in which it was asked.
  const lang = useLang()
  const askedIn = useRef(lang)
  useEffect(() => {
    if (askedIn.current === lang) return
    askedIn.current = lang
    void take('same')
  }, [take, lang])

  const { shown, latest } = state
  const isOld = shown !== null && latest !== null && !isSame(shown, latest)
  return {
    ...state,
    isOld,
    mayDecide: latest?.mayDecide === true,
    linkOf: useCallback((fileId, first) => latest?.signup.files.find(file => file.fileId === fileId)?.link ?? first, [latest]),
    renew: useCallback(() => take(false), [take]),
    reload: useCallback(() => take(true), [take]),
    finished: useCallback(() => {
      isFinished.current = true
    }, []),
  }
}
