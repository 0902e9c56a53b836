import { useQueryClient } from '@tanstack/react-query'
import type { SyncCounts } from '#contract/job/job.routes.ts'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { jobTexts } from './texts.ts'

/** Compares jobs with their servers, both ways, and says what came of it. */
export const SyncButton = ({
  name,
  ids,
  call,
}: {
  readonly name: string
  readonly ids: readonly string[]
  readonly call: () => Promise<SyncCounts>
}) => {
  const t = useT(jobTexts)
  const client = useQueryClient()
  const run = async () => {
    if (!(await confirm({ title: t('sync'), text: t('sync.ask'), ok: t('sync') }))) return
    let done: SyncCounts
    try {
      done = await call()
    } catch {
      return // The api client has said why.
    }
    const { created, updated, pushed, failed, problems } = done
    notify(failed > 0 ? 'warning' : 'success', [t('sync.done', { created, updated, pushed, failed }), ...problems].join('\n'))
    await client.invalidateQueries({ queryKey: listKey(name) })
  }
  return (
    <button type="button" className="button" data-chosen={ids.length} onClick={() => void run()}>
      {t('sync')}
    </button>
  )
}

/** All jobs of all servers. */
export const syncServers = (): Promise<SyncCounts> => api.call('POST /blade-job/job-server/sync', {})
/** Those chosen, or all. */
export const syncJobs = (ids: readonly string[]): Promise<SyncCounts> =>
  api.call('POST /blade-job/job-info/sync', ids.length === 0 ? {} : { ids: ids.join(',') })
