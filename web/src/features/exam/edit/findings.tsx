import { useQuery } from '@tanstack/react-query'
import { useLabel, useLang, useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { stepOfPath, steps } from '#web/resource/exam-steps.ts'
import { useProblemText } from '#web/resource/problem-text.ts'
import { checkRelease, type ReleaseCheck } from '../calls.ts'
import { editTexts } from '../texts-edit.ts'
import type { ReleaseProblem } from '../wire.ts'
import { type Draft, openFields, unsavable, windowFindings } from './draft.ts'
import { examFields } from './fields.ts'

/** What keeps a stored draft from being released; nothing is asked of one that was changed since, the last answer stays. */
export const useReleaseCheck = (draft: Draft, changed: boolean) => {
  const mayRelease = useCan()('examination_release')
  const { id, version, state } = draft
  return useQuery({
    queryKey: releaseCheckKey(id, version),
    queryFn: (): Promise<ReleaseCheck> => checkRelease(id ?? ''),
    enabled: id !== null && state === 0 && !changed && mayRelease,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  }).data
}
export const releaseCheckKey = (id: string | null, version?: number | null): readonly unknown[] =>
  version === undefined ? ['exam-release-check', id] : ['exam-release-check', id, version]

const last = steps.length - 1
/** The papers themselves: one that has none may be released and is not ready for all that. */
const papersPath = 'examitems'
/** Steps that nothing is missing in; null while it is not known. */
export const doneSteps = (state: number, check: ReleaseCheck | undefined): ReadonlySet<number> | null => {
  if (state > 0) return new Set(steps.keys())
  if (check === undefined) return null
  const open = new Set([...check.problems, ...check.warnings.filter(({ path }) => path === papersPath)].map(({ path }) => stepOfPath(path)))
  return new Set([...steps.keys()].filter(step => step !== last && !open.has(step)))
}

/** What the step that is open still lacks before the release, without the fields that were filled in since; the last one lists all of it itself. */
export const lacksOf = (
  draft: Draft,
  saved: Draft,
  missing: readonly ReleaseProblem[] | undefined,
  step: number,
): readonly ReleaseProblem[] =>
  draft.state !== 0 || step === last
    ? []
    : (missing ?? []).filter(({ path }) => stepOfPath(path) === step && !isFilledSince(draft.values[path], saved.values[path]))
const isFilledSince = (now: unknown, before: unknown): boolean => now !== before && now !== null && now !== undefined && now !== ''

export interface Finding {
  readonly field: string
  readonly text: string
}

/**
 * What is to be corrected: fields that cannot be stored as they are and windows that contradict each other, once their step was left or somebody
 * wanted to save, and what the server said of others.
 */
export const useFindings = (
  draft: Draft,
  problems: Readonly<Record<string, string>>,
  isShown: (step: number | null) => boolean,
): readonly Finding[] => {
  const problemText = useProblemText()
  const label = useLabel()
  const windows = windowFindings(draft).problems.map(({ field, message }) => ({ field, text: label(message) }))
  const ofWindow = new Map(windows.map(({ field, text }) => [field, text]))
  const own = unsavable(draft).map(name => {
    const field = examFields[name]
    return { field: name, text: ofWindow.get(name) ?? (field && problemText(field, draft.values[name])?.text) ?? name }
  })
  const all = [...own, ...windows].filter(({ field }) => isShown(stepOfPath(field)))
  const told = Object.entries(problems).map(([field, text]) => ({ field, text }))
  return [...all, ...told].filter(({ field }, at, list) => list.findIndex(one => one.field === field) === at)
}

/** Steps that were left and in which the release still misses something. */
export const lackingSteps = (
  draft: Draft,
  missing: readonly ReleaseProblem[] | undefined,
  left: ReadonlySet<number>,
): ReadonlySet<number> => {
  if (draft.state !== 0) return new Set()
  const paths = [...openFields(draft), ...(missing ?? []).map(problem => problem.path)]
  return new Set(paths.map(stepOfPath).filter(step => step !== null && left.has(step)) as number[])
}

/** Everything that is to be corrected, each with the way to its field. */
export const FindingsSummary = ({ findings, onGo }: { readonly findings: readonly Finding[]; readonly onGo: (field: string) => void }) => {
  const t = useT(editTexts)
  const label = useLabel()
  const lang = useLang()
  if (findings.length === 0) return null
  const placeOf = (field: string): string => {
    const step = steps[stepOfPath(field) ?? -1]
    return step === undefined ? '' : label(step.title) + (lang === 'zh' ? '：' : ': ')
  }
  return (
    <section className="exam-findings" role="alert">
      <h2>{t('edit.fix')}</h2>
      <ul>
        {findings.map(({ field, text }) => (
          <li key={`${field} ${text}`}>
            <button type="button" className="link-button" onClick={() => onGo(field)}>
              {placeOf(field)}
              {text}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
