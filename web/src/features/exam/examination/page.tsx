import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { examMachine } from '#contract/exam/exam.state.ts'
import { formatInstant } from '#contract/exam/window.ts'
import { workspacePath } from '#web/console/page-entry.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { dayOf, endDayOf, endMinuteOf, minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { type CrudContext, CrudPage, type ListQuery, listKey } from '#web/resource/crud-page.tsx'
import { steps } from '#web/resource/exam-steps.ts'
import { ExportButtons } from '#web/resource/export-buttons.tsx'
import { startExport } from '#web/resource/export-jobs.ts'
import { useDict } from '#web/resource/use-dict.ts'
import { goTo } from '#web/shell/go.ts'
import { NavLink } from '#web/shell/nav-link.tsx'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { StateTag, useStateOptions } from '#web/ui/state-tag.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { useAskRelease } from '../ask-release.tsx'
import { checkRelease, examKey, examPage, releaseExam, removeExam, withdrawExam } from '../calls.ts'
import { nextDateOf } from '../next-date.ts'
import { DictText, PhaseTag } from '../phase.tsx'
import { examTexts } from '../texts.ts'
import type { ExamRow, ReleaseProblem } from '../wire.ts'
import type { Closing } from './close-dialog.tsx'
import '../exam.css'

const CloseDialog = lazy(async () => ({ default: (await import('./close-dialog.tsx')).CloseDialog }))
const CopyDialog = lazy(async () => ({ default: (await import('./copy-dialog.tsx')).CopyDialog }))
const ProblemsDialog = lazy(async () => ({ default: (await import('./problems-dialog.tsx')).ProblemsDialog }))
const PreviewDialog = lazy(async () => ({ default: (await import('./preview-dialog.tsx')).PreviewDialog }))

type Opened =
  | { readonly kind: 'preview' | 'copy'; readonly exam: ExamRow }
  | { readonly kind: 'problems'; readonly exam: ExamRow; readonly problems: readonly ReleaseProblem[] }
  | { readonly kind: Closing; readonly exam: ExamRow }

const name = 'examination'
const load = (query: ListQuery, signal: AbortSignal) => examPage({ ...query, withMissing: 1 }, signal)
const rowId = (row: ExamRow) => row.id
const rowName = (row: ExamRow) => row.examName

/** The date that the examination comes to next; of a draft, what it lacks before it can be released. */
const NextDate = ({ row }: { readonly row: ExamRow }) => {
  const t = useT(examTexts)
  if (row.missing !== undefined)
    return row.missing === 0 ? (
      t('exam.lacks.none')
    ) : (
      <NavLink to={`${workspacePath(row.id, 'setup')}?step=${steps.length}`}>{t('exam.lacks', { count: row.missing })}</NavLink>
    )
  const next = row.state === 1 ? nextDateOf(row, formatInstant(serverNow())) : null
  return next === null ? <>-</> : t(`exam.next.${next.key}`, { time: dayOf(next.time) })
}

const useColumns = (): readonly Column<ExamRow>[] => {
  const t = useT(examTexts)
  return useMemo(
    () => [
      { key: 'examCode', title: t('exam.code'), cell: row => row.examCode },
      {
        key: 'examName',
        title: t('exam.name'),
        cell: row => <NavLink to={workspacePath(row.id, 'overview')}>{row.examName}</NavLink>,
        width: 260,
      },
      { key: 'state', title: t('exam.state'), cell: row => <StateTag of={examMachine} wire={row.state} /> },
      {
        key: 'counts',
        title: t('exam.counts'),
        align: 'right',
        cell: row => <span title={t('exam.counts.why')}>{`${row.signCount} / ${row.passCount} / ${row.paidCount}`}</span>,
      },
      { key: 'next', title: t('exam.next'), cell: row => <NextDate row={row} /> },
      { key: 'phase', title: t('exam.phase'), cell: row => (row.state === 0 ? '-' : <PhaseTag phase={row.phase} />) },
      {
        key: 'sign',
        title: t('exam.sign'),
        cell: row =>
          row.signBegin === null ? (
            ''
          ) : (
            <span title={`${minuteOf(row.signBegin)} – ${endMinuteOf(row.signEnd)}`}>
              {dayOf(row.signBegin)} – {endDayOf(row.signEnd)}
            </span>
          ),
      },
      {
        key: 'examType',
        title: t('exam.type'),
        hidden: true,
        cell: row => <DictText code="exam_type" value={row.examType} className="cell-part" />,
      },
      { key: 'dept', title: t('exam.dept'), hidden: true, cell: row => row.deptName || '-' },
    ],
    [t],
  )
}

