import { audit } from '#kernel/audit.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { afterDays, type Processor } from '#kernel/queue/processor.ts'
import { listUntaken, removeFiles, tenantsWithUntaken } from '../data/file.repo.ts'
import type { StorageKit } from '../deps.ts'
import { dropBytes } from './move-files.ts'

/** Which of these files something of its module names without taking them. */
export type NamedFiles = (db: TenantDb, ids: readonly string[]) => Promise<readonly string[]>

/** Sign-up is open for days and a form that lies on a phone without a network names its uploads too: a month is beyond both. */
const keptDays = 30
/** What a sign-up names is looked at each night and never taken; after so long nothing about it changes any more. */
const lookedAtDays = 120
const day = 86_400_000
const atOnce = 200

/**
 * What candidates uploaded and nothing names goes, with its bytes: a form that was given up, a picture that was replaced. Uploads of staff stay: they may
 * stand in texts.
 */
export const sweepProcessor = ({ services }: StorageKit, named: readonly NamedFiles[]): Processor => ({
  name: 'file.sweep',
  label: { zh: '清理无主文件', en: 'Remove uploads nobody took' },
  help: {
    zh: `删除考生上传 ${keptDays} 天后仍未被任何报名、草稿或账号使用的文件`,
    en: `Removes what candidates uploaded and no sign-up, draft or account names after ${keptDays} days`,
  },
  scope: 'platform',
  erases: [
    {
      what: { zh: '考生上传而未使用的文件', en: 'Uploads of candidates that nothing names' },
      since: { zh: '上传', en: 'the upload' },
      after: afterDays(keptDays),
    },
  ],
  own: { cron: '0 35 3 * * ?', mayPause: true },
  run: async ({ now, signal }) => {
    const { scopes } = services
    const [from, before] = [lookedAtDays, keptDays].map(days => new Date(now.getTime() - days * day)) as [Date, Date]
    const sweep = async (db: TenantDb, after: string): Promise<{ readonly last: string | undefined; readonly removed: number }> => {
      const ids = await listUntaken(db, { from, before, after, count: atOnce })
      const kept = new Set((await Promise.all(named.map(of => of(db, ids)))).flat())
      const free = ids.filter(id => !kept.has(id))
      const keys = await removeFiles(db, free)
      if (keys.length > 0) {
        await dropBytes(db, keys)
        await audit(db, undefined, { action: 'file.swept', entity: 'stored_file', entityId: null, after: { files: keys.length } })
      }
      return { last: ids.at(-1), removed: keys.length }
    }
    let files = 0
    for (const { tenantId } of await scopes.asPlatform('uploads nobody took go in every tenant', now, db =>
      tenantsWithUntaken(db, from, before),
    ))
      for (let after: string | undefined = '0'; after !== undefined && !signal.aborted; ) {
        const reached: string = after
        const { last, removed } = await scopes.tx(systemOf(tenantId), now, db => sweep(db, reached))
        files += removed
        after = last
      }
    return { zh: `删除无主文件 ${files} 个`, en: `${files} files removed` }
  },
})
