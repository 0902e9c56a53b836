import { useState } from 'react'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { pictureOf } from '#web/kernel/rich-text.tsx'
import { useSession } from '#web/kernel/session.ts'
import { useRead } from '../calls.ts'
import { useSearchParams } from '../kit/address.ts'
import { Empty } from '../kit/blocks.tsx'
import { Load } from '../kit/load.tsx'
import { PageTitle } from '../kit/page-ui.tsx'
import { Link } from '../kit/router.tsx'
import { Button } from '../kit/ui.tsx'
import { NoticeCard } from './line.tsx'
import { PublicNav, usePublicHead } from './public-nav.tsx'
import { newsTexts, typeKey } from './texts.ts'
import './news.css'

const pageSize = 20
const most = 200
const types = [1, 2, 4, 5] as const

const Foot = () => {
  const t = useT(newsTexts)
  const isNobody = useSession(session => session.user === null)
  return (
    <p className="p-small p-row p-public-foot">
      {isNobody && <a href={`/login?redirect=${encodeURIComponent(location.pathname)}`}>{t('list.login')}</a>}
      <a href={`/rss.xml${location.search.includes('tenantId') ? location.search : ''}`}>{t('list.feed')}</a>
    </p>
  )
}

const Notices = ({ noticeType }: { readonly noticeType: number | undefined }) => {
  const t = useT(newsTexts)
  const [size, setSize] = useState(pageSize)
  const query = useRead('notices', { current: 1, size, ...(noticeType === undefined ? {} : { noticeType }) }, { keep: true })
  return (
    <Load query={query} skeleton={[120, 120, 120]}>
      {page =>
        page.records.length === 0 ? (
          <Empty text={t(noticeType === 3 ? 'list.none.publicity' : 'list.none.notices')} />
        ) : (
          <div className="p-stack">
            {page.records.map(row => (
              <NoticeCard key={row.id} row={row} />
            ))}
            {page.total > page.records.length && size < most && (
              <Button block busy={query.isFetching} onClick={() => setSize(Math.min(most, size + pageSize))}>
                {t('list.more')}
              </Button>
            )}
          </div>
        )
      }
    </Load>
  )
}

const News = () => {
  const t = useT(newsTexts)
  const [size, setSize] = useState(pageSize)
  const query = useRead('newsList', { current: 1, size }, { keep: true })
  return (
    <Load query={query} skeleton={[120, 120, 120]}>
      {page =>
        page.records.length === 0 ? (
          <Empty text={t('list.none.news')} />
        ) : (
          <div className="p-stack">
            {page.records.map(row => (
              <article key={row.id} className="p-card p-stack p-gap-s p-card-link">
                <h2>
                  <Link href={`/news/${row.id}`}>{row.title}</Link>
                </h2>
                {row.cover !== '' && <img className="p-cover" src={pictureOf(row.cover)} alt="" loading="lazy" />}
                {row.summary !== '' && <p className="p-small p-soft">{row.summary}</p>}
                <p className="p-small p-dim p-num">
                  {minuteOf(row.releaseTime)}
                  {row.source !== '' && ` · ${row.source}`}
                </p>
              </article>
            ))}
            {page.total > page.records.length && size < most && (
              <Button block busy={query.isFetching} onClick={() => setSize(Math.min(most, size + pageSize))}>
                {t('list.more')}
              </Button>
            )}
          </div>
        )
      }
    </Load>
  )
}

/** Announcements, publicity lists or news, as everybody may read them (S2.23). */
export const PublishedPage = ({ of }: { readonly of: 'notices' | 'publicity' | 'news' }) => {
  const t = useT(newsTexts)
  const [params, setParams] = useSearchParams()
  usePublicHead(t(`list.${of}`), undefined)
  const chosen = types.find(type => String(type) === params.get('type'))
  return (
    <>
      <PublicNav />
      <PageTitle title={t(`list.${of}`)} />
      {of === 'notices' && (
        <nav className="p-row" aria-label={t('list.notices')} style={{ marginBottom: 12 }}>
          {[undefined, ...types].map(type => (
            <button
              key={type ?? 0}
              type="button"
              className={`p-btn${type === chosen ? ' is-primary' : ''}`}
              aria-pressed={type === chosen}
              onClick={() => {
                const next = new URLSearchParams(params)
                if (type === undefined) next.delete('type')
                else next.set('type', String(type))
                setParams(next)
              }}
            >
              {type === undefined ? t('list.all') : t(typeKey(type))}
            </button>
          ))}
        </nav>
      )}
      {of === 'news' ? <News /> : <Notices key={of} noticeType={of === 'publicity' ? 3 : chosen} />}
      <Foot />
    </>
  )
}
