import { noticeType } from '#contract/news/words.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { escapeHtml, type PublicPage } from '#kernel/http/public-page.ts'
import type { PageHead } from '#kernel/http/web-page.ts'
import { cleanRichText } from '#kernel/rich-text.ts'
import { type Addresses, addressesOf, readSite, type Site } from '#modules/tenancy/index.ts'
import { findNews, findWithdrawnNews } from './data/news.repo.ts'
import { findShown, findWithdrawn, type NoticeLine } from './data/notice.repo.ts'
import type { NewsKit } from './deps.ts'
import { summaryOf } from './domain/plain-text.ts'

const asTenant = <T>(kit: NewsKit, tenantId: string, now: Date, work: (db: TenantDb) => Promise<T>): Promise<T> =>
  kit.services.scopes.tx(systemOf(tenantId), now, work)

const listTitles: Readonly<Record<string, string>> = { '/notices': '通知公告', '/publicity': '公示', '/news': '新闻' }
const noticePath = (id: string): string => `/notices/${id}`
const newsPath = (id: string): string => `/news/${id}`

const isId = (text: string | undefined): text is string => text !== undefined && /^\d{1,18}$/.test(text)

/** Data blocks for search engines (schema.org). */
const articleData = (of: {
  readonly type: 'NewsArticle' | 'Article'
  readonly title: string
  readonly description: string
  readonly url: string
  readonly releaseTime: Date
  readonly endTime?: Date | null
  readonly publisher: string
}) => ({
  '@context': 'https://schema.org',
  '@type': of.type,
  headline: of.title,
  description: of.description,
  url: of.url,
  datePublished: of.releaseTime.toISOString(),
  ...(of.endTime ? { expires: of.endTime.toISOString() } : {}),
  inLanguage: 'zh-CN',
  publisher: { '@type': 'Organization', name: of.publisher },
})

/** A withdrawn one has a page that says so; it stands in no index any more. */
const goneHead = (site: Site, gone: { readonly title: string }): PageHead => ({
  status: 410,
  title: `已下架 - ${site.title}`,
  description: `“${gone.title}”已下架，不再公布。`,
  isIndexed: false,
  article: `<h1>已下架</h1><p>“${escapeHtml(gone.title)}”已下架，不再公布。</p>`,
})

const noticeHead = async (kit: NewsKit, db: TenantDb, tenantId: string, id: string): Promise<PageHead | undefined> => {
  const [site, found] = await Promise.all([readSite(db), findShown(db, undefined, id)])
  if (!found) {
    const gone = await findWithdrawn(db, undefined, id)
    return gone && goneHead(site, gone)
  }
  const addresses = addressesOf(kit.services, site, tenantId)
  const description = summaryOf(found.content, 150)
  const url = addresses.of(noticePath(id))
  return {
    status: 200,
    title: `${found.title} - ${site.title}`,
    description,
    canonical: url,
    feed: addresses.feed,
    isIndexed: true,
    data: articleData({ ...found, type: 'Article', description, url, publisher: site.name }),
    article: `<h1>${escapeHtml(found.title)}</h1>${cleanRichText(found.content, { pictures: true })}`,
  }
}

const newsHead = async (kit: NewsKit, db: TenantDb, tenantId: string, id: string): Promise<PageHead | undefined> => {
  const [site, found] = await Promise.all([readSite(db), findNews(db, id)])
  if (!found) {
    const gone = await findWithdrawnNews(db, id)
    return gone && goneHead(site, gone)
  }
  const addresses = addressesOf(kit.services, site, tenantId)
  const description = found.summary || summaryOf(found.content, 150)
  const url = addresses.of(newsPath(id))
  return {
    status: 200,
    title: `${found.title} - ${site.title}`,
    description,
    canonical: url,
    feed: addresses.feed,
    isIndexed: true,
    data: articleData({ ...found, type: 'NewsArticle', description, url, publisher: site.name }),
    article: `<h1>${escapeHtml(found.title)}</h1>${cleanRichText(found.content, { pictures: true })}`,
  }
}

const isOfList = (path: string, { noticeType: type }: NoticeLine): boolean => (path === '/publicity') === (type === noticeType.publicity)
const mostListed = 50

interface Entry {
  readonly title: string
  readonly url: string
  readonly releaseTime: Date
  readonly description: string
}
/** What is out, the newest first. */
const entriesOf = async (kit: NewsKit, tenantId: string, now: Date, addresses: Addresses, path?: string): Promise<readonly Entry[]> => {
  const { notices, news } = (await kit.boards.of(tenantId)).shownAt(now)
  return [
    ...(path === '/news' ? [] : notices.filter(row => path === undefined || isOfList(path, row))).map(row => ({
      title: row.title,
      url: addresses.of(noticePath(row.id)),
      releaseTime: row.releaseTime,
      description: summaryOf(row.head),
    })),
    ...(path === undefined || path === '/news' ? news : []).map(row => ({
      title: row.title,
      url: addresses.of(newsPath(row.id)),
      releaseTime: row.releaseTime,
      description: row.summary || summaryOf(row.head),
    })),
  ].sort((a, b) => b.releaseTime.getTime() - a.releaseTime.getTime())
}

