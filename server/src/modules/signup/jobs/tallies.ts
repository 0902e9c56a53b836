import { audit } from '#kernel/audit.ts'
import { systemOf } from '#kernel/db/scope.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { eachTenant } from '#modules/tenancy/index.ts'
import { gatherTallies, listExamIds, mendTallies } from '../data/tally.repo.ts'
import type { SignupContext } from '../deps.ts'

/** Keeps figures quick to read: what came and went since the last run goes into the sums. */
export const gatherTalliesProcessor = ({ services }: Pick<SignupContext, 'services'>): Processor => ({
  name: 'signup.gather-tallies',
  label: { zh: '归并报名计数', en: 'Gather counts of sign-ups' },
  help: {
    zh: '把报名状态变化的记录合并成各岗位、各小时的合计；不改变合计，只让统计更快读出',
    en: 'Puts the changes of sign-ups into one sum for each post and hour; the sums stay the same and are read faster',
  },
  scope: 'platform',
  own: { cron: '40 * * * * ?', mayPause: true },
  run: async ({ now }) => {
    const sums = await services.scopes.asPlatform('counts of sign-ups of every tenant are gathered', now, gatherTallies)
    return { zh: `归并为 ${sums} 个合计`, en: `${sums} sums gathered` }
  },
})

/** Sets sums right that somebody beside the program has left wrong. */
export const checkTalliesProcessor = ({ services }: Pick<SignupContext, 'services'>): Processor => ({
  name: 'signup.check-tallies',
  label: { zh: '核对报名合计', en: 'Check sums of sign-ups' },
  help: {
    zh: '按报名记录核对统计用的各项合计，不符的改正并写入审计',
    en: 'Compares the sums that statistics are read from with the sign-ups and sets them right, with a line in the trail',
  },
  scope: 'platform',
  own: { cron: '0 25 3 * * ?', mayPause: true },
  run: async call => {
    let mended = 0
    const tenants = await eachTenant(services.scopes, call, async tenantId => {
      const exams = await services.scopes.tx(systemOf(tenantId), call.now, listExamIds)
      for (const examId of exams) {
        const cells = await services.scopes.tx(systemOf(tenantId), call.now, async db => {
          const wrong = await mendTallies(db, examId)
          if (wrong > 0)
            await audit(db, undefined, { action: 'examination.recounted', entity: 'examination', entityId: examId, after: { sums: wrong } })
          return wrong
        })
        mended += cells
        if (cells > 0)
          call.log(3, {
            zh: `机构 ${tenantId} 考试 ${examId}：改正合计 ${cells} 个`,
            en: `Tenant ${tenantId}, examination ${examId}: ${cells} sums set right`,
          })
      }
    })
    return mended === 0
      ? { zh: `${tenants} 个机构的报名合计全部一致`, en: `All sums of ${tenants} tenants are right` }
      : { zh: `改正报名合计 ${mended} 个，详见日志`, en: `${mended} sums set right; the log names them` }
  },
})
