import { lazy, Suspense } from 'react'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useRead } from '../calls.ts'
import { Load } from '../kit/load.tsx'
import { ForwardIcon, HelpIcon } from '../kit/page-icons.tsx'
import { Link } from '../kit/router.tsx'
import { ButtonLink } from '../kit/ui.tsx'
import { portalTexts } from '../texts.ts'
import { besideTexts } from './beside-texts.ts'
import '../pages.css'
import { SectionHead } from '../kit/blocks.tsx'
import { Card } from '../kit/card.tsx'

/** The names of their files are not part of what a phone loads first. */
const WaitingNotices = lazy(() => import('../news/home-blocks.tsx').then(module => ({ default: module.WaitingNotices })))
const HomeBlocks = lazy(() => import('../news/home-blocks.tsx').then(module => ({ default: module.HomeBlocks })))

const Unread = () => {
  const t = useT(besideTexts)
  const messages = useRead('messages', { current: 1, size: 50 })
  return (
    <section className="p-stack">
      <SectionHead title={t('home.unread')} side={<Link href="/notice/index">{t('home.allMessages')}</Link>} />
      <Load query={messages} skeleton={[72]}>
        {page => {
          const unread = page.records.filter(row => !row.readTime).slice(0, 3)
          return (
            <div className="p-card">
              {unread.length === 0 ? (
                <p className="p-dim">{t('home.noUnread')}</p>
              ) : (
                <ul className="p-plain p-links">
                  {unread.map(row => (
                    <li key={row.id}>
                      <Link href={`/notice/index?id=${row.id}`}>
                        <span>
                          <span className="p-strong">{row.title}</span>
                          <br />
                          <span className="p-small p-dim p-num">{minuteOf(row.createTime)}</span>
                        </span>
                        <ForwardIcon size={18} />
                      </Link>
                    </li>
                  ))}
                </ul>
              )}
            </div>
          )
        }}
      </Load>
    </section>
  )
}

/** What is new and where to find help. */
export const Beside = () => {
  const p = useT(portalTexts)
  const t = useT(besideTexts)
  return (
    <>
      <Suspense fallback={null}>
        <WaitingNotices />
      </Suspense>
      <Unread />
      <Suspense fallback={null}>
        <HomeBlocks />
      </Suspense>
      <Card title={t('home.help')}>
        <p className="p-small p-soft">{t('home.helpText')}</p>
        <ButtonLink to="/problem/problem" block>
          <HelpIcon size={18} />
          {p('nav.problem')}
        </ButtonLink>
      </Card>
    </>
  )
}
