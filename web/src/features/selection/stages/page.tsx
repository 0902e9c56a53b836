import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { stateOfWire } from '#contract/kernel/machine.ts'
import { callMachine, stepMachine } from '#contract/selection/selection.state.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { type CrudContext, CrudPage, type ListQuery, listKey } from '#web/resource/crud-page.tsx'
import { ExamMissing } from '#web/resource/exam-missing.tsx'
import { ExportButtons } from '#web/resource/export-buttons.tsx'
import { startExport } from '#web/resource/export-jobs.ts'
import { useExamChoice } from '#web/resource/within.tsx'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { useStateWord } from '#web/ui/state-tag.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { selectionTexts } from '../texts.ts'
import { stageTexts } from './texts.ts'
import '../selection.css'

const OpenDialog = lazy(async () => ({ default: (await import('./open-dialog.tsx')).OpenDialog }))
const JudgeDialog = lazy(async () => ({ default: (await import('./judge-dialog.tsx')).JudgeDialog }))
const ObjectionDialog = lazy(async () => ({ default: (await import('./objections.tsx')).ObjectionDialog }))
const ObjectionsDialog = lazy(async () => ({ default: (await import('./objections.tsx')).ObjectionsDialog }))
const RuleDialog = lazy(async () => ({ default: (await import('./settings.tsx')).RuleDialog }))
const EndDialog = lazy(async () => ({ default: (await import('./settings.tsx')).EndDialog }))
const ContactDialog = lazy(async () => ({ default: (await import('../contact-dialog.tsx')).ContactDialog }))
const ChainDialog = lazy(async () => ({ default: (await import('../chain.tsx')).ChainDialog }))

type Answer = ApiOutput<'GET /blade-signup/selection/stageList'>
type Row = Answer['records'][number]
type Stage = 5 | 6 | 7 | 8 | 9
const stages = [5, 6, 7, 8, 9] as const
const [publicity, hire, out] = [7, 8, 9]
const rowId = (row: Row) => row.signupId
const rowName = (row: Row) => row.name

const useStateText = () => {
  const t = useT(stageTexts)
  const word = useStateWord()
  return (row: Row): string => {
    if (row.stage === hire && (row.state === 0 || row.state === 1)) return t(row.state === 0 ? 'hire.open' : 'hire.done')
    if (row.stage !== out) return word(stepMachine, row.state)
    return row.endedStage === null
      ? t('state.out.end')
      : t('state.out', { stage: t(`stage.${row.endedStage as Stage}`), state: word(stepMachine, row.state) })
  }
}

const useColumns = (): readonly Column<Row>[] => {
  const t = useT(stageTexts)
  const word = useStateWord()
  const s = useT(selectionTexts)
  const stateText = useStateText()
  return useMemo(
    () => [
      { key: 'post', title: s('sel.post'), cell: row => `${row.code ?? ''} ${row.codeName ?? ''}` },
      { key: 'rank', field: 'result.score', title: s('sel.rank'), align: 'right', cell: row => row.rank },
      { key: 'name', field: 'signup.name', title: s('sel.name'), cell: row => row.name },
      { key: 'total', field: 'result.score', title: t('stages.total'), align: 'right', cell: row => row.total },
      { key: 'stage', title: t('stages.stage'), cell: row => t(`stage.${row.stage as Stage}`) },
      {
        key: 'state',
        title: t('stages.state'),
        cell: row => (
          <span className="sel-bar">
            <StatusTag tone={stepMachine.tone[stateOfWire(stepMachine, row.state) ?? 'open']} text={stateText(row)} />
            {row.kind === 2 ? <StatusTag tone="draft" text={t('stages.kind.2')} /> : null}
            {row.objections > 0 ? <StatusTag tone="waiting" text={t('stages.objections', { count: row.objections })} /> : null}
          </span>
        ),
      },
      {
        key: 'call',
        title: t('stages.call'),
        cell: row => (row.callState === null ? '' : word(callMachine, row.callState)),
      },
      { key: 'date', title: t('stages.date'), cell: row => row.date },
      { key: 'until', title: t('stages.until'), cell: row => row.until?.slice(0, 16) },
      { key: 'remark', title: s('sel.remark'), cell: row => row.remark },
      { key: 'unit', title: s('sel.unit'), hidden: true, cell: row => row.unitName },
    ],
    [t, word, stateText, s],
  )
}

type Opened =
  | { readonly kind: 'open' | 'objections' | 'rule' | 'end' | 'chain' }
  | { readonly kind: 'judge'; readonly people: readonly Row[]; readonly stage: 5 | 6 | 7 | 8 }
  | { readonly kind: 'objection'; readonly person: Row }
  | { readonly kind: 'contact'; readonly person: Row; readonly callId: string }

