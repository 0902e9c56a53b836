import { audit } from '#kernel/audit.ts'
import { systemOf } from '#kernel/db/scope.ts'
import { Refused } from '#kernel/http/context.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { eachTenant } from '#modules/tenancy/index.ts'
import { lapse } from '../commands/follow.ts'
import { listLapsed } from '../data/name.repo.ts'
import { endOver } from '../data/reduction.repo.ts'
import type { ReductionDeps } from '../deps.ts'

/** Whoever chose in the last moment of the window is heard first: no request is under way for longer. */
const graceSeconds = 60
/** People of one tenant in one run: who has lost the post should not wait for the next hour. */
const batch = 10_000

/** Decides for people who have not chosen in time, and ends what nobody has to choose about any more. */
export const closeChoicesProcessor = (deps: ReductionDeps): Processor => ({
  name: 'reduction.close',
  label: { zh: '改报逾期处理', en: 'End of choices of another post' },
  help: {
    zh: '岗位取消后到期没有选择的考生：服从调剂且符合第二志愿条件的改报第二志愿，其余退费',
    en: 'People of cancelled posts who have not chosen in time go to their second choice, if they may, or get their money back',
  },
  scope: 'platform',
  own: { cron: '0 * * * * ?', mayPause: false },
  run: async call => {
    const { scopes, log } = deps.services
    let all = 0
    await eachTenant(scopes, call, async tenantId => {
      const inTenant = systemOf(tenantId)
      const ids = await scopes.tx(inTenant, call.now, db => listLapsed(db, graceSeconds, batch))
      let done = 0
      for (const id of ids)
        try {
          if (await scopes.tx(inTenant, call.now, db => lapse(deps, db, id))) done += 1
        } catch (error) {
          // One whom a rule keeps back does not keep the others waiting; the next run comes back to it.
          if (!(error instanceof Refused)) throw error
          log.warn({ signupId: id, reason: error.refusal.reason }, 'a late choice waits')
        }
      const ended = await scopes.tx(inTenant, call.now, async db => {
        const over = await endOver(db)
        for (const { id, code } of over)
          await audit(db, undefined, { action: 'reduction.ended', entity: 'post_reduction', entityId: id, after: { code, state: 'ended' } })
        return over.length
      })
      all += done
      if (done + ended > 0)
        call.log(2, {
          zh: `机构 ${tenantId}：处理 ${done} 人，结束 ${ended} 个岗位`,
          en: `Tenant ${tenantId}: ${done} people, ${ended} posts ended`,
        })
    })
    return { zh: `逾期未选处理 ${all} 人`, en: `${all} people who had not chosen` }
  },
})
