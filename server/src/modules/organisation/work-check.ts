import type { Holding } from '#kernel/holding.ts'
import type { Invariant } from '#kernel/invariant.ts'
import { giveUpWork } from './commands/give-up-work.ts'
import { brokenHoldings, findWorker } from './data/holding.repo.ts'

/** Open work lies with people who can do it: also where a role lost a right, or somebody changed the database by hand. */
export const workOfOthers = (holdings: () => readonly Holding[]): Invariant => ({
  name: 'organisation.work',
  label: { zh: '待办在能办理的人手里', en: 'Open work lies with people who can do it' },
  means: {
    zh: '已删除、停用或失去权限的账号名下仍有待办，无人能办理。',
    en: 'An account that was removed, disabled or lost the right still has open work, which nobody can do.',
  },
  watches: [],
  page: '/system/user',
  by: 'tenant',
  broken: () => brokenHoldings(holdings()),
  healer: {
    label: { zh: '退回待办', en: 'Give the work back' },
    heal: async (db, id) => {
      const worker = await findWorker(db, id)
      if (!worker) return
      const act = worker.isRemoved ? 'remove' : worker.isActive ? 'roles' : 'disable'
      await giveUpWork(holdings(), db, undefined, { userId: id, leaving: { act }, to: undefined })
    },
  },
})
