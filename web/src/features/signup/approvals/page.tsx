import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { grouped, minuteOf } from '#web/kernel/format.ts'
import { defineTexts, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCall } from '#web/kernel/query.ts'
import { openExports } from '#web/resource/export-jobs.ts'
import { confirm } from '#web/ui/dialog.tsx'
import { ReasonDialog } from '#web/ui/reason-dialog.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'

const approvalTexts = defineTexts(
  {
    title: '导出审批',
    lead: '人数较多的材料导出须由申请人以外的人同意后才会生成。',
    what: '内容',
    reason: '用途',
    count: '人数',
    by: '申请人',
    time: '时间',
    own: '本人申请，须由他人审批',
    approve: '同意',
    refuse: '不同意',
    'approve.ask': '同意后即生成文件，由{name}下载：{what}',
    'refuse.reason': '原因',
    'refuse.need': '请填写不同意的原因',
    done: '已处理',
    empty: '没有等待审批的导出',
    mine: '我的导出',
  },
  {
    title: 'Approvals of exports',
    lead: 'Files of many people are made only when somebody other than the applicant agrees.',
    what: 'What',
    reason: 'For',
    count: 'People',
    by: 'Asked by',
    time: 'Time',
    own: 'Your own; somebody else decides',
    approve: 'Agree',
    refuse: 'Refuse',
    'approve.ask': 'The file is made then, for {name} to download: {what}',
    'refuse.reason': 'Reason',
    'refuse.need': 'Say why you refuse',
    done: 'Done',
    empty: 'No export waits for an approval',
    mine: 'My exports',
  },
)

/** Exports of others that wait for an approval (domain P13), and the way to one's own. */
export const Page = () => {
  const t = useT(approvalTexts)
  const client = useQueryClient()
  const [refused, setRefused] = useState<{ readonly id: string; readonly what: string } | null>(null)
  const rows = useCall('GET /blade-exam/exportjob/approvals', { size: 50 }, { quiet: true })
  const refresh = () => client.invalidateQueries({ queryKey: ['GET /blade-exam/exportjob/approvals'] })
  const approve = async (row: { id: string; what: string; askedBy: string }) => {
    if (!(await confirm({ title: t('approve'), text: t('approve.ask', { name: row.askedBy, what: row.what }) }))) return
    try {
      await api.call('POST /blade-exam/exportjob/approve', { id: row.id, pass: 1 })
      notify('success', t('done'))
    } catch {
      // The api client has said why.
    }
    await refresh()
  }
  return (
    <>
      <div className="page-head">
        <h1>{t('title')}</h1>
        <button type="button" className="button" onClick={() => openExports()}>
          {t('mine')}
        </button>
      </div>
      <p className="page-lead">{t('lead')}</p>
      <Loaded query={rows} skeletonRows={4}>
        {({ records }) =>
          records.length === 0 ? (
            <EmptyState text={t('empty')} />
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
            <section className="plain-table" aria-label={t('title')} tabIndex={0}>
              <table>
                <thead>
                  <tr>
                    {(['what', 'reason', 'count', 'by', 'time'] as const).map(key => (
                      <th key={key} scope="col">
                        {t(key)}
                      </th>
                    ))}
                    <td />
                  </tr>
                </thead>
                <tbody>
                  {records.map(row => (
                    <tr key={row.id}>
                      <td className="wrap">{row.what}</td>
                      <td className="wrap">{row.reason}</td>
                      <td>{grouped(row.total)}</td>
                      <td>{row.askedBy}</td>
                      <td>{minuteOf(row.createTime)}</td>
                      <td>
                        {row.isOwn ? (
                          t('own')
                        ) : (
                          <>
                            <button
                              type="button"
                              className="link-button"
                              aria-label={`${t('approve')} ${row.what}`}
                              onClick={() => void approve(row)}
                            >
                              {t('approve')}
                            </button>{' '}
                            <button
                              type="button"
                              className="link-button"
                              data-danger="true"
                              aria-label={`${t('refuse')} ${row.what}`}
                              onClick={() => setRefused(row)}
                            >
                              {t('refuse')}
                            </button>
                          </>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          )
        }
      </Loaded>
      {refused === null ? null : (
        <ReasonDialog
          title={t('refuse')}
          lead={refused.what}
          label={t('refuse.reason')}
          missing={t('refuse.need')}
          ok={t('refuse')}
          onClose={() => setRefused(null)}
          send={async remark => {
            await api.call('POST /blade-exam/exportjob/approve', { id: refused.id, pass: 0, remark }, { quiet: 'fields' })
            await refresh()
          }}
        />
      )}
    </>
  )
}
