import { useT } from '#web/kernel/i18n/index.ts'
import { comingTexts } from './coming/texts.ts'
import { BellIcon, CardIcon, ChartIcon, InboxIcon, PersonIcon, TicketIcon } from './kit/icons.tsx'
import { ForwardIcon, HelpIcon, NewsIcon, SwapIcon } from './kit/page-icons.tsx'
import { Link, usePath } from './kit/router.tsx'
import { laterTexts } from './later-texts.ts'
import { portalTexts } from './texts.ts'
import './later.css'

/** On wide screens the rail has room for what phones find under “mine” and on the first page. */
export const SideLinks = () => {
  const t = useT(portalTexts)
  const c = useT(comingTexts)
  const l = useT(laterTexts)
  const path = usePath()
  const links = [
    { to: '/signup/examPay', text: t('nav.pay'), icon: CardIcon },
    { to: '/signup/ticket', text: t('nav.ticket'), icon: TicketIcon },
    { to: '/signup/score', text: t('nav.score'), icon: ChartIcon },
    { to: '/signup/selection', text: c('selection.title'), icon: ForwardIcon },
    { to: '/signup/adjust', text: c('adjust.title'), icon: SwapIcon },
    { to: '/info/index', text: t('nav.info'), icon: PersonIcon },
    { to: '/notices', text: c('notices.title'), icon: BellIcon },
    { to: '/publicity', text: c('publicity.title'), icon: InboxIcon },
    { to: '/news', text: c('news.title'), icon: NewsIcon },
    { to: '/problem/problem', text: t('nav.problem'), icon: HelpIcon },
  ]
  return (
    <nav className="p-side-links" aria-label={l('nav.more')}>
      {links.map(({ to, text, icon: Icon }) => (
        <Link key={to} href={to} aria-current={path === to ? 'page' : undefined}>
          <Icon size={20} />
          <span>{text}</span>
        </Link>
      ))}
    </nav>
  )
}
