import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { inAccount } from '#contract/signup/hearing.ts'
import { type IntegrityLevel, integrityLevels, integrityMachine } from '#contract/signup/integrity.state.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useSaid } from '#web/kernel/said.ts'
import { CrudPage, type ListQuery } from '#web/resource/crud-page.tsx'
import { HeardText, NoteDialog } from '#web/resource/heard.tsx'
import { heardTexts } from '#web/resource/heard-texts.ts'
import { ToldLines } from '#web/resource/told.tsx'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { LabelledInput, LabelledSelect } from '#web/ui/labelled.tsx'
import { StateTag, useStateOptions } from '#web/ui/state-tag.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { integrityTexts } from './texts.ts'

type Cases = ApiOutput<'GET /blade-signup/integrity/list'>
type Case = Cases['records'][number]

const rowId = (row: Case) => row.id
const rowName = (row: Case) => row.name

const load = (query: ListQuery, signal: AbortSignal) =>
  api.request<Cases>({ method: 'GET', path: '/blade-signup/integrity/list', query, signal })

const useColumns = (): readonly Column<Case>[] => {
  const t = useT(integrityTexts)
  const label = useLabel()
  return useMemo(
    () => [
      { key: 'exam', title: t('exam'), cell: row => row.examName },
      { key: 'signNo', title: t('signNo'), cell: row => row.signNo },
      { key: 'name', field: 'signup.name', title: t('name'), cell: row => row.name },
      { key: 'idCard', field: 'signup.idCard', title: t('idCard'), cell: row => row.idCardMask },
      { key: 'reason', title: t('reason'), cell: row => row.reason },
      { key: 'answerUntil', title: t('answerUntil'), cell: row => minuteOf(row.answerUntil) },
      { key: 'told', title: t('told'), cell: row => (row.toldTime === null ? t('notTold') : minuteOf(row.toldTime)) },
      {
        key: 'state',
        title: t('state'),
        cell: row => <StateTag of={integrityMachine} wire={row.state} />,
      },
      {
        key: 'holds',
        title: t('holds'),
        cell: row =>
          row.level === null
            ? ''
            : [label(integrityLevels[row.level as IntegrityLevel].label), row.endDate === null ? '' : t('until', { day: row.endDate })]
                .filter(Boolean)
                .join(' · '),
      },
      { key: 'decision', title: t('decision'), cell: row => row.decision ?? '' },
    ],
    [t, label],
  )
}

interface DialogProps {
  readonly row: Case
  readonly onClose: () => void
  readonly onDone: () => void
}

const DecideDialog = ({ row, onClose, onDone }: DialogProps) => {
  const t = useT(integrityTexts)
  const label = useLabel()
  const [level, setLevel] = useState('')
  const [decision, setDecision] = useState('')
  const [wrong, setWrong] = useSaid<Readonly<Record<string, string>>>({})
  const send = (outcome: 1 | 2) => async () => {
    const found = {
      ...(outcome === 1 && level === '' ? { level: t('levelMissing') } : {}),
      ...(decision.trim().length < 2 ? { decision: t('whyMissing') } : {}),
    }
    setWrong(found)
    if (Object.keys(found).length > 0) return false
    try {
      await api.call(
        'POST /blade-signup/integrity/decide',
        {
          ...{ id: row.id, outcome, decision: decision.trim(), version: row.version },
          ...(outcome === 1 ? { level } : {}),
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
      hasChanges={() => level + decision !== ''}
      actions={[
        { label: t('dismiss'), tone: 'plain', run: send(2) },
        { label: t('record'), tone: 'danger', disabled: row.bar !== null, why: row.bar, run: send(1) },
      ]}
    >
      <p>{row.reason}</p>
      <p>
        {t('answerUntil')} {minuteOf(row.answerUntil)}
        {row.toldTime === null ? null : ` · ${t('told')} ${minuteOf(row.toldTime)}`}
      </p>
      <ToldLines of={`integrity-${row.id}`} />
      <p>
        <HeardText of={row} />
      </p>
      <LabelledSelect
        label={t('level')}
        error={wrong['level']}
        value={level}
        onChange={setLevel}
        options={[
          { value: '', label: t('choose') },
          ...Object.entries(integrityLevels).map(([value, of]) => ({ value, label: label(of.label) })),
        ]}
      />
      <LabelledInput label={t('why')} error={wrong['decision']} rows={3} maxLength={500} value={decision} onChange={setDecision} />
    </ActionDialog>
  )
}

const LiftDialog = ({ row, onClose, onDone }: DialogProps) => {
  const t = useT(integrityTexts)
  const [reason, setReason] = useState('')
  const [wrong, setWrong] = useSaid('')
  const send = async () => {
    if (reason.trim().length < 2) {
      setWrong(t('whyMissing'))
      return false
    }
    try {
      await api.call('POST /blade-signup/integrity/lift', { id: row.id, reason: reason.trim(), version: row.version })
      notify('success', t('done'))
      onDone()
      return true
    } catch {
      return false
    }
  }
  return (
    <ActionDialog
      title={t('liftTitle', { name: row.name })}
      onClose={onClose}
      hasChanges={() => reason !== ''}
      actions={[{ label: t('lift'), tone: 'primary', run: send }]}
    >
      <p>{row.reason}</p>
      <LabelledInput label={t('liftWhy')} error={wrong || undefined} rows={3} maxLength={500} value={reason} onChange={setReason} />
    </ActionDialog>
  )
}

/** What was found of people who broke the rules, and whether it is recorded. */
export const Page = () => {
  const t = useT(integrityTexts)
  const states = useStateOptions(integrityMachine)
  const can = useCan()
  const client = useQueryClient()
  const columns = useColumns()
  const h = useT(heardTexts)
  const [open, setOpen] = useState<Case | null>(null)
  const [noting, setNoting] = useState<Case | null>(null)
  const refresh = () => void client.invalidateQueries({ queryKey: ['list', 'integrity'] })
  const actions = useCallback(
    (row: Case): readonly RowAction[] =>
      row.state === 0
        ? [
            { key: 'decide', label: t('decide'), onRun: () => setOpen(row) },
            ...(row.statementWay === inAccount ? [] : [{ key: 'note', label: h('title'), onRun: () => setNoting(row) }]),
          ]
        : row.state === 1
          ? [{ key: 'lift', label: t('lift'), onRun: () => setOpen(row) }]
          : [],
    [t, h],
  )
  const Dialog = open?.state === 0 ? DecideDialog : LiftDialog
  return (
    <>
      <CrudPage<Case>
        name="integrity"
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
        rowActions={can('integrity_decide') ? actions : undefined}
        above={<p>{t('lead')}</p>}
        empty={<EmptyState text={t('empty')} />}
      />
      {open === null ? null : <Dialog row={open} onClose={() => setOpen(null)} onDone={refresh} />}
      {noting === null ? null : <NoteDialog base="/blade-signup/integrity" of={noting} onClose={() => setNoting(null)} onDone={refresh} />}
    </>
  )
}