const listHead = async (kit: NewsKit, tenantId: string, now: Date, path: string): Promise<PageHead> => {
  const site = await asTenant(kit, tenantId, now, readSite)
  const addresses = addressesOf(kit.services, site, tenantId)
  const entries = (await entriesOf(kit, tenantId, now, addresses, path)).slice(0, mostListed)
  const name = listTitles[path] ?? ''
  return {
    status: 200,
    title: `${name} - ${site.title}`,
    description: `${site.name}${name}：${entries
      .slice(0, 3)
      .map(({ title }) => title)
      .join('；')}`,
    canonical: addresses.of(path),
    feed: addresses.feed,
    isIndexed: true,
    data: {
      '@context': 'https://schema.org',
      '@type': 'ItemList',
      name,
      itemListElement: entries.map(({ title, url }, index) => ({ '@type': 'ListItem', position: index + 1, name: title, url })),
    },
    article: `<h1>${name}</h1><ul>${entries.map(({ title, url }) => `<li><a href="${escapeHtml(url)}">${escapeHtml(title)}</a></li>`).join('')}</ul>`,
  }
}

export const headOf = async (
  kit: NewsKit,
  { path, tenantId, now }: { readonly path: string; readonly tenantId: string; readonly now: Date },
): Promise<PageHead | undefined> => {
  if (path in listTitles) return listHead(kit, tenantId, now, path)
  const [, kind, id, more] = path.split('/')
  if (!isId(id) || more !== undefined) return undefined
  if (kind === 'notices') return asTenant(kit, tenantId, now, db => noticeHead(kit, db, tenantId, id))
  if (kind === 'news') return asTenant(kit, tenantId, now, db => newsHead(kit, db, tenantId, id))
  return undefined
}

const feedLength = 50
const xml = 'application/xml; charset=utf-8'
const item = ({ title, url, releaseTime, description }: Entry): string =>
  `<item><title>${escapeHtml(title)}</title><link>${escapeHtml(url)}</link><guid>${escapeHtml(url)}</guid><pubDate>${releaseTime.toUTCString()}</pubDate><description>${escapeHtml(description)}</description></item>`

/** For programs that read: a feed of what is new, the addresses there are, and where both are. */
export const feeds = (kit: NewsKit): readonly PublicPage[] => {
  const of = async (tenantId: string) => {
    const now = kit.services.clock.now()
    const site = await asTenant(kit, tenantId, now, readSite)
    const addresses = addressesOf(kit.services, site, tenantId)
    return { site, addresses, entries: await entriesOf(kit, tenantId, now, addresses), exams: await kit.publicPages(tenantId) }
  }
  return [
    {
      path: '/rss.xml',
      render: async ({ tenantId }) => {
        const { site, addresses, entries } = await of(tenantId)
        return {
          status: 200,
          type: 'application/rss+xml; charset=utf-8',
          html: `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>${escapeHtml(site.title)}</title><link>${escapeHtml(addresses.of('/notices'))}</link><description>${escapeHtml(`${site.name}通知公告、公示与新闻`)}</description><language>zh-cn</language>${entries.slice(0, feedLength).map(item).join('')}</channel></rss>`,
        }
      },
    },
    {
      path: '/sitemap.xml',
      render: async ({ tenantId }) => {
        const { addresses, entries, exams } = await of(tenantId)
        const lines = [
          ...Object.keys(listTitles).map(path => `<url><loc>${escapeHtml(addresses.of(path))}</loc></url>`),
          ...exams.map(
            ({ path, changedAt }) =>
              `<url><loc>${escapeHtml(addresses.of(path))}</loc><lastmod>${changedAt.toISOString().slice(0, 10)}</lastmod></url>`,
          ),
          ...entries.map(
            ({ url, releaseTime }) =>
              `<url><loc>${escapeHtml(url)}</loc><lastmod>${releaseTime.toISOString().slice(0, 10)}</lastmod></url>`,
          ),
        ]
        return {
          status: 200,
          type: xml,
          html: `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${lines.join('')}</urlset>`,
        }
      },
    },
    {
      path: '/robots.txt',
      render: async ({ tenantId }) => {
        const now = kit.services.clock.now()
        const site = await asTenant(kit, tenantId, now, readSite)
        return {
          status: 200,
          type: 'text/plain; charset=utf-8',
          html: `User-agent: *\nAllow: /open\nAllow: /notices\nAllow: /publicity\nAllow: /news\nAllow: /assets/\nAllow: /api/rich-text/\nDisallow: /api/\n\nSitemap: ${addressesOf(kit.services, site, tenantId).of('/sitemap.xml')}\n`,
        }
      },
    },
  ]
}
