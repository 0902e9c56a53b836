import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { measureLabels } from '#contract/oversight/measure.ts'
import { api } from '#web/kernel/api.ts'
import { grouped, minuteOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { listOf } from '#web/kernel/i18n/list.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { callKey, useCall } from '#web/kernel/query.ts'
import { type Column, DataTable, type RowAction } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { watchTexts } from './texts.ts'
import type { Days, Office, RuleRow } from './wire.ts'
import './watch.css'

const ReasonDialog = lazy(async () => ({ default: (await import('#web/ui/reason-dialog.tsx')).ReasonDialog }))
const RuleDialog = lazy(async () => ({ default: (await import('./rule-dialog.tsx')).RuleDialog }))
const OfficeDialog = lazy(async () => ({ default: (await import('./office-dialog.tsx')).OfficeDialog }))

const rowId = (row: RuleRow) => row.id
const rowName = (row: RuleRow) => row.name

/** The limits of a rule as a sentence. */
const useLimits = () => {
  const t = useT(watchTexts)
  return useCallback(
    ({ threshold, factor, floor }: RuleRow): string => {
      const many = threshold === null ? null : t('rule.limit.threshold', { count: grouped(threshold) })
      const more = factor === null ? null : t('rule.limit.factor', { factor, floor: grouped(floor) })
      return many !== null && more !== null ? t('rule.limit.or', { a: many, b: more }) : (many ?? more ?? '')
    },
    [t],
  )
}

const OfficeBar = ({ office, onEdit }: { readonly office: Office; readonly onEdit: (() => void) | undefined }) => {
  const t = useT(watchTexts)
  return (
    <div className="card watch-office">
      <p>
        {t('rule.office.is', { days: t(`rule.days.${office.days as Days}`), from: office.from, to: office.to })}{' '}
        {office.daysOff.length + office.workDays.length === 0
          ? null
          : t('rule.office.special', { off: office.daysOff.length, work: office.workDays.length })}
      </p>
      {onEdit === undefined ? null : (
        <button type="button" className="button" onClick={onEdit}>
          {t('rule.office.edit')}
        </button>
      )}
    </div>
  )
}

type Open = { readonly what: 'edit' | 'switch' | 'remove'; readonly rule: RuleRow } | { readonly what: 'office' | 'add' } | null

/** What is watched and from where on it is an alert; each change needs its reason and is an alert itself (security 3.8). */
export const Page = () => {
  const t = useT(watchTexts)
  const label = useLabel()
  const can = useCan()
  const client = useQueryClient()
  const limits = useLimits()
  const query = useCall('GET /blade-watch/rule/list', {}, { quiet: true })
  const [open, setOpen] = useState<Open>(null)
  const mayEdit = can('watchrule_edit')
  const roleNames = useMemo(() => new Map(query.data?.roles.map(role => [role.alias, role.name])), [query.data])
  const columns = useMemo(
    (): readonly Column<RuleRow>[] => [
      { key: 'name', title: t('rule.name'), width: 260, cell: row => row.name },
      { key: 'measure', title: t('alert.what'), width: 160, hidden: true, cell: row => label(measureLabels[row.measure]) },
      { key: 'subject', title: t('rule.subject'), cell: row => t(`rule.subject.${row.subject}`) },
      { key: 'span', title: t('rule.span'), cell: row => t(`rule.span.${row.span}`) },
      { key: 'limits', title: t('rule.limits'), width: 280, cell: limits },
      {
        key: 'roles',
        title: t('rule.roles'),
        width: 180,
        cell: row => (row.roles.length === 0 ? t('rule.roles.all') : listOf(row.roles.map(alias => roleNames.get(alias) ?? alias))),
      },
      {
        key: 'brake',
        title: t('rule.brake.column'),
        width: 140,
        cell: row => (row.brake === null ? '-' : t('rule.brake.from', { count: row.brake })),
      },
      { key: 'off', title: t('rule.off'), hidden: true, cell: row => (row.isOffHours ? t('form.yes') : t('form.no')) },
      {
        key: 'state',
        title: t('rule.state'),
        cell: row => (
          <StatusTag tone={row.isOn ? 'active' : 'closed'} text={t(row.isFixed ? 'rule.fixed' : row.isOn ? 'rule.on' : 'rule.isOff')} />
        ),
      },
      { key: 'reason', title: t('rule.reason'), width: 180, hidden: true, cell: row => row.reason },
      {
        key: 'changed',
        title: t('rule.changed'),
        width: 180,
        hidden: true,
        cell: row => (row.updateUser === '' ? '-' : `${row.updateUser} ${minuteOf(row.updateTime)}`),
      },
    ],
    [t, label, limits, roleNames],
  )
  const actions = useCallback(
    (rule: RuleRow): readonly RowAction[] =>
      rule.isFixed
        ? []
        : [
            { key: 'edit', label: t('rule.edit'), onRun: () => setOpen({ what: 'edit', rule }) },
            { key: 'switch', label: t(rule.isOn ? 'rule.switchOff' : 'rule.switchOn'), onRun: () => setOpen({ what: 'switch', rule }) },
            ...(rule.isOwn
              ? [{ key: 'remove', label: t('rule.remove'), danger: true, onRun: () => setOpen({ what: 'remove', rule }) }]
              : []),
          ],
    [t],
  )
  const done = () => {
    notify('success', t('rule.saved'))
    return client.invalidateQueries({ queryKey: callKey('GET /blade-watch/rule/list') })
  }
  const close = () => setOpen(null)
  const turn = (rule: RuleRow) => async (reason: string) => {
    await api.call('POST /blade-watch/rule/switch', { id: rule.id, isOn: !rule.isOn, reason }, { quiet: 'fields' })
    await done()
  }
  const remove = (rule: RuleRow) => async (reason: string) => {
    await api.call('POST /blade-watch/rule/remove', { id: rule.id, reason }, { quiet: 'fields' })
    await done()
  }
  return (
    <div className="crud-page">
      <div className="page-head">
        <h1>{t('rule.title')}</h1>
        {mayEdit ? (
          <button type="button" className="button button-primary" onClick={() => setOpen({ what: 'add' })}>
            {t('rule.add')}
          </button>
        ) : null}
      </div>
      {query.data === undefined ? null : (
        <OfficeBar office={query.data.office} onEdit={mayEdit ? () => setOpen({ what: 'office' }) : undefined} />
      )}
      <DataTable
        name="watch-rule"
        caption={t('rule.title')}
        rows={query.data?.rules}
        rowId={rowId}
        rowName={rowName}
        columns={columns}
        rowActions={mayEdit ? actions : undefined}
        busy={query.isFetching && query.data !== undefined}
        error={query.isError ? { message: query.error.message, onRetry: () => void query.refetch() } : null}
        empty={<EmptyState text={t('rule.empty')} />}
        onRefresh={() => void query.refetch()}
      />
      <Suspense>
        {open?.what === 'add' ? <RuleDialog rule={null} roles={query.data?.roles ?? []} onDone={done} onClose={close} /> : null}
        {open?.what === 'edit' ? <RuleDialog rule={open.rule} roles={query.data?.roles ?? []} onDone={done} onClose={close} /> : null}
        {open?.what === 'office' && query.data ? <OfficeDialog office={query.data.office} onDone={done} onClose={close} /> : null}
        {open?.what === 'remove' ? (
          <ReasonDialog
            title={t('rule.remove')}
            lead={t('rule.remove.lead', { rule: open.rule.name })}
            label={t('rule.reason')}
            missing={t('rule.reason.need')}
            ok={t('rule.remove')}
            send={remove(open.rule)}
            onClose={close}
          />
        ) : null}
        {open?.what === 'switch' ? (
          <ReasonDialog
            title={t(open.rule.isOn ? 'rule.switchOff' : 'rule.switchOn')}
            lead={t(open.rule.isOn ? 'rule.switchOff.lead' : 'rule.switchOn.lead', { rule: open.rule.name })}
            label={t('rule.reason')}
            missing={t('rule.reason.need')}
            ok={t(open.rule.isOn ? 'rule.switchOff' : 'rule.switchOn')}
            send={turn(open.rule)}
            onClose={close}
          />
        ) : null}
      </Suspense>
    </div>
  )
}
