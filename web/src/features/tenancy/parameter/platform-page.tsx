import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useSaid } from '#web/kernel/said.ts'
import { CrudPage, type ListQuery, listKey } from '#web/resource/crud-page.tsx'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { parameterTexts } from './texts.ts'

type Row = ApiOutput<'GET /blade-system/platform-param/list'>[number]
const rowId = (row: Row) => row.paramKey
const rowName = (row: Row) => row.paramName

/** All of them come at once; the page cuts its part. */
const load = async (query: ListQuery, signal: AbortSignal) => {
  const { current, size, paramKey, paramName } = query
  const all = await api.call(
    'GET /blade-system/platform-param/list',
    { ...(paramKey ? { paramKey: String(paramKey) } : {}), ...(paramName ? { paramName: String(paramName) } : {}) },
    { signal, quiet: true },
  )
  const from = (Number(current) - 1) * Number(size)
  return { records: all.slice(from, from + Number(size)), total: all.length }
}

const EditDialog = ({ row, onClose }: { readonly row: Row; readonly onClose: () => void }) => {
  const t = useT(parameterTexts)
  const client = useQueryClient()
  const [value, setValue] = useState(row.paramValue)
  const [wrong, setWrong] = useSaid<string | undefined>(undefined)
  const save = async () => {
    try {
      const { changed, waiting } = await api.call(
        'POST /blade-system/platform-param/submit',
        { paramKey: row.paramKey, paramValue: value.trim(), version: row.version },
        { quiet: 'fields' },
      )
      notify('success', waiting ?? t('platform.done', { count: changed }))
      await client.invalidateQueries({ queryKey: listKey('platform-param') })
      return true
    } catch (error) {
      setWrong(Object.values(fieldTexts(error))[0]) // Without fields the api client has said why.
      return false
    }
  }
  return (
    <ActionDialog
      title={row.paramName}
      actions={[{ label: t('action.save'), disabled: value.trim() === '', run: save }]}
      hasChanges={() => value !== row.paramValue}
      onClose={onClose}
    >
      <p>{t('platform.lead')}</p>
      <LabelledInput label={t('platform.value')} error={wrong} maxLength={2000} value={value} onChange={setValue} />
    </ActionDialog>
  )
}

/** Values of the platform, which hold in every tenant that has none of its own. */
export const Page = () => {
  const t = useT(parameterTexts)
  const can = useCan()
  const mayEdit = can('platformparam_edit')
  const [edited, setEdited] = useState<Row | null>(null)
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      { key: 'paramName', title: t('platform.name'), width: 320, cell: row => row.paramName },
      { key: 'paramKey', title: t('platform.key'), width: 220, cell: row => row.paramKey },
      { key: 'paramValue', title: t('platform.value'), width: 140, cell: row => row.paramValue },
      {
        key: 'ownCount',
        title: t('platform.own'),
        align: 'right',
        cell: row => (row.platformOnly === 1 ? <StatusTag tone="closed" text={t('platform.only')} /> : row.ownCount),
      },
      { key: 'updateTime', title: t('platform.time'), cell: row => minuteOf(row.updateTime) },
    ],
    [t],
  )
  const actions = useCallback(
    (row: Row): readonly RowAction[] => [{ key: 'edit', label: t('action.edit'), onRun: () => setEdited(row) }],
    [t],
  )
  return (
    <>
      <CrudPage<Row>
        name="platform-param"
        title={t('platform.title')}
        columns={columns}
        search={[
          { kind: 'text', key: 'paramName', label: t('platform.name') },
          { kind: 'text', key: 'paramKey', label: t('platform.key') },
        ]}
        load={load}
        rowId={rowId}
        rowName={rowName}
        rowActions={mayEdit ? actions : undefined}
        empty={<EmptyState text={t('platform.empty')} />}
      />
      {edited === null ? null : <EditDialog row={edited} onClose={() => setEdited(null)} />}
    </>
  )
}
