import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { param } from '#contract/tenancy/param.resource.ts'
import { parameterRules } from '#contract/tenancy/parameter-rules.ts'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import type { Row } from '#web/resource/fields.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import type { RowAction } from '#web/ui/data-table.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { parameterTexts } from './texts.ts'

/** The tenant's parameters: each says whose value it is, and goes back to the platform's. */
export const Page = () => {
  const t = useT(parameterTexts)
  const can = useCan()
  const client = useQueryClient()
  const mayEdit = can('param_edit')
  const cells = useMemo(
    () => ({
      isOwn: (row: Row) =>
        Number(row.isOwn) === 1 ? (
          <StatusTag tone="active" text={t('param.own')} />
        ) : (
          <StatusTag tone="closed" text={t('param.platform')} />
        ),
    }),
    [t],
  )
  const reset = useCallback(
    async (row: Row) => {
      const what = String(row.paramName)
      if (!(await confirm({ title: t('param.reset'), text: t('param.reset.ask', { what }) }))) return
      try {
        const { changed } = await api.call('POST /blade-system/param/reset', { ids: row.id })
        notify('success', t('param.reset.done', { count: changed }))
        await client.invalidateQueries({ queryKey: listKey(param.name) })
      } catch {
        // The api client has said why.
      }
    },
    [t, client],
  )
  const actions = useCallback(
    (row: Row): readonly RowAction[] =>
      mayEdit && Number(row.isOwn) === 1 ? [{ key: 'reset', label: t('param.reset'), onRun: () => void reset(row) }] : [],
    [mayEdit, reset, t],
  )
  const keeps = useCallback(
    (row: Row) => (Object.hasOwn(parameterRules, String(row.paramKey)) ? t('param.builtIn', { key: String(row.paramKey) }) : undefined),
    [t],
  )
  return <ResourcePage resource={param} cells={cells} rowActions={actions} keeps={keeps} />
}
