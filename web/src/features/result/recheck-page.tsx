import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { recheckMachine } from '#contract/result/recheck.state.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { CrudPage, type ListQuery } from '#web/resource/crud-page.tsx'
import { ExamMissing } from '#web/resource/exam-missing.tsx'
import { useExamChoice } from '#web/resource/within.tsx'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { Labelled, LabelledInput } from '#web/ui/labelled.tsx'
import { StateTag, useStateOptions } from '#web/ui/state-tag.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { recheckTexts } from './recheck-texts.ts'
import './result.css'
import { useSaid } from '#web/kernel/said.ts'

const DateInput = lazy(async () => ({ default: (await import('#web/resource/date-input.tsx')).DateInput }))

type RecheckPage = ApiOutput<'GET /blade-result/recheck/list'>
type Recheck = RecheckPage['records'][number]
type Window = ApiOutput<'GET /blade-result/recheck/window'>

const rowId = (row: Recheck) => row.id
const rowName = (row: Recheck) => row.name

const WindowDialog = ({
  examId,
  of,
  onClose,
  onDone,
}: {
  readonly examId: string
  readonly of: Window
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const t = useT(recheckTexts)
  const [begin, setBegin] = useState(of.begin ?? '')
  const [end, setEnd] = useState(of.end ?? '')
  const [wrong, setWrong] = useSaid<Readonly<Record<string, string>>>({})
  const save = async () => {
    try {
      const known = of.begin === null ? {} : { version: of.version }
      await api.call('POST /blade-result/recheck/saveWindow', { examId, begin, end, ...known }, { quiet: 'fields' })
      notify('success', t('saved'))
      onDone()
      return true
    } catch (error) {
      setWrong(fieldTexts(error))
      return false
    }
  }
  const field = (key: 'begin' | 'end', value: string, set: (value: string) => void) => (
    <Labelled label={t(key)} error={wrong[key]}>
      {id => (
        <Suspense fallback={<span className="input" />}>
          <DateInput id={id} withTime isEnd={key === 'end'} value={value} onChange={next => set(typeof next === 'string' ? next : '')} />
        </Suspense>
      )}
    </Labelled>
  )
  return (
    <ActionDialog title={t('windowSet')} onClose={onClose} actions={[{ label: t('windowSet'), run: save }]}>
      {field('begin', begin, setBegin)}
      {field('end', end, setEnd)}
    </ActionDialog>
  )
}

const AnswerDialog = ({ of, onClose, onDone }: { readonly of: Recheck; readonly onClose: () => void; readonly onDone: () => void }) => {
  const t = useT(recheckTexts)
  const [text, setText] = useState('')
  const [wrong, setWrong] = useSaid<string>()
  const send = (outcome: 1 | 2) => async () => {
    setWrong(text.trim() === '' ? t('answerMissing') : undefined)
    if (text.trim() === '') return false
    try {
      await api.call(
        'POST /blade-result/recheck/answer',
        { id: of.id, outcome, answer: text.trim(), version: of.version },
        { quiet: 'fields' },
      )
      notify('success', t('answered'))
      onDone()
      return true
    } catch (error) {
      setWrong(fieldTexts(error)['answer'])
      return false
    }
  }
  return (
    <ActionDialog
      title={t('answer')}
      onClose={onClose}
      hasChanges={() => text !== ''}
      actions={[
        { label: t('corrected'), tone: 'plain', run: send(2) },
        { label: t('stands'), run: send(1) },
      ]}
    >
      <p>
        {of.name} · {of.ticketNo} · {of.itemName} · {of.askedScore ?? '-'} → {of.score ?? '-'}
      </p>
      <p>{of.reason}</p>
      <p className="dialog-lead">{t('answerLead')}</p>
      <LabelledInput label={t('answer')} error={wrong} rows={4} maxLength={500} value={text} onChange={setText} />
    </ActionDialog>
  )
}

const useColumns = (): readonly Column<Recheck>[] => {
  const t = useT(recheckTexts)
  return useMemo(
    () => [
      { key: 'ticketNo', field: 'result.ticketNo', title: t('ticketNo'), cell: row => row.ticketNo },
      { key: 'name', field: 'result.name', title: t('name'), cell: row => row.name },
      { key: 'paper', title: t('paper'), cell: row => row.itemName },
      { key: 'reason', title: t('reason'), cell: row => row.reason },
      {
        key: 'scores',
        field: 'result.score',
        title: t('scores'),
        align: 'right',
        cell: row => (row.askedScore === row.score ? (row.score ?? '-') : `${row.askedScore ?? '-'} → ${row.score ?? '-'}`),
      },
      {
        key: 'state',
        title: t('state'),
        cell: row => <StateTag of={recheckMachine} wire={row.state} />,
      },
      { key: 'asked', title: t('asked'), cell: row => minuteOf(row.askedTime) },
      {
        key: 'answer',
        title: t('answer'),
        cell: row =>
          row.answer === null || row.answerTime === null
            ? ''
            : t('by', { name: row.answeredBy ?? '', time: minuteOf(row.answerTime), text: row.answer }),
      },
    ],
    [t],
  )
}

const load = (query: ListQuery, signal: AbortSignal) =>
  api.request<RecheckPage>({ method: 'GET', path: '/blade-result/recheck/list', query, signal })

/** Who asked to have a score looked at again, and what was answered. */
export const Page = () => {
  const t = useT(recheckTexts)
  const states = useStateOptions(recheckMachine)
  const mayEdit = useCan()('scorerecheck_edit')
  const client = useQueryClient()
  const { examId, bar, none } = useExamChoice(true)
  const [opened, setOpened] = useState<'window' | Recheck | null>(null)
  const window = useCall('GET /blade-result/recheck/window', { examId: examId ?? '0' }, { enabled: examId !== null, staleTimeMs: 0 })
  const columns = useColumns()
  const refresh = useCallback(() => {
    void client.invalidateQueries({ queryKey: ['list', 'recheck'] })
    void client.invalidateQueries({ queryKey: ['GET /blade-result/recheck/window'] })
  }, [client])
  const actions = useCallback(
    (row: Recheck): readonly RowAction[] => (row.state === 0 ? [{ key: 'answer', label: t('answer'), onRun: () => setOpened(row) }] : []),
    [t],
  )
  if (none || examId === null) return <ExamMissing text={t('noExam')} />
  const close = () => setOpened(null)
  const { begin = null, end = null, waiting = 0 } = window.data ?? {}
  return (
    <>
      <CrudPage<Recheck>
        name="recheck"
        title={t('title')}
        columns={columns}
        search={[
          { kind: 'text', key: 'keyword', label: t('keyword') },
          {
            kind: 'select',
            key: 'state',
            label: t('state'),
            options: states,
          },
        ]}
        load={load}
        rowId={rowId}
        rowName={rowName}
        rowActions={mayEdit ? actions : undefined}
        fixed={{ examId }}
        above={
          <>
            {bar}
            <p className="recheck-window">
              <b>{t('window')}</b>{' '}
              {begin === null || end === null ? t('windowNone') : t('windowIs', { begin: minuteOf(begin), end: minuteOf(end) })}
              {waiting > 0 ? ` · ${t('waiting', { count: waiting })}` : ''}
            </p>
          </>
        }
        empty={<EmptyState text={t('empty')} />}
        toolbar={() =>
          mayEdit ? (
            <button
              type="button"
              className="button button-primary"
              disabled={window.data === undefined}
              onClick={() => setOpened('window')}
            >
              {t('windowSet')}
            </button>
          ) : null
        }
      />
      {opened === 'window' && window.data !== undefined ? (
        <WindowDialog examId={examId} of={window.data} onClose={close} onDone={refresh} />
      ) : opened !== null && opened !== 'window' ? (
        <AnswerDialog of={opened} onClose={close} onDone={refresh} />
      ) : null}
    </>
  )
}
