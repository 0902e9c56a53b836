import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { type AccommodationKind, accommodationKinds, accommodationMachine } from '#contract/ticket/accommodation.state.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useSaid } from '#web/kernel/said.ts'
import { CrudPage, type ListQuery } from '#web/resource/crud-page.tsx'
import { ExamMissing } from '#web/resource/exam-missing.tsx'
import { useExamChoice } from '#web/resource/within.tsx'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { StateTag, useStateOptions } from '#web/ui/state-tag.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { helpTexts } from './help-texts.ts'

type HelpPage = ApiOutput<'GET /blade-ticket/accommodation/list'>
type HelpRow = HelpPage['records'][number]

const rowId = (row: HelpRow) => row.id
const rowName = (row: HelpRow) => row.name

const load = (query: ListQuery, signal: AbortSignal) =>
  api.request<HelpPage>({ method: 'GET', path: '/blade-ticket/accommodation/list', query, signal })

const useKinds = () => {
  const label = useLabel()
  return useCallback((row: HelpRow) => row.kinds.map(kind => label(accommodationKinds[kind as AccommodationKind])).join(' · '), [label])
}

const useColumns = (): readonly Column<HelpRow>[] => {
  const t = useT(helpTexts)
  const _label = useLabel()
  const kindsOf = useKinds()
  return useMemo(
    () => [
      { key: 'signNo', title: t('signNo'), cell: row => row.signNo },
      { key: 'name', field: 'ticket.name', title: t('name'), cell: row => row.name },
      { key: 'post', title: t('post'), cell: row => row.codeName },
      { key: 'kinds', title: t('kinds'), cell: kindsOf },
      { key: 'reason', field: 'ticket.accommodation', title: t('reason'), cell: row => row.reason },
      {
        key: 'proof',
        field: 'ticket.accommodation',
        title: t('proof'),
        cell: row =>
          row.proof === null ? (
            ''
          ) : (
            <a href={row.proof} target="_blank" rel="noreferrer">
              {t('look')}
            </a>
          ),
      },
      { key: 'asked', title: t('asked'), cell: row => minuteOf(row.askedTime) },
      {
        key: 'state',
        title: t('state'),
        cell: row => <StateTag of={accommodationMachine} wire={row.state} />,
      },
      {
        key: 'decision',
        title: t('decision'),
        cell: row =>
          [row.extraMinutes === null ? '' : t('minutesOf', { minutes: row.extraMinutes }), row.remark ?? ''].filter(Boolean).join(' · '),
      },
    ],
    [t, kindsOf],
  )
}

const DecideDialog = ({ row, onClose, onDone }: { readonly row: HelpRow; readonly onClose: () => void; readonly onDone: () => void }) => {
  const t = useT(helpTexts)
  const kindsOf = useKinds()
  const [minutes, setMinutes] = useState(row.extraMinutes === null ? '' : String(row.extraMinutes))
  const [remark, setRemark] = useState(row.remark ?? '')
  const [wrong, setWrong] = useSaid<Readonly<Record<string, string>>>({})
  const wantsTime = row.kinds.includes('time')
  const send = (outcome: 1 | 2) => async () => {
    const isWhole = /^\d{1,3}$/.test(minutes) && Number(minutes) >= 1 && Number(minutes) <= 240
    const found = {
      ...(outcome === 1 && wantsTime && !isWhole ? { extraMinutes: t('minutesBad') } : {}),
      ...(outcome === 2 && remark.trim() === '' ? { remark: t('remarkMissing') } : {}),
    }
    setWrong(found)
    if (Object.keys(found).length > 0) return false
    try {
      await api.call(
        'POST /blade-ticket/accommodation/decide',
        {
          ...{ id: row.id, outcome, version: row.version },
          ...(outcome === 1 && wantsTime ? { extraMinutes: Number(minutes) } : {}),
          ...(remark.trim() === '' ? {} : { remark: remark.trim() }),
        },
        { quiet: 'fields' },
      )
      notify('success', t('done'))
      onDone()
      return true
    } catch (error) {
      setWrong(fieldTexts(error))
      return false
    }
  }
  return (
    <ActionDialog
      title={t('decideTitle', { name: row.name })}
      onClose={onClose}
      hasChanges={() => minutes !== '' || remark !== ''}
      actions={[
        ...(row.state === 2 ? [] : [{ label: t('refuse'), tone: 'danger' as const, run: send(2) }]),
        ...(row.state === 1 ? [] : [{ label: t('grant'), tone: 'primary' as const, run: send(1) }]),
      ]}
    >
      <p>
        <b>{kindsOf(row)}</b>
      </p>
      <p>{row.reason}</p>
      {wantsTime && row.state !== 1 ? (
        <LabelledInput label={t('minutes')} error={wrong['extraMinutes']} maxLength={3} value={minutes} onChange={setMinutes} />
      ) : null}
      <LabelledInput label={t('remark')} error={wrong['remark']} rows={3} maxLength={300} value={remark} onChange={setRemark} />
    </ActionDialog>
  )
}

/** What people asked for because of a disability or illness, and the office's decision. */
export const Page = () => {
  const t = useT(helpTexts)
  const states = useStateOptions(accommodationMachine)
  const can = useCan()
  const client = useQueryClient()
  const { examId, bar, none } = useExamChoice(true)
  const columns = useColumns()
  const [open, setOpen] = useState<HelpRow | null>(null)
  const mayDecide = can('accommodation_decide')
  const actions = useCallback(
    (row: HelpRow): readonly RowAction[] => (row.state === 3 ? [] : [{ key: 'decide', label: t('decide'), onRun: () => setOpen(row) }]),
    [t],
  )
  if (none || examId === null) return <ExamMissing text={t('noExam')} />
  return (
    <>
      <CrudPage<HelpRow>
        name="accommodation"
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
        rowActions={mayDecide ? actions : undefined}
        above={
          <>
            {bar}
            <p>{t('lead')}</p>
          </>
        }
        fixed={{ examId }}
        empty={<EmptyState text={t('empty')} />}
      />
      {open === null ? null : (
        <DecideDialog
          row={open}
          onClose={() => setOpen(null)}
          onDone={() => void client.invalidateQueries({ queryKey: ['list', 'accommodation'] })}
        />
      )}
    </>
  )
}
