import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { postStates } from '#contract/exam/exam.state.ts'
import { examImports } from '#contract/exam/import-kinds.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { ExamMissing } from '#web/resource/exam-missing.tsx'
import type { Row } from '#web/resource/fields.ts'
import { ImportRun } from '#web/resource/import-run.tsx'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import { examCells, examInputs, scopedTo, useExamChoice } from '#web/resource/within.tsx'
import { StateTag } from '#web/ui/state-tag.tsx'
import { resourceAt } from '../resource-at.ts'
import { chargedFor } from '../scoped.tsx'
import { examTexts } from '../texts.ts'
import { useAskFreePost } from './ask-free-post.ts'
import { conditionCells, conditionInputs } from './conditions.tsx'
import { byPost, postForm } from './post-form.ts'
import { unitInputs } from './unit-input.tsx'
import '../exam.css'

const NewPost = lazy(async () => ({ default: (await import('./new-post.tsx')).NewPost }))

const hidden = ['typeName', 'bornFrom', 'phone']

/** The post table of an examination (domain 3.5) with the import of template T1. */
export const Page = () => {
  const t = useT(examTexts)
  const can = useCan()
  const client = useQueryClient()
  const [importing, setImporting] = useState(false)
  const [adding, setAdding] = useState(false)
  const { examId, bar, none, feeMode } = useExamChoice()
  const resource = useMemo(
    () => postForm(chargedFor(scopedTo(resourceAt('/exam/typeCode'), examId), feeMode === byPost), 'edit'),
    [examId, feeMode],
  )
  const inputs = useMemo(() => ({ ...examInputs, ...unitInputs, ...conditionInputs(examId) }), [examId])
  const cells = useMemo(
    () => ({
      ...examCells,
      ...conditionCells(examId),
      postState: (row: Row) => <StateTag of={postStates} wire={Number(row.postState)} />,
    }),
    [examId],
  )
  const ask = useAskFreePost(feeMode)
  if (none || examId === null) return <ExamMissing text={t('papers.noExam')} />
  return (
    <>
      <ResourcePage
        resource={resource}
        cells={cells}
        inputs={inputs}
        hidden={hidden}
        above={bar}
        fixed={{ examId }}
        onAdd={() => setAdding(true)}
        beforeSave={ask}
        toolbar={() =>
          can('typecode_import') ? (
            <button type="button" className="button" onClick={() => setImporting(true)}>
              {t('posts.import')}
            </button>
          ) : null
        }
      />
      {adding ? (
        <Suspense>
          <NewPost
            examId={examId}
            feeMode={feeMode}
            onClose={() => {
              setAdding(false)
              void client.invalidateQueries({ queryKey: ['exam-posts', examId] })
            }}
          />
        </Suspense>
      ) : null}
      {importing ? (
        <ImportRun
          title={t('posts.import')}
          of={examImports.posts}
          fields={{ examId }}
          onClose={() => setImporting(false)}
          onDone={() => {
            void client.invalidateQueries({ queryKey: listKey(resource.name) })
            void client.invalidateQueries({ queryKey: ['exam-posts', examId] })
          }}
        />
      ) : null}
    </>
  )
}
