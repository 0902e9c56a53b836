import { lazy, Suspense } from 'react'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { steps } from '#web/resource/exam-steps.ts'
import { useLibraryItems } from '../calls.ts'
import { editTexts } from '../texts-edit.ts'
import { adjustKey, asksAdjust, type windowFindings, withItem } from './draft.ts'
import { FieldGrid } from './field-grid.tsx'
import { basicFields, reviewFields, timeFields } from './fields.ts'
import type { StepProps } from './step-props.ts'

const FieldsStep = lazy(async () => ({ default: (await import('./fields-step.tsx')).FieldsStep }))
const OwnerFields = lazy(async () => ({ default: (await import('./owner-fields.tsx')).OwnerFields }))
const FilesStep = lazy(async () => ({ default: (await import('./files-step.tsx')).FilesStep }))
const PapersStep = lazy(async () => ({ default: (await import('./papers-step.tsx')).PapersStep }))
const PostsStep = lazy(async () => ({ default: (await import('./posts-step.tsx')).PostsStep }))
const TimeBars = lazy(async () => ({ default: (await import('./time-bars.tsx')).TimeBars }))
const PublishStep = lazy(async () => ({ default: (await import('./publish-step.tsx')).PublishStep }))

const BasicStep = ({ draft, frozen, onValues, problems, strict, wanted }: StepProps) => (
  <section className="card exam-section">
    <FieldGrid
      fields={basicFields}
      values={draft.values}
      onChange={part => onValues(typeof part['examCode'] === 'string' ? { ...part, examCode: part['examCode'].toUpperCase() } : part)}
      problems={problems}
      strict={strict}
      wanted={wanted}
      disabled={frozen}
    />
    <Suspense fallback={null}>
      <OwnerFields
        isNew={draft.id === null}
        deptId={(draft.values['deptId'] as string | null | undefined) ?? null}
        managers={(draft.values['managers'] as readonly string[] | undefined) ?? []}
        problems={problems}
        onChange={onValues}
      />
    </Suspense>
  </section>
)

type Findings = ReturnType<typeof windowFindings>

const TimesStep = ({ draft, frozen, onValues, problems, strict, wanted, windows }: StepProps & { readonly windows: Findings }) => {
  const t = useT(editTexts)
  const label = useLabel()
  const texts = Object.fromEntries(windows.problems.map(problem => [problem.field, label(problem.message)]))
  return (
    <>
      <Suspense fallback={null}>
        <TimeBars draft={draft} />
      </Suspense>
      <section className="card exam-section">
        <FieldGrid
          fields={timeFields}
          values={draft.values}
          onChange={onValues}
          problems={{ ...texts, ...problems }}
          strict={strict}
          wanted={wanted}
          disabled={frozen}
          columns={2}
        />
        {windows.warnings.map(warning => (
          <p key={warning.field} className="exam-warning">
            {t('times.warning', { text: label(warning.message) })}
          </p>
        ))}
      </section>
    </>
  )
}

/** How the examination is reviewed and scored. Asking about adjustment is a field of the form: the switch puts it there. */
const ReviewStep = ({ draft, frozen, onChange, onValues, problems, strict, wanted }: StepProps) => {
  const items = draft.signitems
  const field = useLibraryItems().data?.records.find(entry => entry.itemKey === adjustKey && entry.status === 1)
  const asks = asksAdjust(items)
  const change = ({ allowAdjust, ...values }: Readonly<Record<string, unknown>>) => {
    if (allowAdjust === undefined) onValues(values)
    else if (allowAdjust !== 1) onChange({ signitems: items.filter(item => item.itemKey !== adjustKey) })
    else if (asks === 0 && field !== undefined) onChange({ signitems: withItem(items, field) })
  }
  return (
    <section className="card exam-section">
      <FieldGrid
        fields={reviewFields}
        values={{ ...draft.values, allowAdjust: asks }}
        onChange={change}
        problems={problems}
        strict={strict}
        wanted={wanted}
        disabled={asks === 0 && field === undefined ? { ...frozen, allowAdjust: '' } : frozen}
      />
    </section>
  )
}

interface Props extends StepProps {
  readonly step: number
  readonly windows: Findings
  readonly changed: boolean
  readonly onGo: (to: number) => void
  readonly onReleased: () => void
  readonly onSave: () => void
}

/** What stands in the step that is open. */
export const StepBody = ({ step, windows, changed, onGo, onReleased, onSave, ...props }: Props) => {
  const { draft } = props
  switch (steps[step]?.key) {
    case 'basic':
      return <BasicStep {...props} />
    case 'times':
      return <TimesStep {...props} windows={windows} />
    case 'papers':
      return <PapersStep {...props} />
    case 'posts':
      return <PostsStep examId={draft.id} feeMode={Number(draft.values.feeMode ?? 0)} onSave={onSave} />
    case 'fields':
      return <FieldsStep {...props} />
    case 'files':
      return <FilesStep {...props} />
    case 'review':
      return <ReviewStep {...props} />
    default:
      return <PublishStep draft={draft} changed={changed} onGo={onGo} onReleased={onReleased} />
  }
}
