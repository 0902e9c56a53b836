import { systemOf } from '#kernel/db/scope.ts'
import type { Handler } from '#kernel/http/context.ts'
import type { PublicPage } from '#kernel/http/public-page.ts'
import type { PageHead } from '#kernel/http/web-page.ts'
import type { Task } from '#kernel/queue/outbox.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { createBoards } from './boards.ts'
import { readerTasks } from './commands/remind.ts'
import { addressNotice, listLive } from './data/read.repo.ts'
import type { NewsDeps, NewsKit } from './deps.ts'
import { newsHandlers } from './http.ts'
import { feeds, headOf } from './pages.ts'

/** Notices, publicity lists and news, and who has read them. */
export interface NewsModule {
  readonly handlers: readonly Handler[]
  readonly tasks: readonly Task[]
  readonly processors: readonly Processor[]
  /** Feed and list of addresses, for programs that read. */
  readonly pages: readonly PublicPage[]
  /** What stands in the HTML of an address of notices or news; undefined for other addresses. */
  readonly headOf: (call: { readonly path: string; readonly tenantId: string; readonly now: Date }) => Promise<PageHead | undefined>
  /** What is announced about an examination, the newest first. */
  readonly noticesOf: (
    tenantId: string,
    examId: string,
    now: Date,
  ) => Promise<readonly { readonly id: string; readonly title: string; readonly releaseTime: Date }[]>
  /** What is public of a tenant has changed; without one, of any. */
  readonly forget: (tenantId?: string) => void
}

export const createNewsModule = (deps: NewsDeps): NewsModule => {
  const { scopes, clock } = deps.services
  const boards = createBoards(deps.services)
  const kit: NewsKit = { ...deps, boards }
  return {
    handlers: newsHandlers(kit),
    tasks: readerTasks(kit),
    processors: [
      {
        name: 'news.address',
        label: { zh: '补充公告应读人', en: 'Add late addressees of notices' },
        help: {
          zh: '公告发布后才注册或报名的人，补入应读人名单',
          en: 'Whoever registered or signed up after a notice was published is added to its addressees',
        },
        scope: 'platform',
        own: { cron: '0 20 * * * ?', mayPause: true },
        run: async ({ now }) => {
          let added = 0
          for (const { tenantId, id } of await scopes.asPlatform('notices of every tenant gain addressees', now, listLive))
            added += await scopes.tx(systemOf(tenantId), clock.now(), db => addressNotice(db, id))
          return String(added)
        },
      },
    ],
    pages: feeds(kit),
    headOf: call => headOf(kit, call),
    noticesOf: async (tenantId, examId, now) => (await boards.of(tenantId)).shownAt(now).notices.filter(notice => notice.examId === examId),
    forget: tenantId => (tenantId === undefined ? boards.clear() : boards.drop(tenantId)),
  }
}
