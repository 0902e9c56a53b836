import { gatherCounts } from '#kernel/db/row-count.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import type { TenancyDeps } from '../deps.ts'

/** Keeps totals quick to read: what came and went since the last run becomes one line a table and tenant. */
export const gatherCountsProcessor = ({ services }: Pick<TenancyDeps, 'services'>): Processor => ({
  name: 'tenancy.gather-counts',
  label: { zh: '归并列表计数', en: 'Gather counts of lists' },
  help: {
    zh: '把用户和参数列表的增减记录合并成总数；不改变总数，只让它更快读出',
    en: 'Puts what came to and went from the lists of users and parameters into one total each; the totals stay the same and are read faster',
  },
  scope: 'platform',
  own: { cron: '0 35 * * * ?', mayPause: true },
  run: async ({ now }) => {
    const totals = await services.scopes.asPlatform('counts of every tenant are gathered', now, gatherCounts)
    return { zh: `归并为 ${totals} 个总数`, en: `${totals} totals gathered` }
  },
})
