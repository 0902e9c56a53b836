import { useState } from 'react'
import { payImports } from '#contract/pay/import-kinds.ts'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import type { ExamOption } from '#web/resource/exams.ts'
import { ImportRun } from '#web/resource/import-run.tsx'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledSelect } from '#web/ui/labelled.tsx'
import { payTexts } from './texts.ts'

export type ListWork = 'dues' | 'payments' | 'invoices' | 'export'
const lists = ['due', 'paid', 'refund'] as const

interface Props {
  readonly work: ListWork
  readonly exams: readonly ExamOption[]
  /** The examination the list is narrowed to, if it is. */
  readonly examId: string | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Lists of money belong to one examination: it is chosen first, then a workbook goes in or comes out (S7.41). */
export const ListDialog = ({ work, exams, examId: narrowed, onClose, onDone }: Props) => {
  const t = useT(payTexts)
  const [examId, setExamId] = useState(narrowed ?? exams[0]?.value ?? '')
  const [list, setList] = useState<(typeof lists)[number]>('due')
  const [isChosen, setChosen] = useState(false)
  if (isChosen && work !== 'export')
    return <ImportRun title={t(`list.${work}`)} of={payImports[work]} fields={{ examId }} onClose={onClose} onDone={onDone} />
  const run = async (): Promise<boolean> => {
    if (work !== 'export') {
      setChosen(true)
      return false
    }
    const got = await api
      .download(
        { method: 'GET', path: '/blade-exam/examination/getPayExcel', query: { examId, kind: list } },
        `${t(`list.kind.${list}`)}.xlsx`,
      )
      .catch(() => null)
    if (got?.kind === 'data') notify('info', t('list.queued'))
    return got !== null
  }
  return (
    <ActionDialog
      title={t(`list.${work}`)}
      actions={[{ label: t(work === 'export' ? 'list.download' : 'list.next'), disabled: examId === '', run }]}
      onClose={onClose}
    >
      <p>{t(`list.${work}.lead`)}</p>
      {exams.length === 0 ? (
        <p className="field-error">{t('list.noExam')}</p>
      ) : (
        <LabelledSelect label={t('list.exam')} value={examId} options={exams} onChange={setExamId} />
      )}
      {work === 'export' ? (
        <LabelledSelect
          label={t('list.kind')}
          value={list}
          options={lists.map(value => ({ value, label: t(`list.kind.${value}`) }))}
          onChange={value => setList(lists.find(one => one === value) ?? 'due')}
        />
      ) : null}
    </ActionDialog>
  )
}
