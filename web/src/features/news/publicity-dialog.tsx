import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledSelect } from '#web/ui/labelled.tsx'
import { newsTexts } from './texts.ts'

/** Makes the draft of a list that is published, from released results. */
export const PublicityDialog = ({ onDone, onClose }: { readonly onDone: () => void; readonly onClose: () => void }) => {
  const t = useT(newsTexts)
  const [examId, setExamId] = useState('')
  const [list, setList] = useState<'1' | '2'>('1')
  const [wrong, setWrong] = useSaid<string | undefined>(undefined)
  const exams = useQuery({
    queryKey: ['publicity-exams'],
    queryFn: ({ signal }) => api.call('GET /blade-exam/examination/page', { current: 1, size: 200 }, { signal, quiet: true }),
  })
  const run = async (): Promise<boolean> => {
    setWrong(examId === '' ? t('publicity.missing') : undefined)
    if (examId === '') return false
    try {
      const made = await api.call('POST /blade-desk/notice/makePublicity', { examId, list: list === '1' ? 1 : 2 })
      notify('success', t('publicity.done', { count: made.people }))
    } catch {
      return false // The api client has said why.
    }
    onDone()
    return true
  }
  return (
    <ActionDialog title={t('publicity')} actions={[{ label: t('publicity.make'), run }]} onClose={onClose}>
      <p>{t('publicity.lead')}</p>
      <LabelledSelect
        label={t('publicity.exam')}
        error={wrong}
        value={examId}
        onChange={setExamId}
        options={[{ value: '', label: '' }, ...(exams.data?.records ?? []).map(exam => ({ value: exam.id, label: exam.examName }))]}
      />
      <LabelledSelect
        label={t('publicity.list')}
        value={list}
        onChange={setList}
        options={(['1', '2'] as const).map(value => ({ value, label: t(`publicity.list.${value}`) }))}
      />
    </ActionDialog>
  )
}
