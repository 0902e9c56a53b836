import { createHash } from 'node:crypto'
import { audit } from '#kernel/audit.ts'
import { systemOf } from '#kernel/db/scope.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { eachTenant } from '#modules/tenancy/index.ts'
import { listOldHealth, markErased } from '../data/down.repo.ts'
import type { TicketContext } from '../deps.ts'

/** Health documents are kept so long after the day of the examination (domain 3.11). */
const keptDays = 30
const batch = 200

/** Takes the images of health documents away once nobody needs them: special personal data. */
export const eraseHealthProcessor = ({ services, file }: Pick<TicketContext, 'services' | 'file'>): Processor => ({
  name: 'ticket.erase-health',
  label: { zh: '清除防疫材料', en: 'Erase health documents' },
  help: {
    zh: '考试结束 30 天后清除考生上传的防疫材料图片，保留上传时间和核验结果；每次清除写入审计',
    en: 'Thirty days after the examination the images of health documents are erased; when they were sent and what was found stays; the trail has a line',
  },
  scope: 'platform',
  own: { cron: '0 40 0 * * ?', mayPause: false },
  run: async call => {
    let [records, files] = [0, 0]
    await eachTenant(services.scopes, call, async tenantId => {
      let [own, ownFiles] = [0, 0]
      for (let found = batch; found === batch; ) {
        call.signal.throwIfAborted()
        found = await services.scopes.tx(systemOf(tenantId), call.now, async db => {
          const rows = await listOldHealth(db, new Date(db.now.getTime() - keptDays * 86_400_000), batch)
          if (rows.length === 0) return 0
          const ids = rows.map(row => row.id)
          // A later row repeats the documents that were not sent again.
          const count = await file.erase(db, [...new Set(rows.flatMap(row => row.files))])
          await markErased(db, ids)
          const sha256 = createHash('sha256').update(ids.join(',')).digest('hex')
          await audit(db, undefined, {
            action: 'ticket-health.erased',
            entity: 'ticket_health',
            entityId: ids[0] ?? '0',
            after: { count: ids.length, files: count, sha256 },
          })
          own += ids.length
          ownFiles += count
          return rows.length
        })
      }
      records += own
      files += ownFiles
      if (own > 0)
        call.log(2, {
          zh: `机构 ${tenantId}：清除防疫材料 ${own} 份、图片 ${ownFiles} 张`,
          en: `Tenant ${tenantId}: ${own} records, ${ownFiles} images erased`,
        })
    })
    return { zh: `清除防疫材料 ${records} 份、图片 ${files} 张`, en: `${records} health records, ${files} images erased` }
  },
})
