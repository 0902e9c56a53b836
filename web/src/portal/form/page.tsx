import { useCallback, useEffect, useRef, useState } from 'react'
import { useSession } from '#web/kernel/session.ts'
import { useRead } from '../calls.ts'
import { Load } from '../kit/load.tsx'
import type { SignupForm } from '../wire.ts'
import type { FormValues } from './model.ts'
import type { FormStore } from './store.ts'
import { Wizard } from './wizard.tsx'

/** The form keeps the answer it began with: a later refresh must not overwrite what the candidate types. */
const Pinned = ({ form, isCopy, onReload }: { readonly form: SignupForm; readonly isCopy: boolean; readonly onReload: () => void }) => {
  const userId = useSession(session => session.user?.userId ?? '')
  const [pinned, setPinned] = useState({ form, isCopy, carried: undefined as FormValues | undefined })
  const store = useRef<FormStore>(null)
  const keepStore = useCallback((made: FormStore) => {
    store.current = made
  }, [])
  useEffect(() => {
    if (pinned.isCopy && !isCopy) {
      const state = store.current?.getState()
      setPinned({ form, isCopy, carried: state && state.revision > 0 ? state.values : undefined })
    } else if (form.canSubmit !== pinned.form.canSubmit)
      setPinned(before => ({ ...before, form: { ...before.form, canSubmit: form.canSubmit, reason: form.reason } }))
  }, [form, isCopy, pinned])
  return (
    <Wizard
      key={pinned.isCopy ? 'copy' : 'real'}
      form={pinned.form}
      userId={userId}
      isCopy={pinned.isCopy}
      carried={pinned.carried}
      onStore={keepStore}
      onReload={onReload}
    />
  )
}

export const FormPage = ({ examId }: { readonly examId: string }) => {
  const form = useRead('form', { examId }, { staleMs: 0 })
  // What an earlier visit left in the cache may be older than its own draft: typed on, it would be saved over the draft.
  const shown = form.isFresh || form.isCopy ? form : { ...form, data: undefined }
  return (
    <Load query={shown} skeleton={[28, 56, 220, 220]}>
      {data => <Pinned form={data} isCopy={form.isCopy} onReload={() => void form.refetch()} />}
    </Load>
  )
}
