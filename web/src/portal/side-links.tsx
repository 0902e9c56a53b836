import { useT } from '#web/kernel/i18n/index.ts'
import { CardIcon, ChartIcon, HelpIcon, PersonIcon, TicketIcon } from './kit/icons.tsx'
import { Link, usePath } from './kit/router.tsx'
import { laterTexts } from './later-texts.ts'
import { portalTexts } from './texts.ts'
import './later.css'

const links = [
  { to: '/signup/examPay', key: 'nav.pay', icon: CardIcon },
  { to: '/signup/ticket', key: 'nav.ticket', icon: TicketIcon },
  { to: '/signup/score', key: 'nav.score', icon: ChartIcon },
  { to: '/info/index', key: 'nav.info', icon: PersonIcon },
  { to: '/problem/problem', key: 'nav.problem', icon: HelpIcon },
] as const

/** On wide screens the rail has room for what phones find under “mine”. */
export const SideLinks = () => {
  const t = useT(portalTexts)
  const l = useT(laterTexts)
  const path = usePath()
  return (
    <nav className="p-side-links" aria-label={l('nav.more')}>
      {links.map(({ to, key, icon: Icon }) => (
        <Link key={to} href={to} aria-current={path === to ? 'page' : undefined}>
          <Icon size={20} />
          <span>{t(key)}</span>
        </Link>
      ))}
    </nav>
  )
}
