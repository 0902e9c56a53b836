import { noticeType } from '#contract/news/words.ts'
import { systemOf } from '#kernel/db/scope.ts'
import { type SharedReads, shareReads } from '#kernel/shared-reads.ts'
import type { Services } from '#server/services.ts'
import { listPublicNews, type NewsLine } from './data/news.repo.ts'
import { listPublic, type NoticeLine } from './data/notice.repo.ts'
import { lineOf, newsLineOf } from './views.ts'

type Line = ReturnType<typeof lineOf>
/** The public blocks of the first page (domain 5.6). */
export interface IndexBlocks {
  readonly top: readonly Line[]
  readonly recruit: readonly Line[]
  readonly notice: readonly Line[]
  readonly publicity: readonly Line[]
  readonly news: readonly ReturnType<typeof newsLineOf>[]
}

/** What is public of one tenant, in memory: also what is published for later, so that it appears at its time by itself. */
export class Board {
  readonly notices: readonly NoticeLine[]
  readonly news: readonly NewsLine[]
  /** By size, and until when they are right. */
  private readonly made = new Map<number, { readonly from: number; readonly until: number; readonly blocks: IndexBlocks }>()
  constructor(notices: readonly NoticeLine[], news: readonly NewsLine[]) {
    this.notices = notices
    this.news = news
  }

  /** What is out, what stands on top first. */
  shownAt(now: Date): { readonly notices: readonly NoticeLine[]; readonly news: readonly NewsLine[] } {
    return {
      notices: this.notices.filter(({ releaseTime }) => releaseTime <= now),
      news: this.news.filter(({ releaseTime }) => releaseTime <= now),
    }
  }

  indexAt(now: Date, size: number): IndexBlocks {
    const nowMs = now.getTime()
    const known = this.made.get(size)
    if (known && nowMs >= known.from && nowMs < known.until) return known.blocks
    const changes = [
      ...this.notices.flatMap(({ releaseTime, endTime }) => [releaseTime, endTime]),
      ...this.news.map(one => one.releaseTime),
    ]
      .flatMap(time => (time === null ? [] : [time.getTime()]))
      .filter(time => time > nowMs)
    const { notices, news } = this.shownAt(now)
    const lines = notices.map(row => lineOf(row, now))
    const current = lines.filter(line => !line.isOver)
    const of = (...types: readonly number[]) => current.filter(line => types.includes(line.noticeType)).slice(0, size)
    const blocks: IndexBlocks = {
      top: current.filter(line => line.isTop).slice(0, size),
      recruit: of(noticeType.recruitment),
      notice: of(noticeType.notice, noticeType.policy, noticeType.questions),
      publicity: of(noticeType.publicity),
      news: news.slice(0, size).map(newsLineOf),
    }
    this.made.set(size, { from: nowMs, until: Math.min(...changes, Number.POSITIVE_INFINITY), blocks })
    return blocks
  }
}

/** Boards are read anew after this time at the latest (domain 5.6); a change is told to every process before that. */
const maxAgeMs = 60_000
const maxTenants = 1_000
/** More than any first page or feed shows. */
const mostLines = 500

export type Boards = SharedReads<Board>
export const createBoards = ({ scopes, clock }: Pick<Services, 'scopes' | 'clock'>): Boards =>
  shareReads(
    tenantId =>
      scopes.tx(systemOf(tenantId), clock.now(), async db => {
        const [notices, news] = await Promise.all([listPublic(db, mostLines), listPublicNews(db, mostLines)])
        return new Board(notices, news)
      }),
    { clock, maxAgeMs, maxEntries: maxTenants },
  )
