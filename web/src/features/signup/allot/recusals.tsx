import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { ReasonDialog } from '#web/ui/reason-dialog.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { type Reviewer, useFresh } from './reviewers.ts'
import { allotTexts } from './texts.ts'

const AddRecusal = ({
  examId,
  reviewers,
  unitNames,
}: {
  readonly examId: string
  readonly reviewers: readonly Reviewer[]
  readonly unitNames: ReadonlyMap<string, string>
}) => {
  const t = useT(allotTexts)
  const refresh = useFresh()
  const blank = { userId: '', unit: '', signNo: '', reason: '' }
  const [of, setOf] = useState(blank)
  const [busy, setBusy] = useState(false)
  const isReady = of.userId !== '' && of.reason.trim() !== '' && (of.unit !== '' || of.signNo.trim() !== '')
  const send = async () => {
    setBusy(true)
    try {
      let about: { unit?: string; signUpId?: string } = of.unit === '' ? {} : { unit: of.unit }
      if (of.unit === '') {
        const found = await Promise.all(
          ([1, 2] as const).map(level =>
            api.call('GET /blade-exam/examination/getAllotted', { examId, level, keyword: of.signNo.trim() }, { quiet: true }),
          ),
        )
        const row = found.flatMap(page => page.records).find(each => each.signNo === of.signNo.trim())
        if (row === undefined) return notify('warning', t('recusal.unknown'))
        about = { signUpId: row.signUpId }
      }
      const { returned } = await api.call('POST /blade-exam/examination/saveRecusal', {
        examId,
        userId: of.userId,
        reason: of.reason.trim(),
        ...about,
      })
      notify('success', t('recusal.saved', { count: returned }))
      setOf(blank)
      await refresh()
    } catch {
      // The api client has said why; what was typed stays.
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="allot-bar">
      <label>
        <span>{t('holder')}</span>
        <select className="input" value={of.userId} onChange={event => setOf({ ...of, userId: event.target.value })}>
          <option value="" />
          {reviewers.map(one => (
            <option key={one.userId} value={one.userId}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{t('recusal.unit')}</span>
        <select
          className="input"
          value={of.unit}
          disabled={of.signNo !== ''}
          onChange={event => setOf({ ...of, unit: event.target.value })}
        >
          <option value="" />
          {[...unitNames].map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{t('recusal.signNo')}</span>
        <input
          className="input"
          inputMode="numeric"
          value={of.signNo}
          disabled={of.unit !== ''}
          onChange={event => setOf({ ...of, signNo: event.target.value })}
        />
      </label>
      <label>
        <span>{t('reason')}</span>
        <input className="input" maxLength={200} value={of.reason} onChange={event => setOf({ ...of, reason: event.target.value })} />
      </label>
      <button type="button" className="button" disabled={!isReady || busy} onClick={() => void send()}>
        {t('recusal.add')}
      </button>
    </div>
  )
}

/** Conflicts of interest that somebody declared; those that follow from the forms need no entry. */
export const Recusals = (props: {
  readonly examId: string
  readonly reviewers: readonly Reviewer[]
  readonly unitNames: ReadonlyMap<string, string>
}) => {
  const { examId } = props
  const t = useT(allotTexts)
  const can = useCan()
  const refresh = useFresh()
  const [lifted, setLifted] = useState<{ readonly id: string; readonly name: string } | null>(null)
  const rows = useCall('GET /blade-exam/examination/getRecusals', { examId, size: 200 }, { quiet: true })
  return (
    <section className="card">
      <h2>{t('recusals')}</h2>
      <p>{t('recusals.lead')}</p>
      <Loaded query={rows} skeletonRows={2}>
        {({ records }) =>
          records.length === 0 ? (
            <EmptyState text={t('recusals.empty')} />
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
            <section className="plain-table" aria-label={t('recusals')} tabIndex={0}>
              <table>
                <thead>
                  <tr>
                    {(['holder', 'about', 'reason', 'by', 'time'] as const).map(key => (
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
                      <th scope="row">{row.reviewerName}</th>
                      <td>{row.unit === null ? `${row.signNo ?? ''} ${row.name ?? ''}` : (row.unitName ?? row.unit)}</td>
                      <td>{row.reason}</td>
                      <td>{t(row.isOwn ? 'by.own' : 'by.office')}</td>
                      <td>{minuteOf(row.createTime)}</td>
                      <td>
                        {can('examine_allot') ? (
                          <button
                            type="button"
                            className="link-button"
                            aria-label={t('recusal.lift.title', { name: row.reviewerName })}
                            onClick={() => setLifted({ id: row.id, name: row.reviewerName })}
                          >
                            {t('recusal.lift')}
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
      </Loaded>
      {can('examine_allot') ? <AddRecusal {...props} /> : null}
      {lifted === null ? null : (
        <ReasonDialog
          title={t('recusal.lift.title', { name: lifted.name })}
          lead={t('recusals.lead')}
          label={t('reason')}
          missing={`${t('need')}：${t('reason')}`}
          ok={t('recusal.lift')}
          onClose={() => setLifted(null)}
          send={async reason => {
            await api.call('POST /blade-exam/examination/removeRecusal', { id: lifted.id, reason }, { quiet: 'fields' })
            await refresh()
          }}
        />
      )}
    </section>
  )
}
