import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { exportJobStates } from '#contract/kernel/export-job.state.ts'
import { api } from '../kernel/api.ts'
import { grouped, minuteOf, sizeOf } from '../kernel/format.ts'
import { defineTexts, useT } from '../kernel/i18n/index.ts'
import { Dialog } from '../ui/modal.tsx'
import { Pager } from '../ui/pager.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { EmptyState, Loaded } from '../ui/states.tsx'
import { type ExportJob, isOpenJob, jobPercent } from './export-jobs.ts'
import { type Fetching, fetchArchive, useFetching } from './fetch-archive.ts'

export const exportTexts = defineTexts(
  {
    title: '我的导出',
    lead: '数据较多时导出在后台进行，可以关闭窗口继续工作。文件保留 24 小时。',
    name: '文件',
    rows: '行数',
    when: '时间',
    state: '状态',
    empty: '还没有导出过数据较多的文件',
    progress: '已写入 {done} / {total} 行',
    waiting: '排队中，共 {total} 行',
    download: '下载{name}',
    cancel: '取消{name}',
    until: '{time} 前可下载',
    now: '本次导出',
    fetching: '已下载 {done}，共 {total}',
    broken: '下载中断，已下载 {done}（共 {total}）；点“继续下载”接着下载，已下载的部分不会丢失。',
    resume: '继续下载',
    'resume.of': '继续下载{name}',
    approval: '等待他人同意，共 {total} 人',
  },
  {
    title: 'My exports',
    lead: 'Large exports are made in the background; you may close this window and go on working. Files are kept for 24 hours.',
    name: 'File',
    rows: 'Rows',
    when: 'Time',
    state: 'State',
    empty: 'No large export has been ordered yet',
    progress: '{done} of {total} rows written',
    waiting: 'Waiting, {total} rows',
    download: 'Download {name}',
    cancel: 'Cancel {name}',
    until: 'until {time}',
    now: 'This export',
    fetching: '{done} of {total} downloaded',
    broken: 'The download broke off at {done} of {total}. Press “Go on” to fetch the rest; what has come is kept.',
    resume: 'Go on',
    'resume.of': 'Go on with {name}',
    approval: 'Waits for somebody’s approval, {total} people',
  },
)

const pollMs = 1_000

export type JobAct = (job: ExportJob) => void

/** One export that is on its way, or has just ended. */
export const JobProgress = ({ job }: { readonly job: ExportJob }) => {
  const t = useT(exportTexts)
  const counts = { done: grouped(job.done), total: grouped(job.total) }
  return (
    <ProgressBar
      percent={jobPercent(job)}
      label={job.fileName}
      text={job.state === 1 ? t('approval', counts) : job.state === 0 ? t('waiting', counts) : t('progress', counts)}
    />
  )
}

const FetchState = ({ of, name }: { readonly of: Fetching; readonly name: string }) => {
  const t = useT(exportTexts)
  const sizes = { done: sizeOf(of.done), total: sizeOf(of.size) }
  if (of.isBroken) return <p role="alert">{t('broken', sizes)}</p>
  return <ProgressBar percent={Math.floor((100 * of.done) / of.size)} label={name} text={t('fetching', sizes)} />
}

const JobState = ({ job, fetching }: { readonly job: ExportJob; readonly fetching: Fetching | undefined }) => {
  const t = useT(exportTexts)
  if (isOpenJob(job)) return <JobProgress job={job} />
  if (job.state === 4 && fetching !== undefined) return <FetchState of={fetching} name={job.fileName} />
  return (
    <>
      <StateTag of={exportJobStates} wire={job.state} />
      {job.problem === null ? null : <div className="field-error">{job.problem}</div>}
      {job.state === 4 && job.expireTime !== null ? <small>{t('until', { time: minuteOf(job.expireTime) })}</small> : null}
    </>
  )
}

/** The exports of one person, the newest first. */
export const JobTable = ({
  jobs,
  justOrdered,
  onDownload,
  onCancel,
}: {
  readonly jobs: readonly ExportJob[]
  readonly justOrdered: string | null
  readonly onDownload: JobAct
  readonly onCancel: JobAct
}) => {
  const t = useT(exportTexts)
  const fetchings = useFetching()
  if (jobs.length === 0) return <EmptyState text={t('empty')} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="plain-table export-jobs" aria-label={t('title')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('name')}</th>
            <th scope="col" data-align="right">
              {t('rows')}
            </th>
            <th scope="col">{t('when')}</th>
            <th scope="col">{t('state')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {jobs.map(job => (
            <tr key={job.id} aria-current={job.id === justOrdered || undefined}>
              <td className="wrap">
                {job.fileName}
                {job.sizeBytes === null ? null : <small> {sizeOf(job.sizeBytes)}</small>}
                {job.id === justOrdered ? <small> · {t('now')}</small> : null}
              </td>
              <td data-align="right">{grouped(job.total)}</td>
              <td>{minuteOf(job.createTime)}</td>
              <td>
                <JobState job={job} fetching={fetchings[job.id]} />
              </td>
              <td>
                {job.state === 4 ? (
                  <button
                    type="button"
                    className="link-button"
                    aria-label={t(fetchings[job.id]?.isBroken ? 'resume.of' : 'download', { name: job.fileName })}
                    disabled={fetchings[job.id]?.isBroken === false}
                    onClick={() => onDownload(job)}
                  >
                    {fetchings[job.id]?.isBroken ? t('resume') : t('action.download')}
                  </button>
                ) : null}
                {isOpenJob(job) ? (
                  <button
                    type="button"
                    className="link-button"
                    data-danger="true"
                    aria-label={t('cancel', { name: job.fileName })}
                    onClick={() => onCancel(job)}
                  >
                    {t('action.cancel')}
                  </button>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The window of my exports: what is being made, with progress, and what can be fetched. */
export const ExportDialog = ({ justOrdered, onClose }: { readonly justOrdered: string | null; readonly onClose: () => void }) => {
  const t = useT(exportTexts)
  const client = useQueryClient()
  const [page, setPage] = useState({ current: 1, size: 10 })
  const jobs = useQuery({
    queryKey: ['export-jobs', page],
    queryFn: ({ signal }) => api.call('GET /blade-exam/exportjob/page', page, { signal, quiet: true }),
    refetchInterval: query => (query.state.data?.records.some(isOpenJob) ? pollMs : false),
    staleTime: 0,
  })
  const cancel = async (job: ExportJob) => {
    await api.request({ method: 'POST', path: '/blade-exam/exportjob/cancel', body: { id: job.id } }).catch(() => {})
    await client.invalidateQueries({ queryKey: ['export-jobs'] })
  }
  return (
    <Dialog
      title={t('title')}
      size="two"
      onClose={onClose}
      footer={close => (
        <div className="form-footer">
          <button type="button" className="button" onClick={close}>
            {t('action.close')}
          </button>
        </div>
      )}
    >
      <div className="dialog-body">
        <p className="dialog-lead">{t('lead')}</p>
        <Loaded query={jobs} skeletonRows={4}>
          {({ records, total }) => (
            <>
              <JobTable
                jobs={records}
                justOrdered={justOrdered}
                onDownload={job => void fetchArchive(job)}
                onCancel={job => void cancel(job)}
              />
              {total > page.size ? (
                <Pager current={page.current} size={page.size} total={total} onChange={(current, size) => setPage({ current, size })} />
              ) : null}
            </>
          )}
        </Loaded>
      </div>
    </Dialog>
  )
}
