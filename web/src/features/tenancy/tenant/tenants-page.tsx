import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { endMinuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { ChoiceBar, useChoice } from '#web/resource/choice.tsx'
import { type CrudContext, CrudPage, type ListQuery, listKey } from '#web/resource/crud-page.tsx'
import { ExportButtons } from '#web/resource/export-buttons.tsx'
import { startExport } from '#web/resource/export-jobs.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { confirm, namesAndCount } from '#web/ui/dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import type { Made, Tenant } from './dialogs.tsx'
import { tenantTexts } from './texts.ts'
import './tenant.css'

const dialogs = () => import('./dialogs.tsx')
const TenantDialog = lazy(async () => ({ default: (await dialogs()).TenantDialog }))
const MadeDialog = lazy(async () => ({ default: (await dialogs()).MadeDialog }))
const LicenceDialog = lazy(async () => ({ default: (await dialogs()).LicenceDialog }))
const AssignDialog = lazy(async () => ({ default: (await dialogs()).AssignDialog }))
const PicturesDialog = lazy(async () => ({ default: (await dialogs()).PicturesDialog }))

const platformTenant = '000000'
const name = 'tenant'
const moveCalls = {
  recycle: 'POST /blade-system/tenant/recycle',
  pass: 'POST /blade-system/tenant/pass',
  remove: 'POST /blade-system/tenant/remove',
} as const
const rowId = (row: Tenant): string => row.id
const rowName = (row: Tenant): string => row.tenantName
const isOver = (time: string): boolean => time !== '' && new Date(`${time.replace(' ', 'T')}+08:00`).getTime() <= serverNow()

/** The condition stands in the address, where `tenantId` says whose login page it is (decision 1.5). */
const numberKey = 'number'
const wireOf = ({ [numberKey]: tenantId, ...query }: ListQuery): ListQuery => (tenantId === undefined ? query : { ...query, tenantId })

type Opened =
  | { readonly kind: 'edit'; readonly row: Tenant | null }
  | { readonly kind: 'view' | 'package' | 'source' | 'pictures'; readonly row: Tenant }
  | { readonly kind: 'licence'; readonly rows: readonly Tenant[] }
  | { readonly kind: 'made'; readonly made: Made }

const useCells = () => {
  const t = useT(tenantTexts)
  return useMemo(
    () => ({
      accounts: ({ accountCount: count, accountNumber: limit }: Tenant) =>
        limit > 0 ? (
          count > limit ? (
            <StatusTag tone="refused" text={t('accounts.of', { count, limit })} />
          ) : (
            t('accounts.of', { count, limit })
          )
        ) : (
          t('accounts.any', { count })
        ),
      expire: ({ expireTime }: Tenant) =>
        expireTime === '' ? (
          t('expire.never')
        ) : isOver(expireTime) ? (
          <StatusTag tone="refused" text={t('expire.over', { time: endMinuteOf(expireTime) ?? expireTime })} />
        ) : (
          (endMinuteOf(expireTime) ?? expireTime)
        ),
      package: ({ packageName }: Tenant) => (packageName === '' ? t('package.none') : <span lang="zh">{packageName}</span>),
    }),
    [t],
  )
}

const useColumns = (): readonly Column<Tenant>[] => {
  const t = useT(tenantTexts)
  const cells = useCells()
  return useMemo(
    () => [
      { key: 'tenantId', title: t('number'), cell: row => row.tenantId, width: 100 },
      { key: 'tenantName', title: t('name'), cell: row => <span lang="zh">{row.tenantName}</span> },
      { key: 'linkman', title: t('linkman'), cell: row => (row.linkman === '' ? '' : <span lang="zh">{row.linkman}</span>) },
      { key: 'contactNumber', title: t('phone'), cell: row => row.contactNumber },
      { key: 'accounts', title: t('accounts'), cell: cells.accounts },
      { key: 'expireTime', title: t('expire'), cell: cells.expire },
      { key: 'package', title: t('package'), cell: cells.package },
      { key: 'domain', title: t('domain'), cell: row => row.domain },
    ],
    [t, cells],
  )
}

const ViewDialog = ({ row, onClose }: { readonly row: Tenant; readonly onClose: () => void }) => {
  const t = useT(tenantTexts)
  const cells = useCells()
  return (
    <ActionDialog title={t('view')} size="two" onClose={onClose}>
      <Facts
        items={[
          { key: 'number', label: t('number'), value: row.tenantId },
          { key: 'name', label: t('name'), value: row.tenantName },
          { key: 'linkman', label: t('linkman'), value: row.linkman },
          { key: 'phone', label: t('phone'), value: row.contactNumber },
          { key: 'address', label: t('address'), value: row.address },
          { key: 'domain', label: t('domain'), value: row.domain },
          { key: 'title', label: t('title'), value: [row.titleZh, row.titleEn].filter(text => text !== '').join(' / ') },
          { key: 'accounts', label: t('accounts'), value: cells.accounts(row) },
          { key: 'expire', label: t('expire'), value: cells.expire(row) },
          { key: 'package', label: t('package'), value: cells.package(row) },
          { key: 'source', label: t('source'), value: row.datasourceName },
          { key: 'created', label: t('created'), value: row.createTime },
        ]}
      />
    </ActionDialog>
  )
}

/** Tenants of the platform, live ones and those in the recycle bin (S7.16). */
export const Page = () => {
  const t = useT(tenantTexts)
  const can = useCan()
  const client = useQueryClient()
  const columns = useColumns()
  const [opened, setOpened] = useState<Opened | null>(null)
  const [known] = useState(() => new Map<string, Tenant>())
  const states = (['1', '-1'] as const).map(value => ({ value, label: t(`list.${value}`) }))
  const { value: state, choose } = useChoice('tenant.status', states)
  const inBin = state === '-1'
  const [mayAdd, mayEdit, mayDelete, maySet, mayExport] = (['add', 'edit', 'delete', 'setting', 'export'] as const).map(action =>
    can(`tenant_${action}`),
  )
  const refresh = useCallback(() => {
    for (const each of ['1', '-1']) void client.invalidateQueries({ queryKey: listKey(`${name}-${each}`) })
  }, [client])
  const load = useCallback(
    async (query: ListQuery, signal: AbortSignal) => {
      const page = await api.call(
        'GET /blade-system/tenant/list',
        { ...wireOf(query), status_equal: inBin ? -1 : 1 },
        { signal, quiet: true },
      )
      for (const row of page.records) known.set(row.id, row)
      return page
    },
    [inBin, known],
  )
  const move = useCallback(
    async (rows: readonly Tenant[], to: 'recycle' | 'pass' | 'remove'): Promise<boolean> => {
      if (rows.length === 0) {
        notify('warning', t('none'))
        return false
      }
      const what = namesAndCount(rows.map(rowName))
      if (!(await confirm({ title: t(to), text: t(`${to}.ask`, { what }), ok: t(to), danger: to !== 'pass' }))) return false
      try {
        await api.call(moveCalls[to], { ids: rows.map(rowId).join(',') })
      } catch {
        return false // The api client has said why.
      }
      notify('success', to === 'remove' ? t('done.deleted') : t(`${to}.done`))
      refresh()
      return true
    },
    [refresh, t],
  )
  const actions = useCallback(
    (row: Tenant): readonly RowAction[] => {
      const open = (kind: 'view' | 'package' | 'source' | 'pictures') => () => setOpened({ kind, row })
      const isPlatform = row.tenantId === platformTenant
      const view: RowAction = { key: 'view', label: t('action.view'), onRun: open('view') }
      if (inBin)
        return mayDelete
          ? [
              view,
              { key: 'pass', label: t('pass'), onRun: () => void move([row], 'pass') },
              { key: 'remove', label: t('remove'), danger: true, onRun: () => void move([row], 'remove') },
            ]
          : [view]
      return [
        view,
        ...(mayEdit ? [{ key: 'edit', label: t('action.edit'), onRun: () => setOpened({ kind: 'edit', row }) }] : []),
        ...(maySet
          ? [
              { key: 'licence', label: t('set.licence'), onRun: () => setOpened({ kind: 'licence', rows: [row] }) },
              ...(isPlatform ? [] : [{ key: 'package', label: t('set.package'), onRun: open('package') }]),
              { key: 'source', label: t('set.source'), onRun: open('source') },
            ]
          : []),
        ...(mayEdit ? [{ key: 'pictures', label: t('set.pictures'), onRun: open('pictures') }] : []),
        ...(mayDelete && !isPlatform
          ? [{ key: 'recycle', label: t('recycle'), danger: true, onRun: () => void move([row], 'recycle') }]
          : []),
      ]
    },
    [inBin, mayDelete, mayEdit, maySet, move, t],
  )
  const chosen = ({ selected }: CrudContext): readonly Tenant[] => [...selected].flatMap(id => known.get(id) ?? [])
  const moveChosen = async (context: CrudContext, to: 'recycle' | 'pass' | 'remove') => {
    if (await move(chosen(context), to)) context.clearSelection()
  }
  const setChosen = (context: CrudContext) => {
    const rows = chosen(context)
    if (rows.length === 0) notify('warning', t('none'))
    else setOpened({ kind: 'licence', rows })
  }
  const download = ({ query }: CrudContext) => {
    const { current: _current, size: _size, ...search } = query
    return startExport(
      { method: 'GET', path: '/blade-system/tenant/export-tenant', query: { ...wireOf(search), status_equal: inBin ? -1 : 1 } },
      t('name'),
    )
  }
  const button = (label: string, look: string, onClick: () => void) => (
    <button type="button" className={`button ${look}`} onClick={onClick}>
      {label}
    </button>
  )
  const props = { onClose: () => setOpened(null), onDone: refresh }
  return (
    <>
      <CrudPage<Tenant>
        key={state ?? ''}
        name={`${name}-${state ?? ''}`}
        table={name}
        title={t('name')}
        columns={columns}
        search={[
          { kind: 'text', key: 'tenantName', label: t('name') },
          { kind: 'text', key: numberKey, label: t('number') },
          { kind: 'text', key: 'linkman', label: t('linkman') },
          { kind: 'text', key: 'contactNumber', label: t('phone') },
        ]}
        load={load}
        rowId={rowId}
        rowName={rowName}
        rowActions={actions}
        selectable={mayDelete === true || maySet === true}
        above={<ChoiceBar label={t('state')} options={states} value={state} onChoose={choose} />}
        toolbar={context => (
          <>
            {mayAdd && !inBin ? button(t('action.add'), 'button-primary', () => setOpened({ kind: 'edit', row: null })) : null}
            {maySet && !inBin ? button(t('set.licence'), '', () => setChosen(context)) : null}
            {mayDelete && !inBin ? button(t('recycle'), 'button-danger', () => void moveChosen(context, 'recycle')) : null}
            {mayDelete && inBin ? button(t('pass'), 'button-primary', () => void moveChosen(context, 'pass')) : null}
            {mayDelete && inBin ? button(t('remove'), 'button-danger', () => void moveChosen(context, 'remove')) : null}
            {mayExport ? <ExportButtons onExport={() => download(context)} /> : null}
          </>
        )}
      />
      {opened === null ? null : (
        <Suspense>
          {opened.kind === 'edit' ? (
            <TenantDialog
              row={opened.row}
              onMade={made => setOpened({ kind: 'made', made })}
              onDone={refresh}
              // What was made is shown where the form was.
              onClose={() => setOpened(before => (before?.kind === 'made' ? before : null))}
            />
          ) : opened.kind === 'made' ? (
            <MadeDialog made={opened.made} onClose={() => setOpened(null)} />
          ) : opened.kind === 'licence' ? (
            <LicenceDialog rows={opened.rows} {...props} />
          ) : opened.kind === 'view' ? (
            <ViewDialog row={opened.row} onClose={() => setOpened(null)} />
          ) : opened.kind === 'pictures' ? (
            <PicturesDialog row={opened.row} {...props} />
          ) : (
            <AssignDialog row={opened.row} what={opened.kind} {...props} />
          )}
        </Suspense>
      )}
    </>
  )
}
