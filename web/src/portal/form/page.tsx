import { useCallback, useEffect, useRef, useState } from 'react'
import { useSession } from '#web/kernel/session.ts'
import { useRead } from '../calls.ts'
import { Load } from '../kit/load.tsx'
import type { SignupForm } from '../wire.ts'
import { Invitations } from './invitations.tsx'
import type { FormStore } from './store.ts'
import { type Typed, Wizard } from './wizard.tsx'

/** How a sign-up stands: what the form offers depends on it. */
const standOf = ({ signup }: SignupForm): string => `${signup?.examine ?? 0} ${signup?.signVersion ?? 0}`

/** What a later answer says of it without its being another form. */
const offerOf = ({ canSubmit, reason, unsent }: SignupForm): string => JSON.stringify([canSubmit, reason, unsent])

/** A sign-up that waits may be opened by a reviewer at any moment; then the form must not say that it may be changed. */
const watchMs = 30_000

/**
 * The form keeps the answer it began with: a later refresh must not overwrite what the candidate types. When the sign-up itself has moved on,
 * the form begins anew with what was typed.
 */
const Pinned = ({ form, isCopy, onReload }: { readonly form: SignupForm; readonly isCopy: boolean; readonly onReload: () => void }) => {
  const userId = useSession(session => session.user?.userId ?? '')
  const [pinned, setPinned] = useState({ form, isCopy, carried: undefined as Typed | undefined, count: 0 })
  const store = useRef<FormStore>(null)
  const isSubmitted = useRef(false)
  const keepStore = useCallback((made: FormStore) => {
    store.current = made
  }, [])
  useEffect(() => {
    if (isSubmitted.current) return
    const hasMoved =
      !isCopy && standOf(form) !== standOf(pinned.form) && (form.signup?.signVersion ?? 0) + (pinned.form.signup?.signVersion ?? 0) > 0
    if ((pinned.isCopy && !isCopy) || hasMoved) {
      const state = store.current?.getState()
      setPinned({ form, isCopy, carried: state && state.revision > 0 ? state : undefined, count: pinned.count + 1 })
    } else if (offerOf(form) !== offerOf(pinned.form)) {
      const { canSubmit, reason, unsent } = form
      setPinned(before => ({ ...before, form: { ...before.form, canSubmit, reason, unsent } }))
    }
  }, [form, isCopy, pinned])
  const isWaiting = pinned.form.signup?.examine === 1
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => document.hidden || isSubmitted.current || onReload(), watchMs)
    return () => clearInterval(timer)
  }, [isWaiting, onReload])
  return (
    <Wizard
      key={pinned.count}
      form={pinned.form}
      userId={userId}
      isCopy={pinned.isCopy}
      carried={pinned.carried}
      onStore={keepStore}
      onReload={onReload}
      onMoved={onReload}
      onSubmitted={() => {
        isSubmitted.current = true
      }}
    />
  )
}

const Opened = ({ examId }: { readonly examId: string }) => {
  const form = useRead('form', { examId }, { staleMs: 0 })
  const { refetch } = form
  const reload = useCallback(() => void refetch(), [refetch])
  // What an earlier visit left in the cache may be older than its own draft: typed on, it would be saved over the draft.
  const shown = form.isFresh || form.isCopy ? form : { ...form, data: undefined }
  return (
    <Load query={shown} skeleton={[28, 56, 220, 220]}>
      {data => <Pinned form={data} isCopy={form.isCopy} onReload={reload} />}
    </Load>
  )
}

/** A message of what a school has filled in leads here by `?invited`: that is settled first, since it may replace what the form would open. */
export const FormPage = ({ examId }: { readonly examId: string }) => {
  const [isInvited, setInvited] = useState(() => new URLSearchParams(location.search).has('invited'))
  const done = useCallback(() => setInvited(false), [])
  return isInvited ? <Invitations examId={examId} onDone={done} /> : <Opened examId={examId} />
}
