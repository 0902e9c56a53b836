import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { CrudPage, type ListQuery, listKey } from '#web/resource/crud-page.tsx'
import { goTo } from '#web/shell/go.ts'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { modelTexts } from './texts.ts'
import '../flow.css'

const DeployDialog = lazy(async () => ({ default: (await import('./deploy-dialog.tsx')).DeployDialog }))
const NewDialog = lazy(async () => ({ default: (await import('./new-dialog.tsx')).NewDialog }))

type Row = ApiOutput<'GET /blade-flow/model/list'>['records'][number]
const name = 'flow-models'
const rowId = (row: Row) => row.id
const rowName = (row: Row) => row.name
const load = (query: ListQuery, signal: AbortSignal) =>
  api.request<ApiOutput<'GET /blade-flow/model/list'>>({ method: 'GET', path: '/blade-flow/model/list', query, signal })

/** Drawn processes, before they are deployed. */
export const Page = () => {
  const t = useT(modelTexts)
  const can = useCan()
  const client = useQueryClient()
  const [adding, setAdding] = useState(false)
  const [deployed, setDeployed] = useState<Row | null>(null)
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      { key: 'name', title: t('col.name'), width: 220, cell: row => row.name },
      { key: 'modelKey', title: t('col.key'), cell: row => row.modelKey },
      { key: 'description', title: t('col.description'), cell: row => row.description },
      { key: 'version', title: t('col.version'), align: 'right', cell: row => row.version },
      { key: 'lastUpdated', title: t('col.updated'), cell: row => minuteOf(row.lastUpdated) },
      { key: 'created', title: t('col.created'), hidden: true, cell: row => minuteOf(row.created) },
    ],
    [t],
  )
  const remove = useCallback(
    async (row: Row) => {
      const text = t('models.remove.ask', { name: row.name })
      if (!(await confirm({ title: t('models.remove'), text, danger: true }))) return
      const done = await api.call('POST /blade-flow/model/remove', { ids: row.id }).catch(() => null)
      if (done !== null) notify('success', t('models.removed'))
      await client.invalidateQueries({ queryKey: listKey(name) })
    },
    [t, client],
  )
  const mayDraw = can('flow_model_update')
  const mayDeploy = can('flow_model_deploy')
  const mayRemove = can('flow_model_delete')
  const actions = useCallback(
    (row: Row): readonly RowAction[] => [
      ...(mayDraw ? [{ key: 'design', label: t('models.design'), onRun: () => goTo(`/flow/design/${row.id}`) }] : []),
      ...(mayDeploy ? [{ key: 'deploy', label: t('models.deploy'), onRun: () => setDeployed(row) }] : []),
      ...(mayRemove ? [{ key: 'remove', label: t('models.remove'), danger: true, onRun: () => void remove(row) }] : []),
    ],
    [t, mayDraw, mayDeploy, mayRemove, remove],
  )
  const create = (
    <button type="button" className="button button-primary" onClick={() => setAdding(true)}>
      {t('models.new')}
    </button>
  )
  const mayCreate = can('flow_model_create')
  return (
    <>
      <CrudPage<Row>
        name={name}
        title={t('models.title')}
        columns={columns}
        search={[
          { kind: 'text', key: 'name', label: t('col.name') },
          { kind: 'text', key: 'modelKey', label: t('col.key') },
        ]}
        load={load}
        rowId={rowId}
        rowName={rowName}
        rowActions={actions}
        toolbar={() => (mayCreate ? create : null)}
        empty={<EmptyState text={t('models.empty')} />}
      />
      <Suspense>
        {adding ? <NewDialog onClose={() => setAdding(false)} /> : null}
        {deployed === null ? null : <DeployDialog modelId={deployed.id} name={deployed.name} onClose={() => setDeployed(null)} />}
      </Suspense>
    </>
  )
}
