import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { dataScope } from '#contract/access/scope.resources.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import type { Row } from '#web/resource/fields.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import { useTargets } from './targets.ts'
import { scopeTexts } from './texts.ts'
import '../access.css'

const ScopeDialog = lazy(async () => ({ default: (await import('./scope-dialog.tsx')).ScopeDialog }))
const types = [1, 2, 3, 4, 5] as const

/** Which rows roles see of which nouns (S7.15). */
export const Page = () => {
  const t = useT(scopeTexts)
  const label = useLabel()
  const can = useCan()
  const client = useQueryClient()
  const [opened, setOpened] = useState<{ readonly id: string | undefined } | null>(null)
  const targets = useTargets().data
  const nameOf = useCallback(
    (code: unknown) => {
      const found = targets?.find(target => target.code === code)
      return found === undefined ? String(code) : label(found.label)
    },
    [targets, label],
  )
  const cells = useMemo(
    () => ({
      resourceCode: (row: Row) => nameOf(row['resourceCode']),
      scopeType: (row: Row) => t(`type.${row['scopeType'] as (typeof types)[number]}`),
    }),
    [nameOf, t],
  )
  const mayEdit = can('datascope_edit')
  const rowActions = useCallback(
    (row: Row) => (mayEdit ? [{ key: 'edit', label: t('action.edit'), onRun: () => setOpened({ id: row.id }) }] : []),
    [mayEdit, t],
  )
  return (
    <>
      <ResourcePage
        resource={dataScope}
        without={['edit', 'view']}
        onAdd={() => setOpened({ id: undefined })}
        cells={cells}
        searchOptions={{
          resourceCode: (targets ?? []).map(target => ({ value: target.code, label: label(target.label) })),
          scopeType: types.map(type => ({ value: String(type), label: t(`type.${type}`) })),
        }}
        rowActions={rowActions}
        above={<p className="access-lead">{t('scope.lead')}</p>}
      />
      {opened === null ? null : (
        <Suspense>
          <ScopeDialog
            id={opened.id}
            onClose={() => setOpened(null)}
            onSaved={() => void client.invalidateQueries({ queryKey: listKey(dataScope.name) })}
          />
        </Suspense>
      )}
    </>
  )
}
