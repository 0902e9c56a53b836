import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useRead } from '../calls.ts'
import { SectionHead } from '../kit/blocks.tsx'
import { ForwardIcon } from '../kit/page-icons.tsx'
import { Link } from '../kit/router.tsx'
import { newsTexts } from './texts.ts'
import { waitingOf } from './waiting.tsx'

interface Line {
  readonly id: string
  readonly title: string
  readonly releaseTime: string
}
const Lines = ({ rows, to }: { readonly rows: readonly Line[]; readonly to: string }) => (
  <div className="p-card">
    <ul className="p-plain p-links">
      {rows.map(row => (
        <li key={row.id}>
          <Link href={`${to}/${row.id}`}>
            <span>
              <span className="p-strong">{row.title}</span>
              <br />
              <span className="p-small p-dim p-num">{minuteOf(row.releaseTime)}</span>
            </span>
            <ForwardIcon size={18} />
          </Link>
        </li>
      ))}
    </ul>
  </div>
)

/** What must be confirmed stays here until it is. */
export const WaitingNotices = () => {
  const t = useT(newsTexts)
  const waiting = useRead('waitingNotices', waitingOf)
  const rows = (waiting.data?.records ?? []).filter(row => row.needSure && row.sureTime === null)
  if (rows.length === 0) return null
  return (
    <section className="p-stack">
      <SectionHead title={t('notice.wait')} />
      <Lines rows={rows} to="/notices" />
    </section>
  )
}

const shown = 4
export const HomeBlocks = () => {
  const t = useT(newsTexts)
  const index = useRead('index', { size: shown })
  const { top = [], recruit = [], notice = [], publicity = [], news = [] } = index.data ?? {}
  const seen = new Set<string>()
  const notices = [...top, ...recruit, ...notice]
    .filter(row => row.noticeType !== 3 && !seen.has(row.id) && seen.add(row.id))
    .slice(0, shown)
  const blocks = [
    { to: '/notices', under: '/notices', title: t('home.notices'), rows: notices },
    { to: '/publicity', under: '/notices', title: t('list.publicity'), rows: publicity },
    { to: '/news', under: '/news', title: t('list.news'), rows: news },
  ]
  return blocks.map(({ to, under, title, rows }) => (
    <section key={to} className="p-stack">
      <SectionHead title={title} side={<Link href={to}>{t('list.all')}</Link>} />
      {rows.length > 0 && <Lines rows={rows} to={under} />}
    </section>
  ))
}
