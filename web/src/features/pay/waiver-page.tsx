import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { feeAfterWaiver, waiverKinds, waiverMachine } from '#contract/pay/waiver.state.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { minuteOf, yuanOf } from '#web/kernel/format.ts'
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
import { waiverTexts } from './waiver-texts.ts'

type WaiverPage = ApiOutput<'GET /blade-feeWaiver/feewaiver/list'>
type WaiverRow = WaiverPage['records'][number]

const rowId = (row: WaiverRow) => row.id
const rowName = (row: WaiverRow) => row.name
const load = (query: ListQuery, signal: AbortSignal) =>
  api.request<WaiverPage>({ method: 'GET', path: '/blade-feeWaiver/feewaiver/list', query, signal })

const useColumns = (): readonly Column<WaiverRow>[] => {
  const t = useT(waiverTexts)
  const label = useLabel()
  return useMemo(
    () => [
      { key: 'signNo', title: t('signNo'), cell: row => row.signNo },
      { key: 'name', field: 'exampay.name', title: t('name'), cell: row => row.name },
      { key: 'post', title: t('post'), cell: row => row.codeName },
      { key: 'kind', title: t('kind'), cell: row => label(waiverKinds[row.kind]) },
      { key: 'reason', title: t('reason'), cell: row => row.reason },
      {
        key: 'proof',
        title: t('proof'),
        cell: row => (
          <a href={row.proof} target="_blank" rel="noreferrer">
            {t('look')}
          </a>
        ),
      },
      { key: 'money', title: t('money'), cell: row => `${yuanOf(row.dueAmount)} / ${yuanOf(row.paidAmount)}` },
      { key: 'asked', title: t('asked'), cell: row => minuteOf(row.askedTime) },
      {
        key: 'state',
        title: t('state'),
        cell: row => <StateTag of={waiverMachine} wire={row.state} />,
      },
      {
        key: 'decision',
        title: t('decision'),
        cell: row => [row.percent === null ? '' : t('percentOf', { percent: row.percent }), row.remark ?? ''].filter(Boolean).join(' · '),
      },
    ],
    [t, label],
  )
}

const DecideDialog = ({ row, onClose, onDone }: { readonly row: WaiverRow; readonly onClose: () => void; readonly onDone: () => void }) => {
  const t = useT(waiverTexts)
  const label = useLabel()
  const [percent, setPercent] = useState('100')
  const [remark, setRemark] = useState('')
  const [wrong, setWrong] = useSaid<Readonly<Record<string, string>>>({})
  const share = /^\d{1,3}$/.test(percent) && Number(percent) <= 100 ? Number(percent) : null
  const send = (outcome: 1 | 2) => async () => {
    const isWhole = /^\d{1,3}$/.test(percent) && Number(percent) >= 1 && Number(percent) <= 100
    const found = {
      ...(outcome === 1 && !isWhole ? { percent: t('percentBad') } : {}),
      ...(outcome === 2 && remark.trim() === '' ? { remark: t('remarkMissing') } : {}),
    }
    setWrong(found)
    if (Object.keys(found).length > 0) return false
    try {
      const made = await api.call(
        'POST /blade-feeWaiver/feewaiver/decide',
        {
          ...{ id: row.id, outcome, version: row.version },
          ...(outcome === 1 ? { percent: Number(percent) } : {}),
          ...(remark.trim() === '' ? {} : { remark: remark.trim() }),
        },
        { quiet: 'fields' },
      )
      if (made.waiting === undefined) notify('success', t('done'))
      else notify('info', made.waiting)
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
      hasChanges={() => percent !== '100' || remark !== ''}
      actions={[
        { label: t('refuse'), tone: 'danger', run: send(2) },
        { label: t('grant'), tone: 'primary', run: send(1) },
      ]}
    >
      <p>
        <b>{label(waiverKinds[row.kind])}</b>
        {` · ${t('money')} ${yuanOf(row.dueAmount)} / ${yuanOf(row.paidAmount)}`}
      </p>
      <p>{row.reason}</p>
      <p>
        <a href={row.proof} target="_blank" rel="noreferrer">
          {t('look')}
        </a>
      </p>
      <LabelledInput
        label={t('percent')}
        error={wrong['percent']}
        inputMode="numeric"
        maxLength={3}
        value={percent}
        onChange={setPercent}
      />
      {share === null ? null : (
        <p role="status">
          {[
            ...(row.dueAmount > 0 ? [t('effect', { due: yuanOf(row.dueAmount), left: yuanOf(feeAfterWaiver(row.dueAmount, share)) })] : []),
            ...(row.paidAmount > 0 ? [t('effectBack', { back: yuanOf(row.paidAmount - feeAfterWaiver(row.paidAmount, share)) })] : []),
            ...(row.dueAmount === 0 && row.paidAmount === 0 ? [t('effectNone')] : []),
          ].join(t('and'))}
        </p>
      )}
      <LabelledInput label={t('remark')} error={wrong['remark']} rows={3} maxLength={300} value={remark} onChange={setRemark} />
    </ActionDialog>
  )
}

/** Who asks to be let off a fee, with the proof, and what finance decided (amendment A11). */
export const Page = () => {
  const t = useT(waiverTexts)
  const states = useStateOptions(waiverMachine)
  const can = useCan()
  const client = useQueryClient()
  const { examId, bar, none } = useExamChoice(true)
  const columns = useColumns()
  const [open, setOpen] = useState<WaiverRow | null>(null)
  const mayDecide = can('feewaiver_decide')
  const actions = useCallback(
    (row: WaiverRow): readonly RowAction[] => (row.state === 0 ? [{ key: 'decide', label: t('decide'), onRun: () => setOpen(row) }] : []),
    [t],
  )
  if (none || examId === null) return <ExamMissing text={t('noExam')} />
  return (
    <>
      <CrudPage<WaiverRow>
        name="feewaiver"
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
          onDone={() => void client.invalidateQueries({ queryKey: ['list', 'feewaiver'] })}
        />
      )}
    </>
  )
}
