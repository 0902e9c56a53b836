import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { Resource } from '#contract/kernel/resource.ts'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import type { Row } from '#web/resource/fields.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import type { RowAction } from '#web/ui/data-table.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { examTexts } from '../texts.ts'
import { cellsOf, inputsOf, useSearchOptions } from './inputs.tsx'

/** A library: plain, with entries that can be taken out of use (S7.61 `changeStatus`). */
export const LibraryPage = ({ resource, canSwitch }: { readonly resource: Resource; readonly canSwitch: boolean }) => {
  const t = useT(examTexts)
  const can = useCan()
  const client = useQueryClient()
  const mayEdit = canSwitch && can(`${resource.permission}_edit`)
  const { basePath, name } = resource
  const toggle = useCallback(
    async (row: Row) => {
      try {
        await api.request({
          method: 'POST',
          path: `${basePath}/changeStatus`,
          body: { id: row.id, status: Number(row.status) === 1 ? 0 : 1 },
        })
      } catch {
        return // The api client has said why.
      }
      notify('success', t('done.ok'))
      await Promise.all([client.invalidateQueries({ queryKey: listKey(name) }), client.invalidateQueries({ queryKey: ['library-items'] })])
    },
    [basePath, name, client, t],
  )
  const actions = useCallback(
    (row: Row): readonly RowAction[] =>
      mayEdit
        ? [
            {
              key: 'status',
              label: t(Number(row.status) === 1 ? 'library.disable' : 'library.enable'),
              onRun: () => void toggle(row),
            },
          ]
        : [],
    [mayEdit, toggle, t],
  )
  const cells = useMemo(
    () => ({
      ...cellsOf(resource),
      status: (row: Row) =>
        Number(row.status) === 1 ? <StatusTag tone="passed" text={t('library.on')} /> : <StatusTag tone="closed" text={t('library.off')} />,
    }),
    [t, resource],
  )
  const inputs = useMemo(() => inputsOf(resource), [resource])
  const options = useSearchOptions(resource)
  const states = [
    { value: '1', label: t('library.on') },
    { value: '0', label: t('library.off') },
  ]
  return (
    <ResourcePage
      resource={resource}
      cells={cells}
      inputs={inputs}
      searchOptions={{ ...options, status: states }}
      {...(mayEdit ? { rowActions: actions } : {})}
    />
  )
}
