import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from 'react'
import { reductionMachine } from '#contract/reduction/reduction.state.ts'
import { endMinuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { CrudPage } from '#web/resource/crud-page.tsx'
import { usePage } from '#web/shell/page-context.tsx'
import type { Column } from '#web/ui/data-table.tsx'
import { StateTag, useStateOptions } from '#web/ui/state-tag.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { isTooEarly } from './advice.ts'
import { loadPosts, type ReducedPost, type Reductions } from './calls.ts'
import { reductionTexts } from './texts.ts'

const DecideDialog = lazy(async () => ({ default: (await import('./decide-dialog.tsx')).DecideDialog }))

const rowId = (row: ReducedPost) => row.code
const rowName = (row: ReducedPost) => `${row.code} ${row.codeName}`
/** One that is published cannot be decided on again. */
export const isUndecided = (post: ReducedPost): boolean => post.postState !== 2 && post.decision?.state !== 1

/** @param advised - whether the numbers stand and advice can be given; undefined while that is not known */
const useColumns = (advised: boolean | undefined): readonly Column<ReducedPost>[] => {
  const t = useT(reductionTexts)
  return useMemo(
    (): readonly Column<ReducedPost>[] => [
      { key: 'code', title: t('posts.code'), cell: row => row.code },
      { key: 'name', title: t('posts.name'), cell: row => row.codeName },
      { key: 'unit', title: t('posts.unit'), cell: row => row.unitName },
      { key: 'plan', title: t('posts.plan'), align: 'right', cell: row => row.planNum },
      { key: 'cur', title: t('posts.cur'), align: 'right', cell: row => row.curNum },
      { key: 'valid', title: t('posts.valid'), align: 'right', cell: row => row.valid },
      { key: 'pending', title: t('posts.pending'), align: 'right', cell: row => row.pending },
      { key: 'ratio', title: t('posts.ratio'), cell: row => (row.ratio === 0 ? '-' : `1:${row.ratio}`) },
      {
        key: 'calc',
        title: t('posts.calc'),
        cell: row =>
          row.postState === 2
            ? '-'
            : row.ratio === 0
              ? t('calc.never')
              : t('calc.text', { valid: row.valid, ratio: row.ratio, count: Math.floor(row.valid / row.ratio) }),
      },
      {
        key: 'proposal',
        title: t('posts.proposal'),
        cell: row => {
          const proposal = row.proposal as 0 | 1 | 2
          if (row.postState === 2 || advised === undefined) return '-'
          return t(advised ? `proposal.${proposal}` : `forecast.${proposal}`, { count: row.proposedNum })
        },
      },
      {
        key: 'decision',
        title: t('posts.decision'),
        cell: row => {
          if (row.decision === null) return '-'
          const action = row.decision.action as 1 | 2 | 3 | 4
          const text = action === 1 ? t('action.count', { action: t('action.1'), count: row.decision.afterNum }) : t(`action.${action}`)
          return <span title={row.decision.reason}>{text}</span>
        },
      },
      {
        key: 'state',
        title: t('posts.state'),
        cell: row => (row.decision === null ? t('posts.undecided') : <StateTag of={reductionMachine} wire={row.decision.state} />),
      },
      {
        key: 'people',
        title: t('posts.people'),
        cell: row =>
          row.decision === null || row.decision.people === 0
            ? ''
            : t('posts.peopleText', { people: row.decision.people, waiting: row.decision.waiting }),
      },
      {
        key: 'end',
        title: t('decide.end'),
        hidden: true,
        cell: row => (row.decision?.choiceEnd ? endMinuteOf(row.decision.choiceEnd) : ''),
      },
      {
        key: 'approval',
        title: t('posts.approval'),
        hidden: true,
        cell: row =>
          row.decision?.approveFileUrl ? (
            <a href={row.decision.approveFileUrl} target="_blank" rel="noreferrer">
              {t('posts.approval')}
            </a>
          ) : null,
      },
    ],
    [t, advised],
  )
}

/** Why nothing can be decided here, and what speaks against deciding now. */
const Bars = ({ facts, mayEdit }: { readonly facts: Reductions; readonly mayEdit: boolean }) => {
  const t = useT(reductionTexts)
  const bar = facts.examState > 1 ? t('posts.closed') : facts.examState < 1 ? t('posts.draft') : mayEdit ? '' : t('posts.noRight')
  const doubts = facts.canDecide
    ? [facts.hasBegun ? t('posts.begun') : '', facts.unreviewed > 0 ? t('posts.unreviewed', { count: facts.unreviewed }) : '']
    : []
  return (
    <>
      {bar === '' ? null : (
        <p className="reduction-note" role="note">
          {bar}
        </p>
      )}
      {doubts.filter(Boolean).map(doubt => (
        <p key={doubt} className="reduction-doubt" role="alert">
          {doubt}
        </p>
      ))}
    </>
  )
}

export const Posts = ({ examId, above }: { readonly examId: string; readonly above: ReactNode }) => {
  const t = useT(reductionTexts)
  const states = useStateOptions(reductionMachine)
  const can = useCan()
  const { setSearch } = usePage()
  const [deciding, setDeciding] = useState<readonly ReducedPost[] | null>(null)
  const [reload, setReload] = useState<{ readonly run: () => void }>({ run: () => {} })
  const overview = useCall('GET /blade-signup/signup/getPostReductionList', { examId, all: 1 }, { quiet: true })
  const facts = overview.data
  const isEarly = facts !== undefined && isTooEarly(facts)
  const columns = useColumns(facts === undefined ? undefined : !isEarly)
  const mayDecide = can('reduction_edit') && facts?.canDecide === true
  const rowActions = useCallback(
    (row: ReducedPost) => [
      ...(mayDecide && isUndecided(row) ? [{ key: 'decide', label: t('decide'), onRun: () => setDeciding([row]) }] : []),
      ...(row.decision !== null && row.decision.people > 0
        ? [{ key: 'names', label: t('tab.names'), onRun: () => setSearch({ examId, view: 'names', code: row.code }) }]
        : []),
    ],
    [mayDecide, t, setSearch, examId],
  )
  const done = () => {
    reload.run()
    void overview.refetch()
  }
  return (
    <>
      <CrudPage<ReducedPost>
        name="reduction"
        title={t('title')}
        columns={columns}
        search={[
          { kind: 'text', key: 'keyword', label: t('posts.keyword') },
          {
            kind: 'select',
            key: 'decided',
            label: t('posts.state'),
            options: [{ value: 'none', label: t('posts.undecided') }, ...states],
          },
          { kind: 'select', key: 'all', label: t('posts.allOf'), options: [{ value: '1', label: t('posts.all') }] },
        ]}
        load={loadPosts}
        rowId={rowId}
        rowName={rowName}
        rowActions={rowActions}
        selectable={mayDecide}
        fixed={{ examId }}
        above={
          <>
            {above}
            {facts === undefined ? null : (
              <>
                <p className="reduction-note">
                  {t(facts.ratioBasis === 1 ? 'posts.basis1' : 'posts.basis2')}
                  {!isEarly || facts.decidesFrom === null ? '' : ` ${t('posts.early', { until: endMinuteOf(facts.decidesFrom) })}`}
                  {isEarly ? ` ${t('posts.forecast')}` : ''}
                </p>
                <Bars facts={facts} mayEdit={can('reduction_edit')} />
              </>
            )}
          </>
        }
        empty={<EmptyState text={t('posts.empty')} />}
        toolbar={({ selected, clearSelection, reload: run }) => {
          const chosen = (facts?.posts ?? []).filter(post => selected.has(post.code) && isUndecided(post))
          return mayDecide ? (
            <button
              type="button"
              className="button button-primary"
              disabled={chosen.length === 0}
              onClick={() => {
                setReload({
                  run: () => {
                    clearSelection()
                    run()
                  },
                })
                setDeciding(chosen)
              }}
            >
              {t('decide.some', { count: chosen.length })}
            </button>
          ) : null
        }}
      />
      {deciding === null || facts === undefined ? null : (
        <Suspense>
          <DecideDialog examId={examId} facts={facts} posts={deciding} onClose={() => setDeciding(null)} onDone={done} />
        </Suspense>
      )}
    </>
  )
}
