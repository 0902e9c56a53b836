import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { paperScoreStates } from '#contract/exam/exam.state.ts'
import { resultImports } from '#contract/result/import-kinds.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { endMinuteOf, epochOf, minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { ChoiceBar } from '#web/resource/choice.tsx'
import { CrudPage, type ListQuery } from '#web/resource/crud-page.tsx'
import { useExamOptions } from '#web/resource/exams.ts'
import { ExportButtons } from '#web/resource/export-buttons.tsx'
import { startExport } from '#web/resource/export-jobs.ts'
import { ImportRun } from '#web/resource/import-run.tsx'
import { useDict } from '#web/resource/use-dict.ts'
import { useWorkChoice } from '#web/resource/within.tsx'
import { usePage } from '#web/shell/page-context.tsx'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { StateTag } from '#web/ui/state-tag.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import type { Released } from './release-plan.ts'
import { resultTexts } from './texts.ts'
import './result.css'
import { ExamMissing } from '#web/resource/exam-missing.tsx'

const ReleaseDialog = lazy(async () => ({ default: (await import('./release-dialog.tsx')).ReleaseDialog }))
const WithdrawDialog = lazy(async () => ({ default: (await import('./release-dialog.tsx')).WithdrawDialog }))
const CorrectDialog = lazy(async () => ({ default: (await import('./correct-dialog.tsx')).CorrectDialog }))

type ResultPage = ApiOutput<'GET /blade-result/result/list'>
type ResultRow = ResultPage['records'][number]
type PaperState = ApiOutput<'GET /blade-exam/examination/findResultItems'>[number]
type Opened =
  | { readonly kind: 'import' | 'release' | 'withdraw'; readonly paper: Released }
  | { readonly kind: 'import-all' }
  | { readonly kind: 'correct'; readonly id: string }

const [none, imported, released] = [0, 1, 2]
const rowId = (row: ResultRow) => row.id
const rowName = (row: ResultRow) => row.name

const papersCall = 'GET /blade-exam/examination/findResultItems'

const useColumns = (): readonly Column<ResultRow>[] => {
  const t = useT(resultTexts)
  const states = useDict('result_state')
  return useMemo(
    () => [
      { key: 'ticketNo', field: 'result.ticketNo', title: t('col.ticketNo'), cell: row => row.ticketNo },
      { key: 'name', field: 'result.name', title: t('col.name'), cell: row => row.name },
      { key: 'unit', title: t('col.unit'), cell: row => row.unitName },
      { key: 'post', title: t('col.post'), cell: row => `${row.code} ${row.codeName}` },
      { key: 'paper', title: t('col.paper'), cell: row => row.itemName },
      { key: 'score', field: 'result.score', title: t('col.score'), align: 'right', cell: row => row.score },
      {
        key: 'state',
        title: t('col.state'),
        cell: row => (
          <span className="result-state">
            {states.find(option => option.value === String(row.resultState))?.label ?? row.resultState}
            {row.correctionWaits === 1 ? <StatusTag tone="waiting" text={t('correct.waits')} /> : null}
          </span>
        ),
      },
      {
        // Rare, and part of the final score.
        key: 'bonus',
        hidden: true,
        field: 'result.score',
        title: t('col.bonus'),
        align: 'right',
        cell: row => (Number(row.bonus) === 0 ? '' : row.bonus),
      },
      { key: 'final', field: 'result.score', title: t('col.final'), align: 'right', cell: row => row.finalScore },
      { key: 'written', field: 'result.score', title: t('col.written'), align: 'right', cell: row => row.writtenTotal },
      { key: 'total', field: 'result.score', title: t('col.total'), align: 'right', cell: row => row.total },
      {
        key: 'rank',
        field: 'result.score',
        title: t('col.rank'),
        align: 'right',
        // Until the interview is released there is no total, and whoever has none stands by the written score.
        cell: row =>
          row.rank !== null && row.total === null && row.writtenTotal !== null ? t('rank.written', { rank: row.rank }) : row.rank,
      },
      {
        key: 'shortlist',
        title: t('col.shortlist'),
        cell: row => (row.shortlist === 1 || row.shortlist === 2 || row.shortlist === 3 ? t(`shortlist.${row.shortlist}`) : ''),
      },
      {
        // The cards of the papers say it too.
        key: 'released',
        hidden: true,
        title: t('col.released'),
        cell: row => t(row.released === 1 ? 'released.yes' : 'released.no'),
      },
      { key: 'remark', field: 'result.remark', title: t('col.remark'), hidden: true, cell: row => row.remark },
    ],
    [t, states],
  )
}

