import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { ExamMissing } from '#web/resource/exam-missing.tsx'
import type { Row } from '#web/resource/fields.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import type { Cells } from '#web/resource/row-dialog.tsx'
import type { Values } from '#web/resource/schema-form.tsx'
import { examCells, examInputs, scopedTo, useExamChoice } from '#web/resource/within.tsx'
import type { RowAction } from '#web/ui/data-table.tsx'
import { askFree } from '../ask-free.ts'
import { askToMoveLines, useLinesTexts } from '../ask-to-move-lines.ts'
import { lineOfPaper } from '../moved-lines.ts'
import { resourceAt } from '../resource-at.ts'
import { chargedFor } from '../scoped.tsx'
import { examTexts } from '../texts.ts'
import '../exam.css'
import { PostsOfPaper } from './posts-of-paper.tsx'

const RoomsDialog = lazy(async () => ({ default: (await import('./rooms-dialog.tsx')).RoomsDialog }))

const cells: Cells = { ...examCells, typeCodes: (row: Row) => <PostsOfPaper codes={row.typeCodes} examId={String(row.examId)} /> }

/** `feeMode` of an examination that charges by paper. */
const byPaper = 2

/** The papers of an examination, each with the rooms it is sat in. */
export const Page = () => {
  const t = useT(examTexts)
  const can = useCan()
  const [opened, setOpened] = useState<Row | null>(null)
  const { examId, bar, none, feeMode } = useExamChoice()
  const resource = useMemo(() => chargedFor(scopedTo(resourceAt('/exam/examitem'), examId), feeMode === byPaper), [examId, feeMode])
  const mayEdit = can('examitem_edit')
  const actions = useCallback(
    (row: Row): readonly RowAction[] => [{ key: 'rooms', label: t('papers.rooms'), onRun: () => setOpened(row) }],
    [t],
  )
  const { title, ok } = useLinesTexts()
  const beforeSave = useCallback(
    async (row: Row | null, values: Values): Promise<boolean> => {
      if (!(await askFree(feeMode === byPaper, row, values, { title: t('free.title'), text: t('free.paper'), ok: t('free.ok') })))
        return false
      if (row === null) return true
      const line = lineOfPaper(
        { id: row.id, itemName: String(row.itemName ?? '') },
        row.passScore,
        'passScore' in values ? values.passScore : row.passScore,
      )
      return askToMoveLines(String(row.examId), line, { title, ok })
    },
    [title, ok, t, feeMode],
  )
  if (none || examId === null) return <ExamMissing text={t('papers.noExam')} />
  return (
    <>
      <ResourcePage
        resource={resource}
        cells={cells}
        inputs={examInputs}
        above={bar}
        fixed={{ examId }}
        rowActions={actions}
        beforeSave={beforeSave}
      />
      {opened === null ? null : (
        <Suspense>
          <RoomsDialog
            basePath={resource.basePath}
            paperId={opened.id}
            paperName={String(opened.itemName ?? '')}
            mayEdit={mayEdit}
            onClose={() => setOpened(null)}
          />
        </Suspense>
      )}
    </>
  )
}
