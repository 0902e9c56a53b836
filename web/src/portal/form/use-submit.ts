import { useRef, useState } from 'react'
import { newKey } from '#web/kernel/api.ts'
import { type ApiError, isApiError } from '#web/kernel/api-error.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { refresh } from '../data/answers.ts'
import type { AutoCheck, SignupForm, SubmitAnswer } from '../wire.ts'
import { writes } from '../writes.ts'
import type { Autosave } from './autosave.ts'
import { dropLocal } from './local-copy.ts'
import { allProblems, type Problem, type StepNo, serverProblem, todayOf, toInput } from './model.ts'
import { type FormStore, setProblems } from './store.ts'
import { formTexts } from './texts.ts'
import type { UploadQueue } from './uploads.ts'

/** Why what was sent was not taken. */
export interface Refusal {
  readonly message: string
  readonly conditions: readonly AutoCheck[]
  /** Somebody else has the number: where one says that it is one's own. */
  readonly appeal?: string
}

/** Conditions of the post that the answers do not meet (2105, `data.items`). */
const conditionsOf = (error: ApiError): readonly AutoCheck[] => {
  const items = typeof error.data === 'object' && error.data !== null ? (error.data as { items?: unknown }).items : undefined
  return Array.isArray(items) ? (items as readonly AutoCheck[]).filter(item => item.result === 'no') : []
}

interface Parts {
  readonly form: SignupForm
  readonly userId: string
  readonly store: FormStore
  readonly queue: UploadQueue
  readonly autosave: Autosave
  readonly isCopy: boolean
  /** The refused post is handed in once more. */
  readonly appealing: boolean
  readonly go: (to: StepNo, key?: string) => void
}

/** Sends the form once everything in it is right; what the server says against it comes back to its fields. */
export const useSubmit = ({ form, userId, store, queue, autosave, isCopy, appealing, go }: Parts) => {
  const t = useT(formTexts)
  const lang = useLang()
  const [sending, setSending] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [answer, setAnswer] = useState<SubmitAnswer | null>(null)
  const submitKey = useRef<{ revision: number; key: string } | null>(null)

  const checkAll = (): readonly Problem[] => {
    const { values, promise, signature } = store.getState()
    const found = [...allProblems(form, values, t('form.post.need'), todayOf(serverNow()), lang)]
    if (!promise) found.push({ key: 'promise', step: 4, message: t('form.promise.need') })
    if (form.exam.needSignature && signature === '') found.push({ key: 'signature', step: 4, message: t('form.sign.need') })
    setProblems(store, found)
    return found
  }
  const refused = (error: ApiError) => {
    if (!error.isOffline) submitKey.current = null
    const found = error.fields.map(field => serverProblem(form, field.field, field.msg))
    const [wrong] = found
    if (wrong !== undefined) {
      setProblems(store, found)
      go(wrong.step, wrong.key)
    }
    const appeal = (error.data as { appeal?: { link: string } } | null | undefined)?.appeal?.link
    setRefusal({
      message: error.isOffline ? t('form.notSent') : error.message,
      conditions: conditionsOf(error),
      ...(appeal === undefined ? {} : { appeal }),
    })
  }
  const send = async () => {
    const { revision, values, signature } = store.getState()
    // The same input keeps its key, so that pressing again after a lost answer makes no second sign-up.
    if (submitKey.current?.revision !== revision) submitKey.current = { revision, key: newKey() }
    const done = await writes.submit(
      {
        ...toInput(form, values, todayOf(serverNow())),
        ...(form.signup ? { signVersion: form.signup.signVersion } : {}),
        submitType: 1,
        promise: 1,
        ...(signature === '' ? {} : { signatureFileId: signature }),
        ...(appealing ? { appeal: 1 as const } : {}),
      },
      submitKey.current.key,
    )
    autosave.stop()
    dropLocal(form.exam.id, userId)
    setAnswer(done)
    scrollTo(0, 0)
    setTimeout(() => document.querySelector<HTMLElement>('main h1')?.focus(), 60)
    void refresh()
  }
  const submit = async () => {
    setRefusal(null)
    const [first] = checkAll()
    if (first !== undefined) return go(first.step, first.key)
    if (queue.useUploads.getState().uploads.some(one => one.phase !== 'failed'))
      return setRefusal({ message: t('form.files.busy'), conditions: [] })
    if (isCopy) return setRefusal({ message: t('form.notSent'), conditions: [] })
    setSending(true)
    try {
      await autosave.flush()
      await send()
    } catch (error) {
      if (!isApiError(error)) throw error
      refused(error)
    } finally {
      setSending(false)
    }
  }
  return { submit, sending, refusal, answer }
}
