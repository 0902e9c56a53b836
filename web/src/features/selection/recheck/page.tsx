import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { examMachine } from '#contract/exam/exam.state.ts'
import { callMachine, recheckMachine } from '#contract/selection/selection.state.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { type CrudContext, CrudPage, type ListQuery, listKey } from '#web/resource/crud-page.tsx'
import { ExamMissing } from '#web/resource/exam-missing.tsx'
import { useExamRows } from '#web/resource/exams.ts'
import { ExportButtons } from '#web/resource/export-buttons.tsx'
import { startExport } from '#web/resource/export-jobs.ts'
import { useMaster } from '#web/resource/use-master.ts'
import { useExamChoice } from '#web/resource/within.tsx'
import type { Column } from '#web/ui/data-table.tsx'
import { MasterDetail } from '#web/ui/master-detail.tsx'
import { StateTag, useStateOptions, useStateWord } from '#web/ui/state-tag.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { sinceCall } from '../since-call.ts'
import { selectionTexts } from '../texts.ts'
import { useKeys } from '../use-keys.ts'
import type { Result } from './decide-dialog.tsx'
import { Person } from './person.tsx'

const DecideDialog = lazy(async () => ({ default: (await import('./decide-dialog.tsx')).DecideDialog }))
const StartDialog = lazy(async () => ({ default: (await import('./start-dialog.tsx')).StartDialog }))
const ChainDialog = lazy(async () => ({ default: (await import('../chain.tsx')).ChainDialog }))

type Row = ApiOutput<'GET /blade-signup/selection/recheckList'>['records'][number]
const rowId = (row: Row) => row.signupId
const rowName = (row: Row) => row.name

const useColumns = (): readonly Column<Row>[] => {
  const t = useT(selectionTexts)
  const stateWord = useStateWord()
  return useMemo(
    () => [
      { key: 'post', title: t('sel.post'), cell: row => `${row.code ?? ''} ${row.codeName ?? ''}` },
      { key: 'rank', field: 'result.score', title: t('sel.rank'), align: 'right', cell: row => sinceCall(t, row.rank, row.calledRank) },
      { key: 'name', field: 'signup.name', title: t('sel.name'), cell: row => row.name },
      { key: 'score', field: 'result.score', title: t('sel.score'), align: 'right', cell: row => sinceCall(t, row.score, row.calledScore) },
      {
        key: 'state',
        title: t('recheck.state'),
        cell: row => <StateTag of={recheckMachine} wire={row.reviewState} />,
      },
      {
        key: 'list',
        title: t('recheck.list'),
        cell: row =>
          row.off === 1 ? (
            <StatusTag tone="waiting" text={t('recheck.off')} />
          ) : row.shortlist === 0 ? (
            ''
          ) : (
            t(`recheck.list.${row.shortlist as 1 | 2 | 3}`)
          ),
      },
      {
        key: 'answer',
        title: t('recheck.answer'),
        cell: row => (row.callState === null ? '' : stateWord(callMachine, row.callState)),
      },
      { key: 'deadline', title: t('recheck.deadline'), cell: row => row.deadline?.slice(0, 16) },
      { key: 'files', title: t('recheck.files'), align: 'right', cell: row => row.fileCount },
      { key: 'unit', title: t('sel.unit'), hidden: true, cell: row => row.unitName },
    ],
    [t, stateWord],
  )
}

type Opened =
  | { readonly kind: 'start' }
  | { readonly kind: 'chain' }
  | { readonly kind: 'decide'; readonly result: Result; readonly person: Pick<Row, 'signupId' | 'name'> }

