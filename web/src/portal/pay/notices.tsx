import { useEffect, useRef } from 'react'
import { create } from 'zustand'
import { minuteOf, yuanOf } from '#web/kernel/format.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { onForget, useSession } from '#web/kernel/session.ts'
import { read } from '../calls.ts'
import { CloseIcon } from '../kit/page-icons.tsx'
import { Link, usePath } from '../kit/router.tsx'
import { laterTexts } from '../later-texts.ts'
import type { PayRow } from '../wire.ts'
import { noticesOf, type PayNotice, stagger } from './schedule.ts'

interface PayNotices {
  /** Whose dues were asked for, so that a login shows them once and a page change does not. */
  readonly askedFor: string | null
  readonly shown: readonly PayNotice[]
  /** The dues in a language that was chosen since: the server names fees in the reader's. */
  readonly renamed: readonly PayRow[]
}
const none: PayNotices = { askedFor: null, shown: [], renamed: [] }
const usePayNotices = create<PayNotices>(() => none)
onForget(() => usePayNotices.setState(none))

const close = (key: string): void => usePayNotices.setState(state => ({ shown: state.shown.filter(notice => notice.key !== key) }))

const DueText = ({ due }: { readonly due: PayRow }) => {
  const t = useT(laterTexts)
  return (
    <>
      <span className="p-due-exam">{due.examName}</span>
      <span>
        {t('due.notice', { name: due.payName, amount: yuanOf(due.amount), deadline: minuteOf(due.deadline).slice(5) })}{' '}
        <strong>{t('due.go')}</strong>
      </span>
    </>
  )
}

/** Candidates are told after login what they have to pay; each notice stays until it is closed (S2.13, S4.15, S6.06). */
export const PayNotices = () => {
  const t = useT(laterTexts)
  const path = usePath()
  const user = useSession(session => session.user)
  const { shown, renamed } = usePayNotices()
  const lang = useLang()
  const asked = useRef(lang)
  const userId = user?.userType === 2 ? user.userId : null
  useEffect(() => {
    if (userId === null || usePayNotices.getState().askedFor === userId) return
    usePayNotices.setState({ ...none, askedFor: userId })
    let stop = () => {}
    read('dues', { state: 1 }).then(
      dues => {
        stop = stagger(noticesOf(dues), notice => usePayNotices.setState(state => ({ shown: [...state.shown, notice] })))
      },
      () => usePayNotices.setState({ askedFor: null }),
    )
    return () => stop()
  }, [userId])
  useEffect(() => {
    if (asked.current === lang) return
    asked.current = lang
    let isOver = false
    read('dues', { state: 1 }).then(
      dues => isOver || usePayNotices.setState({ renamed: dues }),
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [lang])
  const dueOf = (due: PayRow): PayRow => renamed.find(({ id }) => id === due.id) ?? due
  // They would cover what is being typed, and say nothing new where the dues are listed; they come back on the next page.
  if (shown.length === 0 || /^\/signup\/(examPay|form\/)/.test(path)) return null
  return (
    <section className="p-dues" aria-label={t('due.label')}>
      {shown.map(notice => (
        <div key={notice.key} className="p-due" role="status">
          <Link href="/signup/examPay" onClick={() => close(notice.key)}>
            {'due' in notice ? <DueText due={dueOf(notice.due)} /> : t('due.more', { count: notice.more })}
          </Link>
          <button type="button" className="p-icon-btn" aria-label={t('due.close')} onClick={() => close(notice.key)}>
            <CloseIcon size={18} />
          </button>
        </div>
      ))}
    </section>
  )
}
