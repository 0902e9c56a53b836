import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { workspacePath } from '#web/console/page-entry.ts'
import { report } from '#web/kernel/api.ts'
import { type ApiError, isApiError } from '#web/kernel/api-error.ts'
import { loadChunk } from '#web/kernel/chunk.ts'
import { useLabel, useLang, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { stepOfPath } from '#web/resource/exam-steps.ts'
import { moveOn } from '#web/shell/move-on.ts'
import { usePage } from '#web/shell/page-context.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { useUnsaved } from '#web/ui/unsaved.ts'
import { askToMoveLines, useLinesTexts } from '../ask-to-move-lines.ts'
import { examKey, fetchExam, saveExam } from '../calls.ts'
import { movedLines } from '../moved-lines.ts'
import { editTexts } from '../texts-edit.ts'
import { changesOf, type Draft, draftOf, isChanged, merged, rebased, toBody, unsavable, withValues } from './draft.ts'
import { shortenedOf } from './released.ts'
import { isUnseen } from './unseen.ts'
import { useKeptDraft } from './use-kept-draft.ts'

/** Number of domain 13.2. */
const changedByOthers = 2002
/** Who has saved meanwhile, as the refusal says. */
const savedBy = (data: unknown): string =>
  typeof data === 'object' && data !== null && 'by' in data && typeof data.by === 'string' ? data.by : ''

/** Neither the tab nor the window is closed over changes without a question. @returns lets the tab go, once they are saved */
const useLeaveGuard = (path: string, changed: boolean): (() => void) => {
  const changedNow = useRef(changed)
  useEffect(() => {
    changedNow.current = changed
  }, [changed])
  useUnsaved(path, () => changedNow.current)
  return () => {
    changedNow.current = false
  }
}

/**
 * An examination while it is edited: what was typed, what is saved, and the way from one to the other.
 * @param before - what the draft is compared with until it is saved
 * @param at - the step in view, and the way to another one, where something is wrong
 */
export const useExamDraft = (start: Draft, before: Draft, at: { readonly step: number; readonly go: (to: number) => void }) => {
  const { step, go } = at
  const t = useT(editTexts)
  const lines = useLinesTexts()
  const label = useLabel()
  const lang = useLang()
  const client = useQueryClient()
  const { path } = usePage()
  const [draft, setDraft] = useState(start)
  const [saved, setSaved] = useState(before)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [strict, setStrict] = useState(false)
  const [busy, setBusy] = useState(false)
  const changed = isChanged(draft, saved)
  const kept = useKeptDraft(draft, saved)
  const letGo = useLeaveGuard(path, changed)

  const onChange = (part: Partial<Draft>) => setDraft(now => ({ ...now, ...part }))
  const onValues = (part: Readonly<Record<string, unknown>>) => {
    setDraft(now => ({ ...now, values: withValues(now.values, part) }))
    setProblems(now => Object.fromEntries(Object.entries(now).filter(([field]) => !(field in part))))
  }
  const showStepOf = (field: string) => {
    const to = stepOfPath(field)
    if (to !== null && to !== step) go(to)
  }
  /** Somebody else has saved meanwhile: nothing of theirs is overwritten unseen, nothing typed here is lost. */
  const mergeWith = async (id: string, who: string): Promise<void> => {
    const latest = draftOf(await fetchExam(client, id))
    const changes = changesOf(draft, saved, latest).map(change =>
      change.isMine ? t('edit.merge.mine', { field: label(change.label) }) : label(change.label),
    )
    const what = changes.length === 0 ? t('edit.merge.other') : changes.join(lang === 'zh' ? '、' : ', ')
    const text = t('edit.merge.ask', { who: who || t('edit.merge.somebody'), what })
    if (!(await confirm({ title: t('edit.merge'), text, ok: t('edit.merge') }))) return
    setDraft(current => merged(current, saved, latest))
    setSaved(latest)
    notify('info', t('edit.merged'))
  }
  const afterSave = async (id: string): Promise<void> => {
    notify('success', t('edit.saved'))
    await Promise.all([
      client.invalidateQueries({ queryKey: listKey('examination') }),
      client.invalidateQueries({ queryKey: ['exam-options'] }),
    ])
    if (draft.id === null) {
      letGo()
      kept.drop()
      setSaved(draft)
      moveOn(path, `${workspacePath(id, 'setup')}?step=${step + 1}`)
      return
    }
    const now = draftOf(await fetchExam(client, id))
    setSaved(now)
    setDraft(current => (current === draft ? now : rebased(current, now)))
  }
  const refused = async (error: ApiError): Promise<void> => {
    if (error.code === changedByOthers && draft.id !== null) await mergeWith(draft.id, savedBy(error.data))
    else if (error.status !== 401) report(error, 'fields')
    setProblems(Object.fromEntries(error.fields.map(problem => [problem.field, problem.msg])))
    const [first] = error.fields
    if (first === undefined) return
    showStepOf(first.field)
  }
  /** Asks before windows of a released examination end earlier; the question is loaded when one does. @returns whether to save */
  const askToShorten = async (): Promise<boolean> => {
    const windows = shortenedOf(draft, saved)
    if (windows.length === 0 || draft.id === null) return true
    const { askAboutWindows } = await loadChunk(() => import('./ask-shorten.tsx'))
    return askAboutWindows(draft.id, windows, { title: t('edit.shorten'), ok: t('edit.shorten.ok') })
  }
  const save = async (): Promise<void> => {
    const [wrong] = unsavable(draft)
    if (wrong !== undefined) {
      setStrict(true)
      return showStepOf(wrong)
    }
    if (busy) return
    setBusy(true)
    try {
      if (!(await askToShorten())) return
      if (draft.id !== null && !(await askToMoveLines(draft.id, movedLines(draft, saved), lines))) return
      const { id } = await saveExam(toBody(draft, isUnseen))
      await afterSave(id)
    } catch (error) {
      if (!isApiError(error)) throw error
      await refused(error)
    } finally {
      setBusy(false)
    }
  }
  const takeKept = () => {
    const { found } = kept
    // Fields that nobody had touched are as they are stored now.
    if (found !== null) setDraft(merged({ ...found.draft, id: saved.id }, found.base, saved))
    kept.drop()
  }
  const onReleased = () => {
    setDraft(now => ({ ...now, state: 1 }))
    setSaved(now => ({ ...now, state: 1 }))
    void client.invalidateQueries({ queryKey: listKey('examination') })
    if (draft.id !== null) void client.invalidateQueries({ queryKey: examKey(draft.id) })
  }
  return { draft, saved, changed, problems, strict, busy, kept, onChange, onValues, save, takeKept, onReleased }
}
