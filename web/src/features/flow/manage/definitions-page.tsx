import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { definitionStates } from '#contract/flow/flow.state.ts'
import { categoryDictionary, categoryOf } from '#contract/flow/flow-limits.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { CrudPage, type ListQuery, listKey } from '#web/resource/crud-page.tsx'
import { useDict } from '#web/resource/use-dict.ts'
import { goTo } from '#web/shell/go.ts'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { confirm, namesAndCount } from '#web/ui/dialog.tsx'
import { StateTag } from '#web/ui/state-tag.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { manageTexts } from './texts.ts'

const ImageDialog = lazy(async () => ({ default: (await import('../work/image-dialog.tsx')).ImageDialog }))

type Row = ApiOutput<'GET /blade-flow/manager/list'>['records'][number]
const name = 'flow-definitions'
const active = 1
const rowId = (row: Row) => row.id
const rowName = (row: Row) => row.name
const load = (query: ListQuery, signal: AbortSignal) =>
  api.request<ApiOutput<'GET /blade-flow/manager/list'>>({ method: 'GET', path: '/blade-flow/manager/list', query, signal })

/** The processes that run by the versions to be removed, as the refusal names them. */
const runningOf = (error: unknown): readonly string[] | null => {
  if (!isApiError(error) || error.reason !== 'flow/running-instances') return null
  const { instances } = (error.data ?? {}) as { readonly instances?: readonly { readonly title?: string; readonly id?: string }[] }
  return (instances ?? []).map(({ title, id }) => title || id || '')
}

/** Deployed versions: looked at, suspended, removed. */
export const Page = () => {
  const t = useT(manageTexts)
  const can = useCan()
  const client = useQueryClient()
  const categories = useDict(categoryDictionary)
  const [shown, setShown] = useState<Row | null>(null)
  const again = useCallback(() => client.invalidateQueries({ queryKey: listKey(name) }), [client])
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      { key: 'name', title: t('col.name'), width: 220, cell: row => row.name },
      { key: 'key', title: t('col.key'), cell: row => row.key },
      { key: 'categoryName', title: t('col.category'), cell: row => row.categoryName },
      { key: 'version', title: t('col.version'), align: 'right', cell: row => row.version },
      { key: 'tenantId', title: t('col.mode'), cell: row => (row.tenantId === '' ? t('mode.1') : t('mode.tenant', { id: row.tenantId })) },
      {
        key: 'suspensionState',
        title: t('col.state'),
        cell: row => <StateTag of={definitionStates} wire={row.suspensionState} />,
      },
      { key: 'runningCount', title: t('col.running'), align: 'right', cell: row => row.runningCount },
      { key: 'deploymentTime', title: t('col.time'), cell: row => minuteOf(row.deploymentTime) },
    ],
    [t],
  )
  const changeState = useCallback(
    async (row: Row) => {
      const state = row.suspensionState === active ? 'suspend' : 'active'
      const text = t('definitions.suspend.ask', { name: row.name, count: row.runningCount })
      if (state === 'suspend' && !(await confirm({ title: t('definitions.suspend'), text }))) return
      const done = await api.call('POST /blade-flow/manager/change-state', { processId: row.id, state }).catch(() => null)
      if (done !== null) notify('success', t(state === 'suspend' ? 'definitions.suspended' : 'definitions.activated'))
      await again()
    },
    [t, again],
  )
  const remove = useCallback(
    async (row: Row) => {
      const title = t('definitions.remove')
      const ask = t('definitions.remove.ask', { name: row.name, version: row.version })
      if (!(await confirm({ title, text: ask, danger: true }))) return
      const send = (confirmed: 0 | 1) =>
        api.call(
          'POST /blade-flow/manager/delete-deployment',
          { deploymentIds: row.deploymentId, confirm: confirmed },
          { quiet: confirmed === 0 },
        )
      try {
        try {
          await send(0)
        } catch (error) {
          const names = runningOf(error)
          if (names === null) {
            if (isApiError(error)) notify('error', error.message)
            return
          }
          const text = t('definitions.remove.running', { count: names.length, names: namesAndCount(names) })
          if (!(await confirm({ title, text, ok: t('definitions.remove.confirm'), danger: true }))) return
          await send(1)
        }
        notify('success', t('definitions.removed'))
      } catch {
        // The api client has said why.
      } finally {
        await again()
      }
    },
    [t, again],
  )
  const compare = useCallback(
    async (row: Row) => {
      const list = await api.call('GET /blade-flow/manager/list', { key: row.key, size: 200 }).catch(() => null)
      if (list === null) return
      const others = list.records.filter(each => each.key === row.key && each.tenantId === row.tenantId && each.id !== row.id)
      // The one before it; of the first the one behind it.
      const other = others.find(({ version }) => version < row.version) ?? others.at(-1)
      if (other === undefined) notify('warning', t('definitions.compare.none', { name: row.name }))
      else goTo(other.version < row.version ? `/flow/compare/${other.id}/${row.id}` : `/flow/compare/${row.id}/${other.id}`)
    },
    [t],
  )
  const mayState = can('flow_manager_state')
  const mayRemove = can('flow_manager_remove')
  const mayLook = can('flow_manager_image')
  const actions = useCallback(
    (row: Row): readonly RowAction[] => [
      ...(mayLook
        ? [
            { key: 'image', label: t('definitions.image'), onRun: () => setShown(row) },
            { key: 'compare', label: t('definitions.compare'), onRun: () => void compare(row) },
          ]
        : []),
      ...(mayState && row.isOwn
        ? [
            {
              key: 'state',
              label: t(row.suspensionState === active ? 'definitions.suspend' : 'definitions.activate'),
              onRun: () => void changeState(row),
            },
          ]
        : []),
      ...(mayRemove && row.isOwn ? [{ key: 'remove', label: t('definitions.remove'), danger: true, onRun: () => void remove(row) }] : []),
    ],
    [mayLook, mayState, mayRemove, t, changeState, compare, remove],
  )
  return (
    <>
      <CrudPage<Row>
        name={name}
        title={t('definitions.title')}
        columns={columns}
        search={[
          { kind: 'text', key: 'name', label: t('col.name') },
          { kind: 'text', key: 'key', label: t('col.key') },
          {
            kind: 'select',
            key: 'category',
            label: t('col.category'),
            options: categories.map(({ value, label }) => ({ value: categoryOf(value), label })),
          },
          {
            kind: 'select',
            key: 'mode',
            label: t('col.mode'),
            options: ([1, 2] as const).map(mode => ({ value: String(mode), label: t(`mode.${mode}`) })),
          },
          {
            kind: 'select',
            key: 'latest',
            label: t('search.latest'),
            options: ([1, 0] as const).map(latest => ({ value: String(latest), label: t(`search.latest.${latest}`) })),
          },
        ]}
        load={load}
        isLong
        rowId={rowId}
        rowName={rowName}
        rowActions={actions}
        empty={<EmptyState text={t('definitions.empty')} />}
      />
      {shown === null ? null : (
        <Suspense>
          <ImageDialog processDefinitionId={shown.id} name={shown.name} onClose={() => setShown(null)} />
        </Suspense>
      )}
    </>
  )
}
