import { useEffect } from 'react'
import { create } from 'zustand'
import { currentLang, useLang, useT } from '#web/kernel/i18n/index.ts'
import { onForget, useSession } from '#web/kernel/session.ts'
import { endMinuteOf } from '#web/kernel/wire-time.ts'
import { yuanOf } from '#web/kernel/yuan.ts'
import { read } from '../calls.ts'
import { CloseIcon } from '../kit/icons.tsx'
import { Link, usePath } from '../kit/router.tsx'
import type { PayRow } from '../wire.ts'
import { dueTexts } from './due-texts.ts'
import { noticesOf, type PayNotice, stagger } from './schedule.ts'

interface PayNotices {
  /** Whose dues were asked for, so that a login shows them once and a page change does not. */
  readonly askedFor: string | null
  /** In which language: the server names fees in the reader's. */
  readonly lang: string
  /** All that will be shown: they have their place from the first, so that nothing moves when their turn comes. */
  readonly notices: readonly PayNotice[]
  readonly shown: ReadonlySet<string>
}
const none: PayNotices = { askedFor: null, lang: '', notices: [], shown: new Set() }
export const usePayNotices = create<PayNotices>(() => none)
onForget(() => usePayNotices.setState(none))

const close = (key: string): void => usePayNotices.setState(state => ({ notices: state.notices.filter(notice => notice.key !== key) }))

let stop = () => {}
onForget(() => stop())

/**
 * Asks once for a candidate's dues and shows them one after another; in another language those that still stand there are named anew.
 * @returns ends when their place on the page is known
 */
export const startPayNotices = async (): Promise<void> => {
  const { user } = useSession.getState()
  const lang = currentLang()
  const { askedFor, lang: before } = usePayNotices.getState()
  const isNew = askedFor !== user?.userId
  if (user?.userType !== 2 || (!isNew && lang === before)) return
  usePayNotices.setState({ ...(isNew ? none : {}), askedFor: user.userId, lang })
  try {
    const notices = noticesOf(await read('dues', { state: 1 }))
    if (usePayNotices.getState().askedFor !== user.userId) return
    usePayNotices.setState(state => ({
      notices: isNew ? notices : state.notices.map(old => notices.find(({ key }) => key === old.key) ?? old),
    }))
    if (isNew) stop = stagger(notices, ({ key }) => usePayNotices.setState(state => ({ shown: new Set(state.shown).add(key) })))
  } catch {
    if (isNew) usePayNotices.setState({ askedFor: null })
  }
}

/** Not broken behind the hyphen. */
const dayOf = (instant: string): string => instant.slice(5).replace('-', '-\u2060')

const DueText = ({ due }: { readonly due: PayRow }) => {
  const t = useT(dueTexts)
  return (
    <>
      <p className="p-small p-soft">{due.examName}</p>
      <span>
        {t('due.notice', { name: due.payName, amount: yuanOf(due.amount), deadline: dayOf(endMinuteOf(due.deadline)) })}{' '}
        <strong>{t('due.go')}</strong>
      </span>
    </>
  )
}

/** Candidates are told after login what they have to pay; each notice stays until it is closed (S2.13, S4.15, S6.06). */
export const PayNotices = () => {
  const t = useT(dueTexts)
  const path = usePath()
  const user = useSession(session => session.user)
  const { notices, shown } = usePayNotices()
  const lang = useLang()
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for somebody else, and in another language
  useEffect(() => void startPayNotices(), [user, lang])
  // They would cover what is being typed, and say nothing new where the dues are listed; they come back on the next page.
  if (notices.length === 0 || /^\/signup\/(examPay|form\/)/.test(path)) return null
  return (
    <section className="p-dues" aria-label={t('due.label')}>
      {notices.map(notice => (
        <div key={notice.key} className="p-due" role="status" data-waiting={!shown.has(notice.key) || undefined}>
          <Link href="/signup/examPay" onClick={() => close(notice.key)}>
            {'due' in notice ? <DueText due={notice.due} /> : t('due.more', { count: notice.more })}
          </Link>
          <button type="button" className="p-icon-btn" aria-label={t('due.close')} onClick={() => close(notice.key)}>
            <CloseIcon size={18} />
          </button>
        </div>
      ))}
    </section>
  )
}
