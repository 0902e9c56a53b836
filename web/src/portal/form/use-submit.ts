import { useRef, useState } from 'react'
import { type ApiError, isApiError } from '#web/kernel/api-error.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { isAsking, withDoubts } from '#web/kernel/doubts.ts'
import { type Lang, type Translate, useLang, useT } from '#web/kernel/i18n/index.ts'
import { listOf } from '#web/kernel/i18n/list.ts'
import { newKey } from '#web/kernel/send.ts'
import { refresh } from '../data/answers.ts'
import { ask } from '../kit/ask.ts'
import type { SignupForm, SubmitAnswer } from '../wire.ts'
import { writes } from '../writes.ts'
import type { Autosave } from './autosave.ts'
import { confirmBeforeMs, confirmForm, type Tokens, tokensOf } from './intent.ts'
import { writePlace } from './kept.ts'
import { dropLocal } from './local-copy.ts'
import { askedFiles, missingNow, type Problem, postName, type StepNo, serverProblem, todayOf, toInput, unmended } from './model.ts'
import { type FormStore, type Refusal, setProblems, type Unmet } from './store.ts'
import { formTexts } from './texts.ts'
import type { UploadQueue } from './uploads.ts'

/** Conditions of the post that the answers do not meet (2105, `data.items`). */
const conditionsOf = (error: ApiError): readonly Unmet[] => {
  const items = typeof error.data === 'object' && error.data !== null ? (error.data as { items?: unknown }).items : undefined
  return Array.isArray(items) ? (items as readonly Unmet[]).filter(item => item.result === 'no') : []
}

/** Files that did not arrive or were refused: whoever goes on would believe them handed in. */
export const failedUploads = (
  form: SignupForm,
  store: FormStore,
  queue: UploadQueue,
  t: (key: 'form.files.failedHold', values: { file: string; name: string }) => string,
): readonly Problem[] => {
  const asked = askedFiles(form, store.getState().values.content)
  return queue.useUploads.getState().uploads.flatMap(({ phase, fileKey, file }) => {
    const rule = phase === 'failed' ? asked.find(one => one.fileKey === fileKey) : undefined
    return rule
      ? [{ key: `file:${fileKey}`, step: 3 as const, message: t('form.files.failedHold', { file: rule.fileLabel, name: file.name }) }]
      : []
  })
}

/** What keeps the form from being handed in now (`missingNow`). */
export const missing = (form: SignupForm, store: FormStore, queue: UploadQueue, t: Translate<typeof formTexts.zh>, lang: Lang) => {
  const coming = queue.useUploads.getState().uploads.flatMap(one => (one.phase === 'failed' ? [] : [`file:${one.fileKey}`]))
  const need = { post: t('form.post.need'), promise: t('form.promise.need'), signature: t('form.sign.need') }
  return missingNow(form, store.getState(), failedUploads(form, store, queue, t), new Set(coming), need, lang)
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
  readonly onSubmitted: () => void
}

