import { lazy, Suspense, useEffect } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { useSession } from '#web/kernel/session.ts'
import { endMinuteOf } from '#web/kernel/wire-time.ts'
import { useRead } from '../calls.ts'
import { CardIcon, ChartIcon, PersonIcon, TicketIcon } from '../kit/icons.tsx'
import { useIdle } from '../kit/idle.ts'
import { Link } from '../kit/router.tsx'
import { Countdown } from '../kit/time.tsx'
import { ButtonLink, Skeleton } from '../kit/ui.tsx'
import { actionLink, isTask, mostPressing, tasks } from '../next-action.ts'
import { portalTexts } from '../texts.ts'
import type { MySignup } from '../wire.ts'
import { OpenExams } from './open.tsx'
import { homeTexts } from './texts.ts'

/** Below the fold on a phone. */
const Beside = lazy(() => import('./beside.tsx').then(module => ({ default: module.Beside })))

/** What the page asks for; web/src/boot/first-calls.ts asks for the same. */
export const firstOfMine = { current: 1, size: 50 } as const
export const firstExams = { current: 1, size: 20 } as const

type Named = Exclude<(typeof tasks)[number], 'choosePost' | 'selection'>
const goKeyOf = (code: string) =>
  `home.go.${tasks.find((task): task is Named => task === code && task !== 'choosePost' && task !== 'selection') ?? 'other'}` as const

const NextCard = ({ rows }: { readonly rows: readonly MySignup[] }) => {
  const t = useT(homeTexts)
  const row = mostPressing(rows)
  if (row === undefined)
    return (
      <section className="p-hero p-stack p-gap-s">
        <h2>{t('home.start')}</h2>
        <p className="p-small">{t('home.startHint')}</p>
        <div>
          <ButtonLink to="/signup/examList">{t('home.startGo')}</ButtonLink>
        </div>
      </section>
    )
  const { nextAction } = row
  const tone = /^(fix|missed|repost|appeal)$/.test(nextAction.code) ? ' is-urgent' : isTask(nextAction.code) ? '' : ' is-calm'
  return (
    <section className={`p-hero p-stack p-gap-s${tone}`} aria-label={t('home.next')}>
      <p className="p-small">{row.examName}</p>
      <h2>{nextAction.text}</h2>
      {nextAction.hint && <p>{nextAction.hint}</p>}
      {nextAction.deadline && (
        <p className="p-small">
          {t(nextAction.code === 'wait' ? 'home.reviewBy' : 'home.by', { time: endMinuteOf(nextAction.deadline) })} ·{' '}
          <Countdown until={nextAction.deadline} />
        </p>
      )}
      <div>
        <ButtonLink to={actionLink(nextAction, row.examId)}>{t(goKeyOf(nextAction.code))}</ButtonLink>
      </div>
    </section>
  )
}

const quick = [
  { to: '/signup/examPay', key: 'nav.pay', icon: CardIcon },
  { to: '/signup/ticket', key: 'nav.ticket', icon: TicketIcon },
  { to: '/signup/score', key: 'nav.score', icon: ChartIcon },
  { to: '/info/index', key: 'nav.info', icon: PersonIcon },
] as const

const QuickLinks = () => {
  const t = useT(portalTexts)
  const h = useT(homeTexts)
  return (
    <nav className="p-card p-quick" aria-label={h('home.links')}>
      {quick.map(({ to, key, icon: Icon }) => (
        <Link key={to} href={to}>
          <span className="p-quick-icon">
            <Icon />
          </span>
          {t(key)}
        </Link>
      ))}
    </nav>
  )
}

/** The most pressing step on top, then what is open, what is new, and where to find the rest. */
export const HomePage = () => {
  const t = useT(homeTexts)
  const idle = useIdle()
  useEffect(() => {
    document.title = t('app.name')
  }, [t])
  const name = useSession(session => session.user?.realName)
  const mine = useRead('myExamList', firstOfMine)
  const exams = useRead('examList', firstExams)
  return (
    <>
      <h1 className={name ? 'p-small p-soft' : 'p-hidden'} tabIndex={-1} style={{ marginBottom: 12, fontWeight: 400 }}>
        {name ? t('home.hello', { name }) : t('home.title')}
      </h1>
      <div className="p-cols">
        <div className="p-stack p-gap-l">
          {mine.data || mine.isError ? <NextCard rows={mine.data?.records ?? []} /> : <Skeleton rows={[160]} />}
          <QuickLinks />
          <OpenExams exams={exams} />
        </div>
        <aside className="p-stack p-gap-l p-aside">
          {idle && (
            <Suspense fallback={null}>
              <Beside />
            </Suspense>
          )}
        </aside>
      </div>
    </>
  )
}
