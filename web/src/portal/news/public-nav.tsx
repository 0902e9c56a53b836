import { useEffect } from 'react'
import { defineTexts, useT } from '#web/kernel/i18n/index.ts'
import { useOpenPath } from '#web/kernel/open-path.ts'
import { useSession } from '#web/kernel/session.ts'
import { Link, usePath } from '../kit/router.tsx'
import { portalTexts } from '../texts.ts'
import { newsTexts } from './texts.ts'
import './news.css'

const navTexts = defineTexts({ desk: '返回工作台' }, { desk: 'Back to the desk' })

const lists = [
  { to: '/notices', key: 'list.notices' },
  { to: '/publicity', key: 'list.publicity' },
  { to: '/news', key: 'list.news' },
] as const

/** From each page that everybody reads to the others, and to the log-in. */
export const PublicNav = () => {
  const t = useT(newsTexts)
  const own = useT(navTexts)
  const path = usePath()
  const open = useOpenPath()
  const isNobody = useSession(session => session.user === null)
  const isStaff = useSession(session => session.user?.userType === 1)
  return (
    <nav className="p-row p-public-nav" aria-label={t('nav.public')}>
      {isNobody && <a href={open('/open')}>{t('nav.exams')}</a>}
      {lists.map(({ to, key }) => (
        <Link key={to} href={to} aria-current={path === to ? 'page' : undefined}>
          {t(key)}
        </Link>
      ))}
      {isStaff && <a href="/">{own('desk')}</a>}
      {isNobody && <a href={`/login?redirect=${encodeURIComponent(path)}`}>{t('notice.login')}</a>}
    </nav>
  )
}

/** What the server wrote into the head of the first page, with the name of the office behind the title. */
const officeOf = (): string | undefined => / - ([^-]+)$/.exec(document.title)?.[1]
let office = officeOf()

/** Title and description of a public page, also where it was reached without a new document. */
export const usePublicHead = (title: string | undefined, description: string | undefined) => {
  const t = useT(portalTexts)
  const name = office ?? t('app.name')
  useEffect(() => {
    if (title === undefined) return
    office ??= officeOf()
    document.title = `${title} - ${name}`
    const known = document.querySelector<HTMLMetaElement>('meta[name=description]')
    const meta = known ?? document.head.appendChild(Object.assign(document.createElement('meta'), { name: 'description' }))
    meta.content = description ?? title
  })
}
