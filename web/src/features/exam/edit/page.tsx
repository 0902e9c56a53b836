import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { report } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { useLabel, useLang, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { goTo, guardTab } from '#web/shell/go.ts'
import { usePage, useTabTitle } from '#web/shell/page-context.tsx'
import { closeTab } from '#web/shell/tabs.ts'
import { confirm } from '#web/ui/dialog.tsx'
import { Loaded, PageSkeleton } from '#web/ui/states.tsx'
import { examKey, fetchExam, saveExam, useExam } from '../calls.ts'
import { StateTag } from '../phase.tsx'
import { editTexts } from '../texts-edit.ts'
import { changesOf, copyOf, type Draft, draftOf, isChanged, merged, newDraft, rebased, toBody, unsavable, windowFindings } from './draft.ts'
import { FieldGrid } from './field-grid.tsx'
import { basicFields, reviewFields, timeFields } from './fields.ts'
import { OwnerFields } from './owner-fields.tsx'
import { stepOfPath, steps } from './steps.ts'
import { TimeBars } from './time-bars.tsx'
import { isUnseen } from './unseen.ts'
import { useKeptDraft } from './use-kept-draft.ts'
import '../exam.css'

const FieldsStep = lazy(async () => ({ default: (await import('./fields-step.tsx')).FieldsStep }))
const FilesStep = lazy(async () => ({ default: (await import('./files-step.tsx')).FilesStep }))
const PapersStep = lazy(async () => ({ default: (await import('./papers-step.tsx')).PapersStep }))
const PostsStep = lazy(async () => ({ default: (await import('./posts-step.tsx')).PostsStep }))
const PublishStep = lazy(async () => ({ default: (await import('./publish-step.tsx')).PublishStep }))

/** The way through the steps; each can be gone to at any time. */
const StepNav = ({
  now,
  marked,
  onGo,
}: {
  readonly now: number
  readonly marked: ReadonlySet<number>
  readonly onGo: (step: number) => void
}) => {
  const label = useLabel()
  const t = useT(editTexts)
  const nav = useRef<HTMLElement>(null)
  // Where not all steps have room the row scrolls: the one that is open is in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another step is opened
  useEffect(() => {
    nav.current?.querySelector('[aria-current=step]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [now])
  return (
    <nav ref={nav} className="card step-nav" aria-label={t('edit.step', { now: now + 1, total: steps.length })}>
      <ol>
        {steps.map((step, index) => (
          <li key={step.key}>
            <button
              type="button"
              aria-current={index === now ? 'step' : undefined}
              data-marked={marked.has(index)}
              onClick={() => onGo(index)}
            >
              <span aria-hidden="true">{index + 1}</span>
              {label(step.title)}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** Number of domain 13.2. */
const changedByOthers = 2002
/** Who has saved meanwhile, as the refusal says. */
const savedBy = (data: unknown): string =>
  typeof data === 'object' && data !== null && 'by' in data && typeof data.by === 'string' ? data.by : ''

const Wizard = ({
  start,
  before = start,
}: {
  readonly start: Draft /** What it is compared with until it is saved. */
  readonly before?: Draft
}) => {
  const t = useT(editTexts)
  const label = useLabel()
  const lang = useLang()
  const client = useQueryClient()
  const { path, search, setSearch } = usePage()
  const [draft, setDraft] = useState(start)
  const [saved, setSaved] = useState(before)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [strict, setStrict] = useState(false)
  const [busy, setBusy] = useState(false)
  const changed = isChanged(draft, saved)
  const kept = useKeptDraft(draft, saved)
  const changedNow = useRef(changed)
  useEffect(() => {
    changedNow.current = changed
  }, [changed])
  useEffect(() => guardTab(path, () => changedNow.current), [path])
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (changedNow.current) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
  const name = String(draft.values.examName ?? '')
  useTabTitle(name === '' ? null : { zh: name, en: name })
  const step = Math.min(Math.max(Number(search.get('step') ?? 1) - 1 || 0, 0), steps.length - 1)
  const go = (to: number) => setSearch({ step: to + 1, from: search.get('from') })
  const onChange = (part: Partial<Draft>) => setDraft(before => ({ ...before, ...part }))
  const onValues = (part: Readonly<Record<string, unknown>>) => {
    setDraft(before => ({ ...before, values: { ...before.values, ...part } }))
    setProblems(before => Object.fromEntries(Object.entries(before).filter(([field]) => !(field in part))))
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
  const save = async (): Promise<boolean> => {
    const wrong = unsavable(draft)
    if (wrong.length > 0) {
      setStrict(true)
      notify('warning', t('edit.fix'))
      const first = stepOfPath(wrong[0] ?? '')
      if (first !== null && first !== step) go(first)
      return false
    }
    if (busy) return false
    setBusy(true)
    try {
      const { id } = await saveExam(toBody(draft, isUnseen))
      notify('success', t('edit.saved'))
      await Promise.all([
        client.invalidateQueries({ queryKey: listKey('examination') }),
        client.invalidateQueries({ queryKey: ['exam-options'] }),
      ])
      if (draft.id === null) {
        changedNow.current = false
        kept.drop()
        setSaved(draft)
        closeTab(path)
        goTo(`/exam/edit/${id}?step=${step + 1}`, { replace: true })
        return true
      }
      const now = draftOf(await fetchExam(client, id))
      setSaved(now)
      setDraft(current => (current === draft ? now : rebased(current, now)))
      return true
    } catch (error) {
      if (!isApiError(error)) throw error
      if (error.code === changedByOthers && draft.id !== null) await mergeWith(draft.id, savedBy(error.data))
      else if (error.status !== 401) report(error, 'fields')
      const own = Object.fromEntries(error.fields.map(problem => [problem.field, problem.msg]))
      setProblems(own)
      const first = error.fields[0]
      if (first !== undefined) {
        notify('error', first.msg)
        const to = stepOfPath(first.field)
        if (to !== null && to !== step) go(to)
      }
      return false
    } finally {
      setBusy(false)
    }
  }
  const windows = windowFindings(draft)
  const windowTexts = Object.fromEntries(windows.problems.map(problem => [problem.field, label(problem.message)]))
  const marked = new Set([
    ...(windows.problems.some(problem => problem.field !== 'items') ? [1] : []),
    ...(windowTexts.items === undefined ? [] : [5]),
    ...Object.keys(problems).flatMap(field => stepOfPath(field) ?? []),
  ])
  const props = { draft, onChange, onValues, problems, strict }
  return (
    <div className="exam-edit">
      <div className="page-head">
        <h1>{name || t(draft.id === null ? 'edit.new' : 'edit.title')}</h1>
        {draft.id === null ? null : <StateTag state={draft.state} />}
      </div>
      {draft.state === 1 ? <p className="exam-warning">{t('edit.released')}</p> : null}
      {kept.found === null ? null : (
        <div className="exam-warning exam-kept" role="status">
          {t('edit.kept')}
          <button
            type="button"
            className="button button-small"
            onClick={() => {
              const { found } = kept
              if (found !== null) setDraft({ ...found, id: saved.id, version: saved.version, state: saved.state })
              kept.drop()
            }}
          >
            {t('edit.kept.take')}
          </button>
          <button type="button" className="button button-small" onClick={kept.drop}>
            {t('edit.kept.drop')}
          </button>
        </div>
      )}
      <StepNav now={step} marked={marked} onGo={go} />
      <Suspense fallback={<PageSkeleton />}>
        {step === 0 ? (
          <section className="card exam-section">
            <FieldGrid
              fields={basicFields}
              values={draft.values}
              onChange={onValues}
              problems={problems}
              strict={strict}
              disabled={new Set(draft.state === 0 ? [] : ['examCode', 'examNo', 'year', 'examType'])}
            />
            <OwnerFields
              isNew={draft.id === null}
              deptId={(draft.values['deptId'] as string | null | undefined) ?? null}
              managers={(draft.values['managers'] as readonly string[] | undefined) ?? []}
              problems={problems}
              onChange={onValues}
            />
          </section>
        ) : step === 1 ? (
          <>
            <TimeBars draft={draft} />
            <section className="card exam-section">
              <FieldGrid
                fields={timeFields}
                values={draft.values}
                onChange={onValues}
                problems={{ ...windowTexts, ...problems }}
                strict={strict}
                columns={2}
              />
              {windows.warnings.map(warning => (
                <p key={warning.field} className="exam-warning">
                  {t('times.warning', { text: label(warning.message) })}
                </p>
              ))}
            </section>
          </>
        ) : step === 2 ? (
          <PostsStep examId={draft.id} />
        ) : step === 3 ? (
          <FieldsStep {...props} />
        ) : step === 4 ? (
          <FilesStep {...props} />
        ) : step === 5 ? (
          <PapersStep {...props} />
        ) : step === 6 ? (
          <section className="card exam-section">
            <FieldGrid fields={reviewFields} values={draft.values} onChange={onValues} problems={problems} strict={strict} />
          </section>
        ) : (
          <PublishStep
            draft={draft}
            changed={changed}
            onGo={go}
            onReleased={() => {
              setDraft(before => ({ ...before, state: 1 }))
              setSaved(before => ({ ...before, state: 1 }))
              void client.invalidateQueries({ queryKey: listKey('examination') })
              if (draft.id !== null) void client.invalidateQueries({ queryKey: examKey(draft.id) })
            }}
          />
        )}
      </Suspense>
      <div className="exam-bar">
        <span role="status" data-changed={changed}>
          {changed ? t('edit.unsaved') : draft.id === null ? '' : t('edit.clean')}
        </span>
        <button type="button" className="button" disabled={step === 0} onClick={() => go(step - 1)}>
          {t('action.previous')}
        </button>
        {step < steps.length - 1 ? (
          <button type="button" className="button" onClick={() => go(step + 1)}>
            {t('action.next')}
          </button>
        ) : null}
        <button
          type="button"
          className="button button-primary"
          disabled={busy || (!changed && draft.id !== null)}
          onClick={() => void save()}
        >
          {t(draft.state === 0 ? 'edit.saveDraft' : 'edit.saveChanges')}
        </button>
      </div>
    </div>
  )
}

/** An examination in eight steps; `new` begins one. */
export const Page = () => {
  const { params, search } = usePage()
  const id = params.id === undefined || params.id === 'new' ? null : params.id
  const exam = useExam(id)
  const [year] = useState(() => new Date(serverNow() + 8 * 3_600_000).getUTCFullYear())
  const fromId = id === null ? search.get('from') : null
  const pattern = useExam(fromId)
  if (id === null && fromId !== null)
    return <Loaded query={pattern}>{of => <Wizard start={copyOf(draftOf(of), year)} before={newDraft(year)} />}</Loaded>
  if (id === null) return <Wizard start={newDraft(year)} />
  // A copy that lies in the cache may be older than what is stored; the wizard starts from the fresh one.
  const fresh = exam.isFetchedAfterMount ? exam : { ...exam, data: undefined }
  return <Loaded query={fresh}>{of => <Wizard key={of.id} start={draftOf(of)} />}</Loaded>
}
