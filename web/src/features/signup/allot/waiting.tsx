import { useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { Dialog } from '#web/ui/modal.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { Wait } from '../wait.tsx'
import { type Level, type Reviewer, useFresh } from './reviewers.ts'
import { allotTexts } from './texts.ts'

type Row = ApiOutput<'GET /blade-exam/examination/getAllotted'>['records'][number]

const TransferDialog = ({
  row,
  level,
  reviewers,
  onClose,
}: {
  readonly row: Row
  readonly level: Level
  readonly reviewers: readonly Reviewer[]
  readonly onClose: () => void
}) => {
  const t = useT(allotTexts)
  const refresh = useFresh()
  const [userId, setUserId] = useState('')
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const send = async (close: () => void) => {
    if (userId === '' || reason.trim() === '') return notify('warning', `${t('need')}：${userId === '' ? t('transfer.to') : t('reason')}`)
    setBusy(true)
    try {
      const { to } = await api.call('POST /blade-exam/examination/transferAllot', {
        signUpId: row.signUpId,
        level,
        userId,
        reason: reason.trim(),
      })
      notify('success', t('transfer.done', { name: to }))
      close()
      await refresh()
    } catch {
      // The api client has said why; what was typed stays.
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t('transfer.title', { name: row.name ?? row.signNo ?? '' })}
      onClose={onClose}
      footer={close => (
        <div className="form-footer">
          <button type="button" className="button" onClick={close}>
            {t('action.cancel')}
          </button>
          <button type="button" className="button button-primary" disabled={busy} onClick={() => void send(close)}>
            {t('transfer')}
          </button>
        </div>
      )}
    >
      <div className="dialog-body">
        <label className="field">
          <span>{t('transfer.to')}</span>
          <select className="input" value={userId} onChange={event => setUserId(event.target.value)}>
            <option value="" />
            {reviewers
              .filter(one => one.state === 1 && one.userId !== row.userId)
              .map(one => (
                <option key={one.userId} value={one.userId}>
                  {one.name}（{t('waiting')} {one.waiting}）
                </option>
              ))}
          </select>
        </label>
        <label className="field">
          <span>{t('reason')}</span>
          <input className="input" maxLength={200} value={reason} onChange={event => setReason(event.target.value)} />
        </label>
      </div>
    </Dialog>
  )
}

/** Which sign-ups wait for whom, the longest first; each can be moved. */
export const Waiting = ({
  examId,
  level,
  reviewers,
}: {
  readonly examId: string
  readonly level: Level
  readonly reviewers: readonly Reviewer[]
}) => {
  const t = useT(allotTexts)
  const can = useCan()
  const [holder, setHolder] = useState('')
  const [overdue, setOverdue] = useState(false)
  const [page, setPage] = useState({ current: 1, size: 10 })
  const [moved, setMoved] = useState<Row | null>(null)
  const rows = useCall(
    'GET /blade-exam/examination/getAllotted',
    { examId, level, ...page, ...(holder === '' ? {} : { userId: holder }), ...(overdue ? { overdue: 1 as const } : {}) },
    { quiet: true, keepPrevious: true },
  )
  const first = () => setPage({ ...page, current: 1 })
  return (
    <section className="card">
      <h2>{t('list')}</h2>
      <div className="allot-bar">
        <label>
          <span>{t('holder')}</span>
          <select
            className="input"
            value={holder}
            onChange={event => {
              setHolder(event.target.value)
              first()
            }}
          >
            <option value="">{t('holder.all')}</option>
            <option value="0">{t('holder.none')}</option>
            {reviewers.map(one => (
              <option key={one.userId} value={one.userId}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
        <label className="allot-check">
          <input
            type="checkbox"
            checked={overdue}
            onChange={event => {
              setOverdue(event.target.checked)
              first()
            }}
          />
          {t('onlyOverdue')}
        </label>
      </div>
      <Loaded query={rows} skeletonRows={4}>
        {({ records, total }) =>
          records.length === 0 ? (
            <EmptyState text={t('list.empty')} />
          ) : (
            <>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
              <section className="plain-table" aria-label={t('list')} tabIndex={0}>
                <table>
                  <thead>
                    <tr>
                      {(['signNo', 'name', 'post', 'holder', 'wait', 'reason'] as const).map(key => (
                        <th key={key} scope="col">
                          {t(key)}
                        </th>
                      ))}
                      <td />
                    </tr>
                  </thead>
                  <tbody>
                    {records.map(row => (
                      <tr key={row.signUpId}>
                        <td>{row.signNo}</td>
                        <td>{row.name}</td>
                        <td>{`${row.unitName ?? ''} ${row.code ?? ''} ${row.codeName ?? ''}`.trim()}</td>
                        <td>
                          {row.reviewerName ?? t('holder.none')}
                          {row.isOpen ? ` · ${t('open')}` : ''}
                        </td>
                        <td className={row.isOverdue ? 'allot-late' : undefined}>
                          <Wait minutes={row.waitMinutes} />
                        </td>
                        <td>{row.reason}</td>
                        <td>
                          {can('examine_allot') && !row.isOpen ? (
                            <button
                              type="button"
                              className="link-button"
                              aria-label={`${t('transfer')} ${row.name ?? row.signNo ?? ''}`}
                              onClick={() => setMoved(row)}
                            >
                              {t('transfer')}
                            </button>
                          ) : null}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </section>
              <Pager current={page.current} size={page.size} total={total} onChange={(current, size) => setPage({ current, size })} />
            </>
          )
        }
      </Loaded>
      {moved === null ? null : <TransferDialog row={moved} level={level} reviewers={reviewers} onClose={() => setMoved(null)} />}
    </section>
  )
}