/** Sends the form once everything in it is right; what the server says against it comes back to its fields. */
export const useSubmit = ({ form, userId, store, queue, autosave, isCopy, appealing, go, onSubmitted }: Parts) => {
  const t = useT(formTexts)
  const lang = useLang()
  const [sending, setSending] = useState(false)
  const setRefusal = (refusal: Refusal | null) => store.setState({ refusal })
  const [answer, setAnswer] = useState<SubmitAnswer | null>(null)
  const submitKey = useRef<{ revision: number; key: string } | null>(null)

  const travelling = () => queue.useUploads.getState().uploads.filter(one => one.phase !== 'failed')
  const isSingle = (fileKey: string) => (form.files.find(one => one.fileKey === fileKey)?.maxCount ?? 1) === 1
  const checkAll = (): readonly Problem[] => {
    const found = missing(form, store, queue, t, lang)
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
    const { post, post2 } = store.getState().values
    const conditions = conditionsOf(error)
    const unmet = [post, post2].filter((chosen, at) => chosen !== null && conditions.some(({ choice }) => choice === at + 1))
    const isOfPost = error.reason === 'signup/post-full' || error.reason === 'signup/post-closed'
    setRefusal({
      message: error.isOffline
        ? t('form.notSent')
        : isOfPost && post !== null
          ? postName(post) + (lang === 'en' ? ': ' : '：') + error.message
          : error.message,
      conditions,
      mayInsist: conditions.length > 0 && found.length === 0 && conditions.every(one => one.mayInsist === true),
      ...(conditions.length > 0 ? { posts: unmet.flatMap(chosen => (chosen === null ? [] : [postName(chosen)])) } : {}),
      ...(appeal === undefined ? {} : { appeal }),
    })
  }
  /** What was confirmed before the end of the window; its files may follow. */
  const intent = useRef<Tokens | null>(null)
  const confirm = async () => {
    const { values } = store.getState()
    const closesMs = Date.parse(`${form.exam.signEnd.replace(' ', 'T')}+08:00`)
    const coming = travelling()
    const leftMs = closesMs - serverNow()
    // A sign-up that was returned has an end of its own, which no files follow.
    if (leftMs <= 0 || (coming.length === 0 && leftMs > confirmBeforeMs) || form.signup?.examine === 3) return
    const tokens = await tokensOf(values, coming, isSingle)
    const { fileIds: _, ...input } = toInput(form, values, todayOf(serverNow()))
    const until = await confirmForm({ ...input, files: tokens }).catch(() => undefined)
    if (until === undefined) return
    intent.current = tokens
    if (coming.length > 0)
      store.setState({ refusal: { message: t('form.confirmed', { time: until.slice(11, 16) }), conditions: [], isNews: true } })
  }
  /** Ends when every file has arrived or failed. */
  const arrived = () =>
    new Promise<void>(resolve => {
      if (travelling().length === 0) return resolve()
      const stop = queue.useUploads.subscribe(() => {
        if (travelling().length > 0) return
        stop()
        resolve()
      })
    })
  const askAbout = (doubts: readonly string[]): Promise<boolean> => {
    // Another input: another submit.
    submitKey.current = null
    return ask({ title: t('form.doubts'), body: listOf(doubts), okText: t('form.doubts.send'), cancelText: t('form.doubts.back') })
  }
  const send = async (insists: boolean, sure: { readonly sure?: string }) => {
    const { revision, values, signature, version } = store.getState()
    // The same input keeps its key, so that pressing again after a lost answer makes no second sign-up.
    if (insists || submitKey.current?.revision !== revision) submitKey.current = { revision, key: newKey() }
    const done = await writes.submit(
      {
        ...toInput(form, values, todayOf(serverNow())),
        ...(intent.current === null ? {} : { intent: intent.current as Record<string, string[]> }),
        ...(form.signup ? { signVersion: form.signup.signVersion } : {}),
        submitType: 1,
        promise: 1,
        draft: { seen: version, edits: {} },
        ...(signature === '' ? {} : { signatureFileId: signature }),
        ...(appealing ? { appeal: 1 as const } : {}),
        ...(insists ? { insist: 1 as const } : {}),
        ...sure,
      },
      submitKey.current.key,
    )
    autosave.stop()
    onSubmitted()
    dropLocal(form.exam.id, userId)
    writePlace(form.exam.id, userId, null)
    setAnswer(done)
    scrollTo(0, 0)
    setTimeout(() => document.querySelector<HTMLElement>('main h1')?.focus(), 60)
    void refresh()
  }
  /** A reviewer who finds what was returned as it was returns it once more: the candidate is asked, and may mean it (domain 4.2 bars nothing). */
  const meansIt = async (): Promise<boolean> => {
    const { values, signature } = store.getState()
    const names = unmended(form, values, signature).map(advice => advice.label ?? advice.advice)
    return names.length === 0 || ask({ title: t('form.fix.sameAsk'), body: listOf(names), okText: t('form.fix.sameSend') })
  }
  /** Two values of one field: what is handed in is what the candidate has chosen. */
  const isChoiceOpen = (): boolean => {
    const isOpen = store.getState().conflicts.length > 0
    if (isOpen) store.setState({ asking: 'first' })
    return isOpen
  }
  /** @param insists - told which conditions are not met, the candidate wants a person to decide */
  const submit = async (insists = false) => {
    setRefusal(null)
    if (isChoiceOpen()) return
    const [first] = checkAll()
    if (first !== undefined) return go(first.step, first.key)
    if (isCopy) return setRefusal({ message: t('form.notSent'), conditions: [] })
    setSending(true)
    if (travelling().length > 0) setRefusal({ message: t('form.files.busy'), conditions: [], isNews: true })
    try {
      await confirm()
      await arrived()
      setRefusal(null)
      await autosave.flush()
      if (isChoiceOpen()) return
      const [first] = checkAll()
      if (first !== undefined) return go(first.step, first.key)
      if (await meansIt()) await withDoubts(sure => send(insists, sure), askAbout)
    } catch (error) {
      if (!isApiError(error)) throw error
      // Whoever goes back to mend what was asked about has been told.
      if (isAsking(error)) return
      refused(error)
      // What another device has saved comes with the answer of the next save.
      if (error.status === 409) {
        store.setState(state => ({ revision: state.revision + 1 }))
        void autosave.flush()
      }
    } finally {
      setSending(false)
    }
  }
  return { submit, sending, answer, isChoiceOpen }
}