/** All examinations of the tenant, and what an administrator does with one. */
export const Page = () => {
  const t = useT(examTexts)
  const can = useCan()
  const client = useQueryClient()
  const [opened, setOpened] = useState<Opened | null>(null)
  const columns = useColumns()
  const askRelease = useAskRelease()
  const types = useDict('exam_type')
  const states = useStateOptions(examMachine)
  const refresh = useCallback(
    async (id: string) => {
      await Promise.all([
        client.invalidateQueries({ queryKey: listKey(name) }),
        client.invalidateQueries({ queryKey: examKey(id) }),
        client.invalidateQueries({ queryKey: ['exam-options'] }),
      ])
    },
    [client],
  )
  const release = useCallback(
    async (exam: ExamRow) => {
      const { problems: open } = await checkRelease(exam.id)
      if (open.length > 0) return setOpened({ kind: 'problems', exam, problems: open })
      if (!(await askRelease(exam.id))) return
      const problems = await releaseExam(exam.id)
      if (problems.length > 0) return setOpened({ kind: 'problems', exam, problems })
      notify('success', t('exam.release.done', { name: exam.examName }))
      await refresh(exam.id)
    },
    [t, refresh, askRelease],
  )
  const ask = useCallback(
    async (exam: ExamRow, way: 'withdraw' | 'delete') => {
      const title = way === 'withdraw' ? t('exam.withdraw') : t('action.delete')
      const yes = await confirm({ title, text: t(`exam.${way}.ask`, { name: exam.examName }), ok: title, danger: true })
      if (!yes) return
      try {
        await (way === 'withdraw' ? withdrawExam(exam.id) : removeExam(exam.id))
      } catch {
        return // The api client has said why.
      }
      notify('success', way === 'withdraw' ? t('exam.withdraw.done', { name: exam.examName }) : t('done.deleted'))
      await refresh(exam.id)
    },
    [t, refresh],
  )
  const [mayEdit, mayRelease, mayClose, mayDelete] = ['edit', 'release', 'close', 'delete'].map(action => can(`examination_${action}`))
  const mayAdd = can('examination_add')
  const mayPosts = can('typecode_view')
  const mayPapers = can('examitem_view')
  const actions = useCallback(
    (row: ExamRow): readonly RowAction[] => {
      const act = (key: string, label: string, onRun: () => void, danger = false): RowAction => ({ key, label, onRun, danger })
      return [
        ...(mayEdit && row.state < 3 ? [act('edit', t('action.edit'), () => goTo(`/exam/edit/${row.id}`))] : []),
        act('preview', t('exam.preview'), () => setOpened({ kind: 'preview', exam: row })),
        ...(mayRelease && row.state === 0 ? [act('release', t('exam.release'), () => void release(row))] : []),
        ...(mayAdd ? [act('copy', t('exam.copy'), () => setOpened({ kind: 'copy', exam: row }))] : []),
        ...(mayPosts ? [act('posts', t('exam.posts'), () => goTo(`/exam/typeCode?examId=${row.id}`))] : []),
        ...(mayPapers ? [act('papers', t('exam.papers'), () => goTo(`/exam/examitem?examId=${row.id}`))] : []),
        ...(mayRelease && row.state === 1 && row.signCount === 0
          ? [act('withdraw', t('exam.withdraw'), () => void ask(row, 'withdraw'), true)]
          : []),
        ...(mayClose && row.state === 1 ? [act('close', t('exam.close'), () => setOpened({ kind: 'close', exam: row }), true)] : []),
        ...(mayClose && row.state === 2 ? [act('reopen', t('exam.reopen'), () => setOpened({ kind: 'reopen', exam: row }))] : []),
        ...(mayClose && row.state === 2 ? [act('archive', t('exam.archive'), () => setOpened({ kind: 'archive', exam: row }), true)] : []),
        ...(mayDelete && row.state === 0 ? [act('delete', t('action.delete'), () => void ask(row, 'delete'), true)] : []),
      ]
    },
    [mayEdit, mayAdd, mayRelease, mayClose, mayDelete, mayPosts, mayPapers, release, ask, t],
  )
  const create = () => goTo('/exam/edit/new')
  const download = async ({ query }: CrudContext) => {
    const { current: _current, size: _size, ...filters } = query
    await startExport({ method: 'GET', path: '/blade-exam/examination/exportExam', query: filters }, t('exam.title'))
  }
  return (
    <>
      <CrudPage<ExamRow>
        name={name}
        title={t('exam.title')}
        columns={columns}
        search={[
          { kind: 'text', key: 'examName', label: t('exam.name') },
          { kind: 'select', key: 'state', label: t('exam.state'), options: states },
          { kind: 'select', key: 'examType', label: t('exam.type'), options: types },
          { kind: 'text', key: 'year', label: t('exam.year') },
        ]}
        load={load}
        rowId={rowId}
        rowName={rowName}
        rowActions={actions}
        toolbar={context => (
          <>
            {mayAdd ? (
              <button type="button" className="button button-primary" onClick={create}>
                {t('exam.create')}
              </button>
            ) : null}
            {can('examination_export') ? <ExportButtons onExport={() => download(context)} /> : null}
          </>
        )}
        empty={
          <EmptyState
            text={t('exam.none')}
            action={
              mayAdd ? (
                <button type="button" className="button" onClick={create}>
                  {t('exam.create')}
                </button>
              ) : undefined
            }
          />
        }
      />
      <Suspense>
        {opened === null ? null : opened.kind === 'preview' ? (
          <PreviewDialog examId={opened.exam.id} onClose={() => setOpened(null)} />
        ) : opened.kind === 'copy' ? (
          <CopyDialog examId={opened.exam.id} onClose={() => setOpened(null)} onDone={() => void refresh(opened.exam.id)} />
        ) : opened.kind === 'problems' ? (
          <ProblemsDialog
            name={opened.exam.examName}
            problems={opened.problems}
            onGo={step => {
              setOpened(null)
              goTo(`/exam/edit/${opened.exam.id}?step=${step + 1}`)
            }}
            onClose={() => setOpened(null)}
          />
        ) : (
          <CloseDialog exam={opened.exam} way={opened.kind} onClose={() => setOpened(null)} onDone={() => void refresh(opened.exam.id)} />
        )}
      </Suspense>
    </>
  )
}
