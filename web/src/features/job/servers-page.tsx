import { useCallback, useMemo } from 'react'
import { jobServer } from '#contract/job/job-server.resource.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import type { Row } from '#web/resource/fields.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import type { RowAction } from '#web/ui/data-table.tsx'
import { SyncButton, syncServers } from './sync-button.tsx'
import { jobTexts } from './texts.ts'

/** Where jobs run (S2.48). */
export const Page = () => {
  const t = useT(jobTexts)
  const can = useCan()
  const cells = useMemo(
    () => ({
      jobServerUrl: (row: Row) => (String(row.jobServerUrl) === '' ? t('server.builtIn') : String(row.jobServerUrl)),
      isOpen: (row: Row) => (Number(row.isOpen) === 1 ? undefined : ''),
    }),
    [t],
  )
  const actions = useCallback(
    (row: Row): readonly RowAction[] => {
      const [first = ''] = String(row.jobServerUrl).split(',')
      return first === ''
        ? []
        : [{ key: 'open', label: t('server.open'), onRun: () => void window.open(first, '_blank', 'noopener,noreferrer') }]
    },
    [t],
  )
  return (
    <ResourcePage
      resource={jobServer}
      cells={cells}
      rowActions={actions}
      toolbar={() => (can('jobserver_sync') ? <SyncButton name={jobServer.name} ids={[]} call={syncServers} /> : null)}
    />
  )
}