/** What can be done next about the results of a paper, or why this reader cannot: beside the buttons, before anything is pressed. */
const Next = ({ id, paper }: { readonly id: string; readonly paper: PaperState }) => {
  const t = useT(resultTexts)
  const can = useCan()
  const text = () => {
    if (paper.scoreState !== released && epochOf(paper.endTime) > serverNow()) return t('next.notOver')
    if (paper.scoreState === none && paper.holders === 0) return t('next.nobody')
    if (paper.scoreState === imported) {
      if (paper.missing > 0) return t('next.missing', { missing: paper.missing, holders: paper.holders })
      if (paper.releaseTime !== null) return t('next.scheduled', { time: minuteOf(paper.releaseTime) })
      if (!can('result_release')) return t('next.mayNotRelease')
      return t(paper.isOwnWork ? 'release.same' : 'next.release')
    }
    if (paper.scoreState !== released) return t(can('result_import') ? 'next.import' : 'next.waits')
    if (can('result_withdraw')) return t('next.withdraw')
    return t(can('result_edit') ? 'next.correct' : 'next.released')
  }
  return (
    <small id={id} className="result-next">
      {text()}
    </small>
  )
}

/** Results can come in: the paper is over, somebody sat it, and it is not out. */
const mayComeIn = (paper: PaperState): boolean => paper.scoreState < released && paper.holders > 0 && epochOf(paper.endTime) <= serverNow()
/** Results can go out by this reader: somebody else brought them in. */
const mayGoOut = (paper: PaperState): boolean => paper.scoreState === imported && !paper.isOwnWork

/** The papers of the examination with what can be done about the results of each. */
const Papers = ({
  papers,
  examId,
  onOpen,
  onClear,
}: {
  readonly papers: readonly PaperState[]
  readonly examId: string
  readonly onOpen: (kind: 'import' | 'release' | 'withdraw', paper: Released) => void
  readonly onClear: (paper: PaperState) => void
}) => {
  const t = useT(resultTexts)
  const can = useCan()
  if (papers.length === 0)
    return (
      <div className="card">
        <EmptyState text={t('result.noPapers')} />
      </div>
    )
  return (
    <ul className="result-papers" aria-label={t('result.papers')}>
      {papers.map(paper => {
        const of = { examId, itemId: paper.id, itemName: paper.itemName }
        const next = `result-next-${paper.id}`
        const button = (kind: 'import' | 'release' | 'withdraw', label: string, tone = '') => (
          <button type="button" className={`button button-small ${tone}`} aria-describedby={next} onClick={() => onOpen(kind, of)}>
            {label}
          </button>
        )
        return (
          <li key={paper.id} className="card">
            <b>
              {paper.itemCode} {paper.itemName}
            </b>
            <div className="result-paper">
              <small>
                {t('paper.full', { score: paper.fullScore, weight: Number(paper.weight) })}
                <br />
                {minuteOf(paper.startTime)} – {endMinuteOf(paper.endTime)}
              </small>
              <StateTag of={paperScoreStates} wire={paper.scoreState} />
            </div>
            <div className="result-tools">
              {can('result_import') && mayComeIn(paper) ? button('import', t('result.import')) : null}
              {can('result_release') && mayGoOut(paper) ? button('release', t('result.release'), 'button-primary') : null}
              {can('result_delete') && paper.scoreState === imported ? (
                <button type="button" className="button button-small button-danger" onClick={() => onClear(paper)}>
                  {t('result.clear')}
                </button>
              ) : null}
              {can('result_withdraw') && paper.scoreState === released ? button('withdraw', t('result.withdraw'), 'button-danger') : null}
            </div>
            <Next id={next} paper={paper} />
          </li>
        )
      })}
    </ul>
  )
}

/** What can be done about several papers at once. */
const Together = ({
  list,
  examId,
  onOpen,
}: {
  readonly list: readonly PaperState[]
  readonly examId: string
  readonly onOpen: (opened: Opened) => void
}) => {
  const t = useT(resultTexts)
  const can = useCan()
  const ready = can('result_release') ? list.filter(paper => mayGoOut(paper) && paper.missing === 0 && paper.releaseTime === null) : []
  const mayImport = can('result_import') && list.filter(mayComeIn).length > 1
  if (!mayImport && ready.length < 2) return null
  const all = {
    examId,
    itemId: ready.map(paper => paper.id).join(','),
    itemName: ready.map(paper => paper.itemName).join('、'),
  }
  return (
    <div className="result-tools">
      {mayImport ? (
        <>
          <button type="button" className="button" aria-describedby="result-import-all" onClick={() => onOpen({ kind: 'import-all' })}>
            {t('result.importAll')}
          </button>
          <small id="result-import-all">{t('result.importAll.help')}</small>
        </>
      ) : null}
      {ready.length > 1 ? (
        <button type="button" className="button button-primary" onClick={() => onOpen({ kind: 'release', paper: all })}>
          {t('result.releaseAll', { count: ready.length })}
        </button>
      ) : null}
    </div>
  )
}

const load = (query: ListQuery, signal: AbortSignal) =>
  api.request<ResultPage>({
    method: 'GET',
    path: '/blade-result/result/list',
    query,
    signal,
  })

