import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useId, useMemo, useState } from 'react'
import { endBeside } from '#contract/kernel/when.ts'
import { ticketImports } from '#contract/ticket/import-kinds.ts'
import { seatingMachine } from '#contract/ticket/ticket.state.ts'
import { api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { saveFile } from '#web/kernel/save-file.ts'
import { ChoiceBar } from '#web/resource/choice.tsx'
import { useExamOptions } from '#web/resource/exams.ts'
import { useDict } from '#web/resource/use-dict.ts'
import { useWorkChoice } from '#web/resource/within.tsx'
import { goTo } from '#web/shell/go.ts'
import { type Column, DataTable, type RowAction } from '#web/ui/data-table.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { StateTag } from '#web/ui/state-tag.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import type { PaperRow } from './calls.ts'
import { fittingFor, interview, paperState, withCompanions, written } from './fitting.ts'
import { ticketTexts } from './texts.ts'
import './ticket.css'

const TrialDialog = lazy(async () => ({ default: (await import('./trial-dialog.tsx')).TrialDialog }))
const ReleaseDialog = lazy(async () => ({ default: (await import('./release-dialog.tsx')).ReleaseDialog }))
const PrintDialog = lazy(async () => ({ default: (await import('./print-dialog.tsx')).PrintDialog }))
const DrawDialog = lazy(async () => ({ default: (await import('./draw-dialog.tsx')).DrawDialog }))
const ImportRun = lazy(async () => ({ default: (await import('#web/resource/import-run.tsx')).ImportRun }))
const CodeDialog = lazy(async () => ({ default: (await import('./code-dialog.tsx')).CodeDialog }))

type Opened =
  | { readonly kind: 'trial' | 'release'; readonly papers: readonly PaperRow[] }
  | { readonly kind: 'withdraw' | 'clear' | 'import' | 'print' | 'draw'; readonly papers: readonly [PaperRow] }

const { none, made, released } = paperState

const PaperType = ({ value }: { readonly value: number }) => {
  const options = useDict('item_type')
  return <>{options.find(option => option.value === String(value))?.label ?? value}</>
}
const rowId = (row: PaperRow) => row.itemId
const rowName = (row: PaperRow) => row.itemName

const useColumns = (): readonly Column<PaperRow>[] => {
  const t = useT(ticketTexts)
  // At 1440 px all that is not asked for stands beside the actions, in English too; whether the seats are enough comes first.
  return useMemo(() => {
    const count = (key: 'eligible' | 'generated' | 'released' | 'downloaded' | 'rooms'): Column<PaperRow> => ({
      key,
      title: t(`ticket.${key}`),
      align: 'right',
      cell: row => row[key] ?? 0,
    })
    return [
      { key: 'itemName', title: t('ticket.paper'), cell: row => `${row.itemCode} ${row.itemName}` },
      { key: 'itemType', title: t('ticket.type'), cell: row => <PaperType value={row.itemType} />, hidden: true },
      {
        key: 'time',
        title: t('ticket.time'),
        cell: row => `${minuteOf(row.startTime)} – ${endBeside(row.startTime, row.endTime)}`,
        width: 200,
      },
      {
        key: 'state',
        title: t('ticket.state'),
        cell: row => <StateTag of={seatingMachine} wire={row.ticketState} />,
      },
      count('eligible'),
      {
        key: 'seats',
        title: t('ticket.capacity'),
        align: 'right',
        cell: row =>
          (row.seats ?? 0) < (row.eligible ?? 0) ? (
            <span className="ticket-short" title={t('ticket.short')}>
              {row.seats ?? 0} <StatusTag tone="refused" text={t('ticket.short')} />
            </span>
          ) : (
            (row.seats ?? 0)
          ),
      },
      count('generated'),
      count('released'),
      count('downloaded'),
      { ...count('rooms'), hidden: true },
    ]
  }, [t])
}

/** A step with the papers it is for; where there are none the reason stands beside it. */
const Step = ({
  name,
  of,
  isFirst = false,
  onOpen,
}: {
  readonly name: string
  readonly of: ReturnType<typeof fittingFor<PaperRow>>
  readonly isFirst?: boolean
  readonly onOpen: (papers: readonly PaperRow[]) => void
}) => {
  const t = useT(ticketTexts)
  const id = useId()
  const why = 'why' in of ? of.why : null
  return (
    <>
      <button
        type="button"
        className={isFirst ? 'button button-primary' : 'button'}
        disabled={why !== null}
        aria-describedby={why === null ? undefined : id}
        onClick={() => 'papers' in of && onOpen(of.papers)}
      >
        {name}
      </button>
      {/* An empty list says it itself. */}
      {why === null || why === 'ticket.none' ? null : (
        <span id={id} className="ticket-hint">
          {t(why)}
        </span>
      )}
    </>
  )
}

/** The papers of an examination on their way from eligible people to downloaded tickets. */
export const Page = () => {
  const t = useT(ticketTexts)
  const can = useCan()
  const client = useQueryClient()
  const [opened, setOpened] = useState<Opened | null>(null)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const exams = useExamOptions(true)
  const { value: examId, choose } = useWorkChoice(exams)
  const chooseExam = (id: string) => {
    setSelected(new Set())
    choose(id)
  }
  const papers = useCall('GET /blade-exam/examination/findTicketItems', { examId: examId ?? '0' }, { enabled: examId !== null })
  const columns = useColumns()
  const refresh = useCallback(() => {
    setSelected(new Set())
    void client.invalidateQueries({ queryKey: ['GET /blade-exam/examination/findTicketItems'] })
    void client.invalidateQueries({ queryKey: ['list', 'ticket'] })
    void client.invalidateQueries({ queryKey: ['ticket-room'] })
  }, [client])
  const [mayAllocate, mayRelease, mayClear, mayPrint] = ['generate', 'release', 'delete', 'print'].map(action => can(`ticket_${action}`))
  const seatLate = useCallback(
    async (row: PaperRow): Promise<void> => {
      const of = { examId: examId ?? '0', itemId: row.itemId }
      try {
        const { late, shortage } = await api.call('POST /blade-exam/examination/seatLate', { ...of, dryRun: 1 })
        if (late === 0) return notify('info', t('late.nobody'))
        if (shortage > 0) return notify('warning', t('late.shortage', { late, shortage }))
        const yes = await confirm({
          title: t('ticket.late'),
          text: t(row.ticketState === released ? 'late.askReleased' : 'late.ask', { count: late, name: row.itemName }),
        })
        if (!yes) return
        const { seated } = await api.call('POST /blade-exam/examination/seatLate', of)
        notify('success', t('late.done', { count: seated }))
        refresh()
      } catch {
        // The api client has said why.
      }
    },
    [examId, refresh, t],
  )
  const saveRecord = useCallback(
    async (row: PaperRow): Promise<void> => {
      try {
        const { record, version } = await api.call('GET /blade-ticket/draw/record', { examId: examId ?? '0', itemId: row.itemId })
        saveFile(new Blob([record], { type: 'text/plain' }), `${t('ticket.record')}-${row.itemCode}-v${version}.txt`)
      } catch {
        // The api client has said why.
      }
    },
    [examId, t],
  )
  const actions = useCallback(
    (row: PaperRow): readonly RowAction[] => [
      ...(mayAllocate && row.ticketState === none && row.itemType === written
        ? [{ key: 'trial', label: t('ticket.trial'), onRun: () => setOpened({ kind: 'trial', papers: [row] }) }]
        : []),
      ...(mayAllocate && (row.ticketState === none || row.ticketState === made)
        ? [
            {
              key: 'import',
              label: t(row.itemType === interview ? 'ticket.importGroups' : 'ticket.importPlan'),
              onRun: () => setOpened({ kind: 'import', papers: [row] }),
            },
          ]
        : []),
      ...(mayRelease && row.ticketState === made
        ? [{ key: 'release', label: t('ticket.release'), onRun: () => setOpened({ kind: 'release', papers: [row] }) }]
        : []),
      // Who passed or paid after the draw; those whose ticket somebody made void are eligible too and stay without.
      ...(mayAllocate && (row.ticketState === made || row.ticketState === released) && (row.eligible ?? 0) > (row.generated ?? 0)
        ? [{ key: 'late', label: t('ticket.late'), onRun: () => void seatLate(row) }]
        : []),
      { key: 'seats', label: t('ticket.seats'), onRun: () => goTo(`/ticket/seats/${examId}/${row.itemId}`) },
      ...(mayPrint && (row.generated ?? 0) > 0 && examId !== null
        ? [{ key: 'print', label: t('ticket.print'), onRun: () => setOpened({ kind: 'print', papers: [row] }) }]
        : []),
      ...(mayAllocate && row.itemType === interview && row.ticketState === released
        ? [{ key: 'draw', label: t('ticket.draw'), onRun: () => setOpened({ kind: 'draw', papers: [row] }) }]
        : []),
      ...(mayAllocate && row.itemType === written && row.ticketState !== none && row.seedCommit !== null
        ? [{ key: 'record', label: t('ticket.record'), onRun: () => void saveRecord(row) }]
        : []),
      ...(mayRelease && row.ticketState === released
        ? [
            {
              key: 'withdraw',
              label: t('ticket.withdraw'),
              danger: true,
              onRun: () => setOpened({ kind: 'withdraw', papers: [row] }),
            },
          ]
        : []),
      ...(mayClear && row.ticketState === made
        ? [{ key: 'clear', label: t('ticket.clear'), danger: true, onRun: () => setOpened({ kind: 'clear', papers: [row] }) }]
        : []),
    ],
    [mayAllocate, mayRelease, mayClear, mayPrint, examId, seatLate, saveRecord, t],
  )
  if (exams?.length === 0) return <EmptyState text={t('ticket.noExam')} />
  const examCode = exams?.find(exam => exam.value === examId)?.examCode ?? ''
  const chosen = (papers.data ?? []).filter(row => selected.has(row.itemId))
  // Nothing ticked: all of them.
  const stepOf = (kind: 'trial' | 'release') => fittingFor(kind, chosen.length === 0 ? (papers.data ?? []) : chosen)
  const paper = opened?.papers[0]
  const together = withCompanions(papers.data ?? [], opened?.papers ?? [])
  const withdraw = async (confirm: string): Promise<boolean> => {
    if (examId === null || paper === undefined) return false
    try {
      await api.call('POST /blade-exam/examination/releaseTickets', { examId, itemIds: paper.itemId, state: 0, confirm })
    } catch {
      return false // The api client has said why.
    }
    notify('success', t('withdraw.done'))
    refresh()
    return true
  }
  const clear = async (confirm: string): Promise<boolean> => {
    if (examId === null || paper === undefined) return false
    try {
      const { removed } = await api.call('POST /blade-exam/examination/delTicketList', { examId, itemId: paper.itemId, confirm })
      notify('success', t('clear.done', { count: removed }))
    } catch {
      return false // The api client has said why.
    }
    refresh()
    return true
  }
  return (
    <div className="ticket-page">
      <div className="page-head">
        <h1>{t('ticket.title')}</h1>
      </div>
      <ChoiceBar label={t('ticket.exam')} options={exams ?? []} value={examId} onChoose={chooseExam} />
      <DataTable<PaperRow>
        name="ticket-papers"
        caption={t('ticket.title')}
        rows={papers.data}
        rowId={rowId}
        rowName={rowName}
        columns={columns}
        rowActions={actions}
        selection={{ ids: selected, onChange: setSelected }}
        busy={papers.isFetching && papers.data !== undefined}
        error={papers.isError ? { message: papers.error.message, onRetry: () => void papers.refetch() } : null}
        empty={<EmptyState text={t('ticket.empty')} />}
        onRefresh={() => void papers.refetch()}
        toolbar={
          <>
            {mayAllocate ? (
              <Step
                isFirst
                name={t('ticket.trial')}
                of={stepOf('trial')}
                onOpen={fitting => setOpened({ kind: 'trial', papers: fitting })}
              />
            ) : null}
            {mayRelease ? (
              <Step name={t('ticket.release')} of={stepOf('release')} onOpen={fitting => setOpened({ kind: 'release', papers: fitting })} />
            ) : mayAllocate ? (
              <span className="ticket-hint">{t('ticket.mayNotRelease')}</span>
            ) : null}
          </>
        }
      />
      {opened === null || examId === null || paper === undefined ? null : (
        <Suspense>
          {opened.kind === 'trial' ? (
            <TrialDialog examId={examId} itemIds={opened.papers.map(row => row.itemId)} onClose={() => setOpened(null)} onDone={refresh} />
          ) : opened.kind === 'print' ? (
            <PrintDialog examId={examId} paper={paper} onClose={() => setOpened(null)} />
          ) : opened.kind === 'draw' ? (
            <DrawDialog examId={examId} paper={paper} onClose={() => setOpened(null)} />
          ) : opened.kind === 'import' ? (
            <ImportRun
              title={`${t(paper.itemType === interview ? 'ticket.importGroups' : 'ticket.importPlan')} · ${paper.itemName}`}
              of={paper.itemType === interview ? ticketImports.interview : ticketImports.plan}
              fields={{ examId, itemId: paper.itemId }}
              onClose={() => setOpened(null)}
              onDone={refresh}
            />
          ) : opened.kind === 'release' ? (
            <ReleaseDialog examId={examId} papers={together} onClose={() => setOpened(null)} onDone={refresh} />
          ) : (
            <CodeDialog
              title={t(`${opened.kind}.title`)}
              lead={t(`${opened.kind}.lead`, {
                name: together.map(row => row.itemName).join(' / '),
                count: together.reduce((sum, row) => sum + (row.generated ?? 0), 0),
              })}
              ok={t(`ticket.${opened.kind}`)}
              examCode={examCode}
              onRun={opened.kind === 'withdraw' ? withdraw : clear}
              onClose={() => setOpened(null)}
            />
          )}
        </Suspense>
      )}
    </div>
  )
}
