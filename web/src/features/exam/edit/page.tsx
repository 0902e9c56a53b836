import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { examMachine } from '#contract/exam/exam.state.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { stepOfPath, steps } from '#web/resource/exam-steps.ts'
import { usePage, useTabTitle } from '#web/shell/page-context.tsx'
import { StateTag } from '#web/ui/state-tag.tsx'
import { Loaded, PageSkeleton } from '#web/ui/states.tsx'
import { freeNoOf, useExam, useLibraryFiles, useLibraryItems } from '../calls.ts'
import { editTexts } from '../texts-edit.ts'
import { copyOf, type Draft, draftOf, newDraft, windowFindings, withCommonForm, withNo } from './draft.ts'
import { doneSteps, FindingsSummary, lackingSteps, lacksOf, useFindings, useReleaseCheck } from './findings.tsx'
import { useFrozen } from './released.ts'
import { StepBody } from './step-body.tsx'
import { useExamDraft } from './use-exam-draft.ts'
import '../exam.css'

const newTitle = { zh: editTexts.zh['edit.new'], en: editTexts.en['edit.new'] }
const StepLacks = lazy(async () => ({ default: (await import('./step-lacks.tsx')).StepLacks }))

/** The way through the steps; each can be gone to at any time. */
const StepNav = ({
  now,
  marked,
  lacking,
  done,
  onGo,
}: {
  readonly now: number
  readonly marked: ReadonlySet<number>
  readonly lacking: ReadonlySet<number>
  readonly done: ReadonlySet<number> | null
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
        {steps.map((step, index) => {
          const look = marked.has(index) ? 'wrong' : lacking.has(index) ? 'lacks' : done?.has(index) ? 'done' : undefined
          return (
            <li key={step.key}>
              <button type="button" aria-current={index === now ? 'step' : undefined} data-look={look} onClick={() => onGo(index)}>
                <span aria-hidden="true">{look === 'wrong' || look === 'lacks' ? '!' : look === 'done' ? '✓' : index + 1}</span>
                {label(step.title)}
                {look === undefined ? null : <i className="visually-hidden">{t(`step.${look}`)}</i>}
              </button>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

const KeptNotice = ({ at, onTake, onDrop }: { readonly at: string; readonly onTake: () => void; readonly onDrop: () => void }) => {
  const t = useT(editTexts)
  return (
    <div className="exam-warning exam-kept" role="status">
      {t('edit.kept', { at: minuteOf(at) })}
      <button type="button" className="button button-small" onClick={onTake}>
        {t('edit.kept.take')}
      </button>
      <button type="button" className="button button-small" onClick={onDrop}>
        {t('edit.kept.drop')}
      </button>
    </div>
  )
}

const Wizard = ({
  start,
  before = start,
}: {
  readonly start: Draft /** What it is compared with until it is saved. */
  readonly before?: Draft
}) => {
  const t = useT(editTexts)
  const { search, setSearch } = usePage()
  const step = Math.min(Math.max(Number(search.get('step') ?? 1) - 1 || 0, 0), steps.length - 1)
  const [wanted, setWanted] = useState<string | null>(null)
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const go = (to: number) => {
    setWanted(null)
    setLeft(before => new Set([...before, step]))
    setSearch({ step: to + 1, from: search.get('from') })
  }
  const { draft, saved, changed, problems, strict, busy, kept, onChange, onValues, save, takeKept, onReleased } = useExamDraft(
    start,
    before,
    {
      step,
      go,
    },
  )
  const frozen = useFrozen(draft, saved.values)
  const name = String(draft.values.examName ?? '')
  useTabTitle(name !== '' ? { zh: name, en: name } : draft.id === null ? newTitle : null)
  const windows = windowFindings(draft)
  const findings = useFindings(draft, problems, of => strict || (of !== null && left.has(of)))
  const marked = new Set([...windows.problems, ...findings].flatMap(({ field }) => stepOfPath(field) ?? []))
  const check = useReleaseCheck(draft, changed)
  const missing = check?.problems
  const toField = (field: string) => {
    const to = stepOfPath(field)
    if (to !== null && to !== step) go(to)
    setWanted(field)
  }
  const lacks = lacksOf(draft, saved, missing, step)
  return (
    <div className="exam-edit">
      <div className="page-head">
        <h1>{name || t(draft.id === null ? 'edit.new' : 'edit.title')}</h1>
        {draft.id === null ? null : <StateTag of={examMachine} wire={draft.state} />}
      </div>
      {draft.state === 1 ? <p className="exam-warning">{t('edit.released')}</p> : null}
      {kept.found === null ? null : <KeptNotice at={kept.found.at} onTake={takeKept} onDrop={kept.drop} />}
      <StepNav now={step} marked={marked} lacking={lackingSteps(draft, missing, left)} done={doneSteps(draft.state, check)} onGo={go} />
      <FindingsSummary findings={findings} onGo={toField} />
      {lacks.length > 0 ? (
        <Suspense>
          <StepLacks missing={lacks} />
        </Suspense>
      ) : null}
      <Suspense fallback={<PageSkeleton />}>
        <StepBody
          step={step}
          draft={draft}
          windows={windows}
          changed={changed}
          frozen={frozen}
          problems={problems}
          strict={strict || left.has(step)}
          wanted={wanted}
          onChange={onChange}
          onValues={onValues}
          onGo={go}
          onReleased={onReleased}
          onSave={() => void save()}
        />
      </Suspense>
      <div className="exam-bar">
        <span role="status" data-changed={changed}>
          {busy ? t('edit.saving') : changed ? t('edit.unsaved') : draft.id === null || kept.found !== null ? '' : t('edit.clean')}
        </span>
        <button type="button" className="button" disabled={step === 0} onClick={() => go(step - 1)}>
          {t('step.previous')}
        </button>
        {step < steps.length - 1 ? (
          <button type="button" className="button" onClick={() => go(step + 1)}>
            {t('step.next')}
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

/** One that begins with the common fields and a portrait, as far as the libraries have them and show them to this person. */
const NewExam = ({ year }: { readonly year: number }) => {
  const [items, files] = [useLibraryItems(), useLibraryFiles()]
  const no = useQuery({
    queryKey: ['exam-no', year],
    // Whoever may not ask types a number.
    queryFn: () => freeNoOf(year).catch(() => null),
    gcTime: 0,
  })
  if (items.isPending || files.isPending || no.isPending) return <PageSkeleton />
  const blank = withNo(newDraft(year), no.data ?? undefined)
  return <Wizard start={withCommonForm(blank, items.data?.records ?? [], files.data?.records ?? [])} />
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
  if (id === null) return <NewExam year={year} />
  // A copy that lies in the cache may be older than what is stored; the wizard starts from the fresh one.
  const fresh = exam.isFetchedAfterMount ? exam : { ...exam, data: undefined }
  return <Loaded query={fresh}>{of => <Wizard key={of.id} start={draftOf(of)} />}</Loaded>
}
