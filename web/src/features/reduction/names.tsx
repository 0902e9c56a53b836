import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from 'react'
import { transferMachine } from '#contract/reduction/reduction.state.ts'
import { api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { CrudPage } from '#web/resource/crud-page.tsx'
import type { Column } from '#web/ui/data-table.tsx'
import { ReasonDialog } from '#web/ui/reason-dialog.tsx'
import { StateTag, useStateOptions } from '#web/ui/state-tag.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { type ListedName, loadNames } from './calls.ts'
import { reductionTexts } from './texts.ts'

const JoinDialog = lazy(async () => ({ default: (await import('./join-dialog.tsx')).JoinDialog }))

const choices = [0, 1, 2, 3, 4] as const
type Choice = (typeof choices)[number]
const rowId = (row: ListedName) => row.id
const rowName = (row: ListedName) => row.name
const mayGo = (row: ListedName): boolean =>
  (row.choice === 0 && row.state === 0) || (row.choice === 3 && (row.state === 2 || row.state === 3))

const useColumns = (): readonly Column<ListedName>[] => {
  const t = useT(reductionTexts)
  return useMemo(
    (): readonly Column<ListedName>[] => [
      { key: 'signNo', title: t('names.signNo'), cell: row => row.signNo },
      { key: 'name', field: 'signup.name', title: t('names.name'), cell: row => row.name },
      { key: 'from', title: t('names.from'), cell: row => `${row.fromCode} ${row.fromName}` },
      { key: 'unit', title: t('names.unit'), cell: row => row.unitName, hidden: true },
      { key: 'choice', title: t('names.choice'), cell: row => t(`choice.${row.choice as Choice}`) },
      { key: 'to', title: t('names.to'), cell: row => (row.toCode === null ? '' : `${row.toCode} ${row.toName ?? ''}`) },
      {
        key: 'state',
        title: t('names.state'),
        cell: row => <StateTag of={transferMachine} wire={row.state} />,
      },
      { key: 'choiceTime', title: t('names.choiceTime'), cell: row => (row.choiceTime === null ? '' : minuteOf(row.choiceTime)) },
      { key: 'sure', title: t('names.sure'), cell: row => (row.sureTime === null ? t('names.notSure') : minuteOf(row.sureTime)) },
      { key: 'way', title: t('names.way'), cell: row => t(row.joinWay === 1 ? 'names.way1' : 'names.way2'), hidden: true },
    ],
    [t],
  )
}

/** People of cancelled posts, and what each has chosen. */
export const Names = ({ examId, above }: { readonly examId: string; readonly above: ReactNode }) => {
  const t = useT(reductionTexts)
  const can = useCan()
  const columns = useColumns()
  const [going, setGoing] = useState<ListedName | null>(null)
  const [joining, setJoining] = useState(false)
  const [reload, setReload] = useState<{ readonly run: () => void }>({ run: () => {} })
  const mayEdit = can('reduction_edit')
  const rowActions = useCallback(
    (row: ListedName) => (mayEdit && mayGo(row) ? [{ key: 'off', label: t('names.off'), danger: true, onRun: () => setGoing(row) }] : []),
    [mayEdit, t],
  )
  const takeOff = async (reason: string) => {
    if (going === null) return
    await api.call('POST /blade-signup/signup/removeNameList', { signupId: going.signupId, reason }, { quiet: 'fields' })
    notify('success', t('names.offDone'))
    reload.run()
  }
  const states = useStateOptions(transferMachine)
  const options = choices.map(value => ({ value: String(value), label: t(`choice.${value}`) }))
  return (
    <>
      <CrudPage<ListedName>
        name="reduction-names"
        title={t('title')}
        columns={columns}
        search={[
          { kind: 'text', key: 'keyword', label: t('names.keyword') },
          { kind: 'text', key: 'code', label: t('names.code') },
          { kind: 'select', key: 'choice', label: t('names.choice'), options: options },
          { kind: 'select', key: 'state', label: t('names.state'), options: states },
        ]}
        load={loadNames}
        rowId={rowId}
        rowName={rowName}
        rowActions={rowActions}
        fixed={{ examId }}
        above={above}
        empty={<EmptyState text={t('names.empty')} />}
        toolbar={({ reload: run }) =>
          mayEdit ? (
            <button
              type="button"
              className="button button-primary"
              onClick={() => {
                setReload({ run })
                setJoining(true)
              }}
            >
              {t('names.join')}
            </button>
          ) : null
        }
      />
      {going === null ? null : (
        <ReasonDialog
          title={t('names.offTitle')}
          lead={t('names.offLead', { name: going.name })}
          label={t('names.offReason')}
          missing={t('names.offMissing')}
          ok={t('names.off')}
          send={takeOff}
          onClose={() => setGoing(null)}
        />
      )}
      {joining ? (
        <Suspense>
          <JoinDialog examId={examId} onClose={() => setJoining(false)} onDone={reload.run} />
        </Suspense>
      ) : null}
    </>
  )
}