/** Results of an examination: import, look, correct, release by a second person. */
export const Page = () => {
  const t = useT(resultTexts)
  const can = useCan()
  const client = useQueryClient()
  const { search } = usePage()
  const [opened, setOpened] = useState<Opened | null>(null)
  const exams = useExamOptions(true)
  const { value: examId, choose } = useWorkChoice(exams)
  const papers = useCall(papersCall, { examId: examId ?? '0' }, { enabled: examId !== null })
  const columns = useColumns()
  const states = useDict('result_state')
  const refresh = useCallback(() => {
    void client.invalidateQueries({ queryKey: ['list', 'result'] })
    void client.invalidateQueries({ queryKey: [papersCall] })
    void client.invalidateQueries({ queryKey: ['result-release-plan'] })
    void client.invalidateQueries({ queryKey: ['GET /blade-result/result/detail'] })
  }, [client])
  const mayCorrect = can('result_edit')
  const actions = useCallback(
    (row: ResultRow): readonly RowAction[] => [
      {
        key: 'correct',
        label: t(row.correctionWaits === 1 ? 'correct.waits' : 'correct.action'),
        onRun: () => setOpened({ kind: 'correct', id: row.id }),
      },
    ],
    [t],
  )
  if (exams?.length === 0 || examId === null) return <ExamMissing text={t('result.noExam')} />
  const clear = async (paper: PaperState) => {
    const yes = await confirm({
      title: t('result.clear'),
      text: t('result.clear.ask', { name: paper.itemName }),
      ok: t('result.clear'),
      danger: true,
    })
    if (!yes) return
    const answer = await api.call('POST /blade-exam/examination/delResults', { examId, itemId: paper.id }).catch(() => null)
    if (answer === null) return
    notify('success', t('result.clear.done', { count: answer.removed }))
    refresh()
  }
  const download = async (query: ListQuery) => {
    // The rows of the search, whatever it asks for: all that the list is asked but its page.
    const { current: _, size: __, ...search } = query
    await startExport({ method: 'GET', path: '/blade-exam/examination/exportResult', query: { ...search, examId } }, t('result.title'))
  }
  const close = () => setOpened(null)
  const paperOptions = (papers.data ?? []).map(paper => ({ value: paper.id, label: `${paper.itemCode} ${paper.itemName}` }))
  return (
    <>
      <CrudPage<ResultRow>
        name="result"
        title={t('result.title')}
        columns={columns}
        search={[
          { kind: 'text', key: 'keyword', label: t('col.keyword') },
          { kind: 'select', key: 'itemId', label: t('result.paper'), options: paperOptions },
          { kind: 'select', key: 'resultState', label: t('col.state'), options: states },
          {
            kind: 'select',
            key: 'correctionWaits',
            label: t('correct.action'),
            options: [
              { value: '1', label: t('correct.waits') },
              { value: '2', label: t('correct.was') },
            ],
          },
          { kind: 'text', key: 'unit', label: t('col.unitCode') },
          { kind: 'text', key: 'code', label: t('col.postCode') },
        ]}
        load={load}
        rowId={rowId}
        rowName={rowName}
        rowActions={mayCorrect ? actions : undefined}
        fixed={{ examId }}
        above={
          <>
            <ChoiceBar label={t('result.exam')} options={exams ?? []} value={examId} onChoose={choose} />
            <Loaded query={papers} skeletonRows={2}>
              {list => (
                <>
                  <Together list={list} examId={examId} onOpen={setOpened} />
                  <Papers
                    papers={list}
                    examId={examId}
                    onOpen={(kind, paper) => setOpened({ kind, paper })}
                    onClear={paper => void clear(paper)}
                  />
                </>
              )}
            </Loaded>
          </>
        }
        empty={<EmptyState text={t('result.empty')} />}
        toolbar={({ query }) => (can('result_export') ? <ExportButtons onExport={() => download(query)} /> : null)}
        onExport={can('result_export') ? query => void download(query) : undefined}
      />
      {opened === null ? null : opened.kind === 'import' || opened.kind === 'import-all' ? (
        <ImportRun
          key={search.get('examId')}
          title={opened.kind === 'import' ? t('result.importOf', { name: opened.paper.itemName }) : t('result.importAll')}
          of={resultImports.results}
          fields={opened.kind === 'import' ? { examId, itemId: opened.paper.itemId } : { examId }}
          onClose={close}
          onDone={refresh}
        />
      ) : (
        <Suspense>
          {opened.kind === 'correct' ? (
            <CorrectDialog id={opened.id} onClose={close} onDone={refresh} />
          ) : opened.kind === 'release' ? (
            <ReleaseDialog paper={opened.paper} onClose={close} onDone={refresh} />
          ) : (
            <WithdrawDialog paper={opened.paper} onClose={close} onDone={refresh} />
          )}
        </Suspense>
      )}
    </>
  )
}
