import { useMemo } from 'react'
import type { Resource } from '#contract/kernel/resource.ts'
import { useT } from '../kernel/i18n/index.ts'
import { ExamMissing } from './exam-missing.tsx'
import { ResourcePage } from './resource-page.tsx'
import { resourceTexts } from './texts.ts'
import { examCells, examInputs, scopedTo, useExamChoice } from './within.tsx'

/** The screen of a noun whose rows belong to examinations: one is chosen above the list, or all of them where rows may belong to all. */
export const WithinPage = ({ resource }: { readonly resource: Resource }) => {
  const t = useT(resourceTexts)
  const isOfOne = resource.fields.examId?.required === true
  const { examId, bar, none } = useExamChoice(false, !isOfOne)
  const scoped = useMemo(() => scopedTo(resource, examId), [resource, examId])
  if (isOfOne && (none || examId === null)) return <ExamMissing text={t('within.none')} />
  const fixed = { examId: examId ?? '' }
  return isOfOne ? (
    <ResourcePage resource={scoped} cells={examCells} inputs={examInputs} above={bar} fixed={fixed} />
  ) : (
    <ResourcePage resource={scoped} above={bar} fixed={fixed} />
  )
}