/** The re-review of the shortlist: a list, the person beside it, and decisions by single keys. */
export const Page = () => {
  const t = useT(selectionTexts)
  const states = useStateOptions(recheckMachine, 'none')
  const answers = useStateOptions(callMachine)
  const can = useCan()
  const client = useQueryClient()
  const { examId, bar, none } = useExamChoice(true)
  const isOpen = useExamRows().data?.records.some(row => row.id === examId && row.state === examMachine.wire.released) ?? false
  const { id, current } = useMaster()
  const columns = useColumns()
  const rows = useRef<readonly Row[]>([])
  const [opened, setOpened] = useState<Opened | null>(null)
  const load = useCallback(async (query: ListQuery, signal: AbortSignal) => {
    const page = await api.request<ApiOutput<'GET /blade-signup/selection/recheckList'>>({
      ...{ method: 'GET', path: '/blade-signup/selection/recheckList', query, signal },
    })
    rows.current = page.records
    return page
  }, [])
  const refresh = () => {
    void client.invalidateQueries({ queryKey: listKey('recheck') })
    void client.invalidateQueries({ queryKey: ['recheck-info'] })
    void client.invalidateQueries({ queryKey: ['selection-chain'] })
  }
  const go = (by: 1 | -1) => {
    const list = rows.current
    const at = list.findIndex(row => row.signupId === id)
    const next = list[at < 0 ? 0 : Math.min(list.length - 1, Math.max(0, at + by))]
    if (next) current.onChange(next.signupId)
  }
  const decide = (result: Result) => () => {
    const person = rows.current.find(row => row.signupId === id)
    if (person?.mayDecide) setOpened({ kind: 'decide', result, person })
  }
  useKeys({ j: () => go(1), k: () => go(-1), 1: decide(1), 2: decide(2), 3: decide(3), 4: decide(4) }, opened !== null)
  if (none || examId === null) return <ExamMissing text={t('sel.noExam')} />
  const close = () => setOpened(null)
  const download = async ({ query }: CrudContext) => {
    const { current: _, size: __, ...search } = query
    await startExport({ method: 'GET', path: '/blade-signup/selection/exportRecheck', query: { ...search, examId } }, t('recheck.title'))
  }
  return (
    <>
      <MasterDetail
        name="recheck"
        direction="horizontal"
        master={
          <CrudPage<Row>
            name="recheck"
            title={t('recheck.title')}
            columns={columns}
            search={[
              { kind: 'text', key: 'keyword', label: t('sel.keyword') },
              {
                ...{ kind: 'select', key: 'reviewState', label: t('recheck.state') },
                options: states,
              },
              { kind: 'select', key: 'callState', label: t('recheck.answer'), options: answers },
              { kind: 'text', key: 'code', label: t('sel.code') },
            ]}
            load={load}
            rowId={rowId}
            rowName={rowName}
            fixed={{ examId }}
            above={bar}
            current={current}
            empty={<EmptyState text={t('recheck.empty')} />}
            toolbar={context => (
              <>
                {can('recheck_start') && isOpen ? (
                  <button type="button" className="button button-primary" onClick={() => setOpened({ kind: 'start' })}>
                    {t('recheck.start')}
                  </button>
                ) : null}
                {can('recheck_chain') ? (
                  <button type="button" className="button" onClick={() => setOpened({ kind: 'chain' })}>
                    {t('sel.chain')}
                  </button>
                ) : null}
                {can('recheck_export') ? <ExportButtons onExport={() => download(context)} /> : null}
              </>
            )}
          />
        }
        detail={
          id === null ? (
            <div className="card">
              <EmptyState text={t('recheck.choose')} />
            </div>
          ) : (
            <Person
              key={id}
              examId={examId}
              signUpId={id}
              onChanged={refresh}
              onDecide={(result, person) => setOpened({ kind: 'decide', result, person })}
            />
          )
        }
      />
      <p className="sel-keys">{t('recheck.keys')}</p>
      {opened === null ? null : (
        <Suspense>
          {opened.kind === 'start' ? (
            <StartDialog examId={examId} onDone={refresh} onClose={close} />
          ) : opened.kind === 'chain' ? (
            <ChainDialog examId={examId} onClose={close} />
          ) : (
            <DecideDialog
              person={opened.person}
              result={opened.result}
              onClose={close}
              onDone={nextId => {
                refresh()
                if (nextId !== null) current.onChange(nextId)
              }}
            />
          )}
        </Suspense>
      )}
    </>
  )
}
