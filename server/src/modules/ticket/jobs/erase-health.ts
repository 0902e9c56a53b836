import { createHash } from 'node:crypto'
import { audit } from '#kernel/audit.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { afterDays, type Processor } from '#kernel/queue/processor.ts'
import { eachTenant } from '#modules/tenancy/index.ts'
import { sealedReason } from '../commands/accommodation.ts'
import { listOldAccommodations, listPlainReasons, markAccommodationsErased, sealReason } from '../data/accommodation.repo.ts'
import { listOldHealth, markErased } from '../data/down.repo.ts'
import type { TicketContext } from '../deps.ts'

/** Health documents, and why somebody needs help with its proof, are kept so long after the examination (domain 3.11). */
const keptDays = 30
const batch = 200

interface Erased {
  readonly rows: number
  readonly files: number
}
const idsAsDigest = (ids: readonly string[]) => createHash('sha256').update(ids.join(',')).digest('hex')

const eraseHealth = async ({ file }: Pick<TicketContext, 'file'>, db: TenantDb, before: Date): Promise<Erased> => {
  const rows = await listOldHealth(db, before, batch)
  const [first] = rows
  if (!first) return { rows: 0, files: 0 }
  const ids = rows.map(row => row.id)
  // A later row repeats the documents that were not sent again.
  const files = await file.erase(db, [...new Set(rows.flatMap(row => row.files))])
  await markErased(db, ids)
  const after = { count: ids.length, files, sha256: idsAsDigest(ids) }
  await audit(db, undefined, { action: 'ticket-health.erased', entity: 'ticket_health', entityId: first.id, after })
  return { rows: rows.length, files }
}

const eraseReasons = async ({ file }: Pick<TicketContext, 'file'>, db: TenantDb, before: Date): Promise<Erased> => {
  const rows = await listOldAccommodations(db, before, batch)
  const [first] = rows
  if (!first) return { rows: 0, files: 0 }
  const ids = rows.map(row => row.id)
  const files = await file.erase(
    db,
    rows.flatMap(row => row.proofFileId ?? []),
  )
  await markAccommodationsErased(db, ids)
  const after = { count: ids.length, files, sha256: idsAsDigest(ids) }
  await audit(db, undefined, { action: 'accommodation.erased', entity: 'accommodation', entityId: first.id, after })
  return { rows: rows.length, files }
}

/** Seals what an earlier version wrote plainly. */
const sealReasons = async (context: Pick<TicketContext, 'services'>, db: TenantDb): Promise<Erased> => {
  const rows = await listPlainReasons(db, batch)
  for (const { id, reason } of rows) await sealReason(db, id, sealedReason(context, db.actor.tenantId, id, reason))
  return { rows: rows.length, files: 0 }
}

/** Takes the images of health documents and the proofs of requests for help away once nobody needs them: special personal data. */
export const eraseHealthProcessor = (context: Pick<TicketContext, 'services' | 'file'>): Processor => ({
  name: 'ticket.erase-health',
  label: { zh: '清除防疫材料和合理便利证明', en: 'Erase health documents and proofs for help' },
  help: {
    zh: '考试结束 30 天后清除考生上传的防疫材料图片、合理便利申请的情况说明和证明材料，保留上传时间和审核结果；每次清除写入审计',
    en: 'Thirty days after the examination the images of health documents and the reasons and proofs of requests for help are erased; when they were sent and what was decided stays; the trail has a line',
  },
  scope: 'platform',
  erases: [
    {
      what: { zh: '健康材料、合理便利的理由和证明', en: 'Health documents, reasons and proofs of accommodation' },
      since: { zh: '考试结束', en: 'the end of the examination' },
      after: afterDays(keptDays),
    },
  ],
  own: { cron: '0 40 0 * * ?', mayPause: false },
  run: async call => {
    const { scopes } = context.services
    let [records, requests, files] = [0, 0, 0]
    await eachTenant(scopes, call, async tenantId => {
      const all = async (part: (db: TenantDb) => Promise<Erased>): Promise<Erased> => {
        let [rows, gone] = [0, 0]
        for (let found = batch; found === batch; ) {
          call.signal.throwIfAborted()
          const erased = await scopes.tx(systemOf(tenantId), call.now, part)
          found = erased.rows
          rows += erased.rows
          gone += erased.files
        }
        return { rows, files: gone }
      }
      const before = new Date(call.now.getTime() - keptDays * 86_400_000)
      const health = await all(db => eraseHealth(context, db, before))
      const reasons = await all(db => eraseReasons(context, db, before))
      await all(db => sealReasons(context, db))
      records += health.rows
      requests += reasons.rows
      files += health.files + reasons.files
      if (health.rows + reasons.rows > 0)
        call.log(2, {
          zh: `机构 ${tenantId}：清除防疫材料 ${health.rows} 份、合理便利申请 ${reasons.rows} 份、文件 ${health.files + reasons.files} 个`,
          en: `Tenant ${tenantId}: ${health.rows} health records, ${reasons.rows} requests for help, ${health.files + reasons.files} files erased`,
        })
    })
    return {
      zh: `清除防疫材料 ${records} 份、合理便利申请 ${requests} 份、文件 ${files} 个`,
      en: `${records} health records, ${requests} requests for help, ${files} files erased`,
    }
  },
})
