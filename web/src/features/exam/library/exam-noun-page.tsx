import { useMemo } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { ExamMissing } from '#web/resource/exam-missing.tsx'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import { examCells, examInputs, scopedTo, useExamChoice } from '#web/resource/within.tsx'
import { resourceAt } from '../resource-at.ts'
import { examTexts } from '../texts.ts'
import { cellsOf, inputsOf } from './inputs.tsx'

/** A noun of one examination, without anything of its own. */
export const ExamNounPage = ({ menuPath }: { readonly menuPath: string }) => {
  const t = useT(examTexts)
  const { examId, bar, none } = useExamChoice()
  const resource = useMemo(() => scopedTo(resourceAt(menuPath), examId), [menuPath, examId])
  const cells = useMemo(() => ({ ...cellsOf(resource), ...examCells }), [resource])
  const inputs = useMemo(() => ({ ...inputsOf(resource), ...examInputs }), [resource])
  if (none || examId === null) return <ExamMissing text={t('papers.noExam')} />
  return <ResourcePage resource={resource} cells={cells} inputs={inputs} above={bar} fixed={{ examId }} />
}