/** From the medical check to the hire: who is where, what came of it, who moved up and why. */
export const Page = () => {
  const t = useT(stageTexts)
  const s = useT(selectionTexts)
  const can = useCan()
  const client = useQueryClient()
  const { examId, bar, none } = useExamChoice(true)
  const columns = useColumns()
  const rows = useRef<readonly Row[]>([])
  const [counts, setCounts] = useState<Answer['counts']>([])
  const [opened, setOpened] = useState<Opened | null>(null)
  const load = useCallback(async (query: ListQuery, signal: AbortSignal) => {
    const page = await api.request<Answer>({ method: 'GET', path: '/blade-signup/selection/stageList', query, signal })
    rows.current = page.records
    setCounts(page.counts)
    return page
  }, [])
  const mayEdit = can('selection_edit')
  // Before anybody has come to the medical check, choosing them is all there is to do.
  const isEmpty = counts.length === 0
  const actions = useCallback(
    (row: Row): readonly RowAction[] => [
      ...(row.stage === publicity
        ? [{ key: 'objection', label: t('stages.objection'), onRun: () => setOpened({ kind: 'objection', person: row }) }]
        : []),
      ...(row.callId !== null && row.callState === 0
        ? [{ key: 'contact', label: s('contact.add'), onRun: () => setOpened({ kind: 'contact', person: row, callId: row.callId ?? '' }) }]
        : []),
    ],
    [t, s],
  )
  if (none || examId === null) return <ExamMissing text={s('sel.noExam')} />
  const refresh = () => {
    void client.invalidateQueries({ queryKey: listKey('selection') })
    void client.invalidateQueries({ queryKey: ['selection-chain'] })
  }
  const close = () => setOpened(null)
  const judge = ({ selected }: CrudContext) => {
    const people = rows.current.filter(row => selected.has(row.signupId))
    const [first] = people
    if (first === undefined) return notify('warning', t('judge.none'))
    const isOne = people.every(row => row.stage === first.stage && row.stage <= hire && row.state !== 1)
    if (!isOne) return notify('warning', t('judge.mixed'))
    setOpened({ kind: 'judge', people, stage: first.stage as 5 | 6 | 7 | 8 })
  }
  const publish = async () => {
    if (!(await confirm({ title: t('stages.publicity'), text: t('publicity.ask'), ok: t('stages.publicity') }))) return
    const made = await api.call('POST /blade-desk/notice/makePublicity', { examId, list: 2 }).catch(() => null)
    if (made !== null) notify('success', t('publicity.done', { count: made.people }))
  }
  const download = async ({ query }: CrudContext) => {
    const { current: _, size: __, ...search } = query
    await startExport({ method: 'GET', path: '/blade-signup/selection/exportStage', query: { ...search, examId } }, t('stages.title'))
  }
  const tool = (kind: 'open' | 'objections' | 'rule' | 'end' | 'chain', label: string, look = '') => (
    <button type="button" className={`button ${look}`} onClick={() => setOpened({ kind })}>
      {label}
    </button>
  )
  return (
    <>
      <CrudPage<Row>
        name="selection"
        title={t('stages.title')}
        columns={columns}
        search={[
          {
            kind: 'select',
            key: 'stage',
            label: t('stages.stage'),
            options: stages.map(value => ({ value: String(value), label: t(`stage.${value}`) })),
          },
          { kind: 'text', key: 'keyword', label: s('sel.keyword') },
          { kind: 'text', key: 'code', label: s('sel.code') },
        ]}
        load={load}
        rowId={rowId}
        rowName={rowName}
        rowActions={mayEdit ? actions : undefined}
        selectable={mayEdit}
        fixed={{ examId }}
        above={
          <>
            {bar}
            {counts.length === 0 ? null : (
              <ul className="sel-counts">
                {counts.map(({ stage, count }) => (
                  <li key={stage}>
                    <StatusTag
                      tone={stage === out ? 'closed' : 'draft'}
                      text={t('stages.count', { name: t(`stage.${stage as Stage}`), count })}
                    />
                  </li>
                ))}
              </ul>
            )}
          </>
        }
        empty={<EmptyState text={t('stages.empty')} />}
        toolbar={context => (
          <>
            {mayEdit ? (
              <>
                <button
                  type="button"
                  className={`button ${isEmpty ? '' : 'button-primary'}`}
                  disabled={isEmpty}
                  onClick={() => judge(context)}
                >
                  {t('stages.judge')}
                </button>
                {tool('open', t('stages.open'), isEmpty ? 'button-primary' : '')}
                {can('notice_add') ? (
                  <button type="button" className="button" disabled={isEmpty} onClick={() => void publish()}>
                    {t('stages.publicity')}
                  </button>
                ) : null}
              </>
            ) : null}
            {tool('chain', s('sel.chain'))}
            {tool('objections', t('stages.list'))}
            {can('selection_rule') ? tool('rule', t('stages.rule')) : null}
            {mayEdit && !isEmpty ? tool('end', t('stages.end'), 'button-danger') : null}
            {can('selection_export') ? <ExportButtons onExport={() => download(context)} /> : null}
          </>
        )}
      />
      {opened === null ? null : (
        <Suspense>
          {opened.kind === 'open' ? <OpenDialog examId={examId} onDone={refresh} onClose={close} /> : null}
          {opened.kind === 'chain' ? <ChainDialog examId={examId} onClose={close} /> : null}
          {opened.kind === 'objections' ? <ObjectionsDialog examId={examId} onDone={refresh} onClose={close} /> : null}
          {opened.kind === 'rule' ? <RuleDialog examId={examId} onDone={refresh} onClose={close} /> : null}
          {opened.kind === 'end' ? <EndDialog examId={examId} onDone={refresh} onClose={close} /> : null}
          {opened.kind === 'judge' ? <JudgeDialog people={opened.people} stage={opened.stage} onDone={refresh} onClose={close} /> : null}
          {opened.kind === 'objection' ? <ObjectionDialog person={opened.person} onDone={refresh} onClose={close} /> : null}
          {opened.kind === 'contact' ? (
            <ContactDialog callId={opened.callId} name={opened.person.name} onDone={refresh} onClose={close} />
          ) : null}
        </Suspense>
      )}
    </>
  )
}
