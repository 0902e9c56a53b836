import { useMemo } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { resourceAt } from '../resource-at.ts'
import { examInputs, scopedTo, useExamChoice } from '../scoped.tsx'
import { examTexts } from '../texts.ts'

/** A noun of one examination, without anything of its own. */
export const ExamNounPage = ({ menuPath }: { readonly menuPath: string }) => {
  const t = useT(examTexts)
  const { examId, bar, none } = useExamChoice()
  const resource = useMemo(() => scopedTo(resourceAt(menuPath), examId), [menuPath, examId])
  if (none) return <EmptyState text={t('papers.noExam')} />
  return <ResourcePage resource={resource} inputs={examInputs} above={bar} />
}
