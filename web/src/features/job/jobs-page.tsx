import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Switch } from 'antd'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { jobInfo } from '#contract/job/job-info.resource.ts'
import type { Field } from '#contract/kernel/field.ts'
import { api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import type { Row } from '#web/resource/fields.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import type { InputSlots } from '#web/resource/schema-form.tsx'
import type { RowAction } from '#web/ui/data-table.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { CronInput, LifeInput, PeopleInput, ProcessorInput } from './inputs.tsx'
import { SyncButton, syncJobs } from './sync-button.tsx'
import { jobTexts } from './texts.ts'

const RunsDialog = lazy(async () => ({ default: (await import('./runs-dialog.tsx')).RunsDialog }))

const inputs: InputSlots = {
  timeExpression: props => <CronInput {...props} />,
  lifecycle: props => <LifeInput {...props} />,
  processorInfo: props => <ProcessorInput {...props} />,
  notifyUserIds: props => <PeopleInput {...props} />,
}

/** Numbers of a PowerJob server that the lists here do not have are shown as what they are. */
const worded = ['timeExpressionType', 'executeType', 'processorType', 'dispatchStrategy', 'logType', 'logLevel'] as const

/** What runs when (S2.49). */
export const Page = () => {
  const t = useT(jobTexts)
  const label = useLabel()
  const can = useCan()
  const client = useQueryClient()
  const [opened, setOpened] = useState<Row | null>(null)
  const reload = useCallback(() => client.invalidateQueries({ queryKey: listKey(jobInfo.name) }), [client])
  const mayEdit = can('jobinfo_edit')
  const { data: processors } = useQuery({
    queryKey: ['job-processors'],
    queryFn: ({ signal }) => api.call('GET /blade-job/job-info/processors', {}, { signal, quiet: true }),
  })
  const change = useCallback(
    async (row: Row, isOn: boolean) => {
      try {
        await api.call('POST /blade-job/job-info/change', { id: row.id, enable: isOn ? 1 : 0 })
        notify('success', t(isOn ? 'job.on' : 'job.off'))
      } catch {
        // The api client has said why.
      }
      await reload()
    },
    [reload, t],
  )
  const cells = useMemo(() => {
    const words = Object.fromEntries(
      worded.map(name => [
        name,
        (row: Row) => {
          const known = (jobInfo.fields[name] as Field).words?.[String(row[name])]
          return known === undefined ? t('job.other', { value: String(row[name]) }) : label(known)
        },
      ]),
    )
    return {
      ...words,
      // The program's own work is called as the reader calls it, not as it was stored. Where the list is narrow the next run stands below the name.
      jobName: (row: Row) => {
        const own = Number(row.isOwn) === 1 ? processors?.find(({ processor }) => processor === row.processorInfo)?.label : undefined
        return (
          <span className="job-name">
            <span>{own ?? String(row.jobName)}</span>
            {row.nextTime === '' ? null : <span className="job-next">{t('job.next', { at: minuteOf(String(row.nextTime)) })}</span>}
          </span>
        )
      },
      enable: (row: Row) => (
        <Switch
          size="small"
          checked={Number(row.enable) === 1}
          disabled={!mayEdit}
          aria-label={t('job.enable', { name: String(row.jobName) })}
          onChange={isOn => void change(row, isOn)}
        />
      ),
    }
  }, [t, label, mayEdit, change, processors])
  const [mayRun, mayAdd] = [can('jobinfo_run'), can('jobinfo_add')]
  const actions = useCallback(
    (row: Row): readonly RowAction[] => {
      const name = String(row.jobName)
      const run = async () => {
        if (!(await confirm({ title: t('job.run'), text: t('job.run.ask', { name }), ok: t('job.run') }))) return
        try {
          const { instanceId } = await api.call('POST /blade-job/job-info/run', { id: row.id })
          notify('success', t('job.run.done', { id: instanceId }))
        } catch {
          return // The api client has said why.
        }
        await reload()
      }
      const copy = async () => {
        try {
          await api.call('POST /blade-job/job-info/copy', { id: row.id })
        } catch {
          return // The api client has said why.
        }
        notify('success', t('job.copy.done'))
        await reload()
      }
      return [
        ...(mayRun ? [{ key: 'run', label: t('job.run'), onRun: () => void run() }] : []),
        { key: 'runs', label: t('job.runs'), onRun: () => setOpened(row) },
        ...(mayAdd && Number(row.isOwn) !== 1 ? [{ key: 'copy', label: t('job.copy'), onRun: () => void copy() }] : []),
      ]
    },
    [t, mayRun, mayAdd, reload],
  )
  return (
    <>
      <ResourcePage
        resource={jobInfo}
        cells={cells}
        inputs={inputs}
        rowActions={actions}
        toolbar={({ selected }) =>
          can('jobinfo_sync') ? <SyncButton name={jobInfo.name} ids={[...selected]} call={() => syncJobs([...selected])} /> : null
        }
      />
      {opened === null ? null : (
        <Suspense fallback={null}>
          <RunsDialog jobId={opened.id} jobName={String(opened.jobName)} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </>
  )
}
