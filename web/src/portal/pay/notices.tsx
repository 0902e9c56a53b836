import { useEffect } from 'react'
import { create } from 'zustand'
import { minuteOf, yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { onForget, useSession } from '#web/kernel/session.ts'
import { read } from '../calls.ts'
import { CloseIcon } from '../kit/page-icons.tsx'
import { Link, usePath } from '../kit/router.tsx'
import { laterTexts } from '../later-texts.ts'
import { noticesOf, type PayNotice, stagger } from './schedule.ts'

/** Whose dues were asked for, so that a login shows them once and a page change does not. */
const usePayNotices = create<{ askedFor: string | null; shown: readonly PayNotice[] }>(() => ({ askedFor: null, shown: [] }))
onForget(() => usePayNotices.setState({ askedFor: null, shown: [] }))

const close = (key: string): void => usePayNotices.setState(state => ({ shown: state.shown.filter(notice => notice.key !== key) }))

/** Candidates are told after login what they have to pay; each notice stays until it is closed (S2.13, S4.15, S6.06). */
export const PayNotices = () => {
  const t = useT(laterTexts)
  const path = usePath()
  const user = useSession(session => session.user)
  const shown = usePayNotices(state => state.shown)
  const userId = user?.userType === 2 ? user.userId : null
  useEffect(() => {
    if (userId === null || usePayNotices.getState().askedFor === userId) return
    usePayNotices.setState({ askedFor: userId, shown: [] })
    let stop = () => {}
    read('dues', { state: 1 }).then(
      dues => {
        stop = stagger(noticesOf(dues), notice => usePayNotices.setState(state => ({ shown: [...state.shown, notice] })))
      },
      () => usePayNotices.setState({ askedFor: null }),
    )
    return () => stop()
  }, [userId])
  // They would cover what is being typed, and say nothing new where the dues are listed; they come back on the next page.
  if (shown.length === 0 || /^\/signup\/(examPay|form\/)/.test(path)) return null
  return (
    <section className="p-dues" aria-label={t('due.label')}>
      {shown.map(notice => (
        <div key={notice.key} className="p-due" role="status">
          <Link href="/signup/examPay" onClick={() => close(notice.key)}>
            {'due' in notice ? (
              <>
                <span className="p-due-exam">{notice.due.examName}</span>
                <span>
                  {t('due.notice', {
                    name: notice.due.payName,
                    amount: yuanOf(notice.due.amount),
                    deadline: minuteOf(notice.due.deadline).slice(5),
                  })}{' '}
                  <strong>{t('due.go')}</strong>
                </span>
              </>
            ) : (
              t('due.more', { count: notice.more })
            )}
          </Link>
          <button type="button" className="p-icon-btn" aria-label={t('due.close')} onClick={() => close(notice.key)}>
            <CloseIcon size={18} />
          </button>
        </div>
      ))}
    </section>
  )
}
