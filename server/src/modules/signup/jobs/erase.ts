import { createHash } from 'node:crypto'
import { audit } from '#kernel/audit.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import { afterDays, type Processor } from '#kernel/queue/processor.ts'
import { eachTenant } from '#modules/tenancy/index.ts'
import {
  clearDrafts,
  clearFiles,
  clearPhotos,
  deleteLooseDrafts,
  type ErasableRow,
  type Erasure,
  keptDays,
  listNamedElsewhere,
  lockErasable,
} from '../data/erase.repo.ts'
import type { SignupContext } from '../deps.ts'

/** Sign-ups of one transaction. */
const batch = 200
const dayMs = 86_400_000

type Deps = Pick<SignupContext, 'services' | 'file'>

/** Files of these sign-ups go, unless another sign-up of the person names them. @returns how many */
const eraseFiles = async ({ file }: Deps, db: TenantDb, rows: readonly ErasableRow[], ids: readonly string[]): Promise<number> => {
  const named = await listNamedElsewhere(
    db,
    ids,
    rows.map(row => row.userId),
    rows.map(row => row.id),
  )
  return file.erase(
    db,
    ids.filter(id => !named.includes(id)),
  )
}

const eraseSome = async (deps: Deps, db: TenantDb, kind: Erasure): Promise<{ people: number; files: number }> => {
  const rows = await lockErasable(db, kind, new Date(db.now.getTime() - keptDays[kind] * dayMs), batch)
  if (rows.length === 0) return { people: 0, files: 0 }
  const ids = rows.map(row => row.id)
  const files =
    kind === 'eliminated'
      ? await eraseFiles(
          deps,
          db,
          rows,
          (await clearPhotos(db, ids)).map(({ photoId }) => photoId),
        )
      : await eraseFiles(deps, db, rows, await deps.file.idsOf(db, 'signup', ids))
  if (kind === 'draft') await clearDrafts(db, rows)
  if (kind === 'refused') await clearFiles(db, ids)
  // The certificate: what went, by numbers that can be counted again and a digest that cannot be made to fit other ones.
  await audit(db, undefined, {
    action: 'signup.erased',
    entity: 'signup',
    entityId: null,
    after: { kind, count: rows.length, files, ids, sha256: createHash('sha256').update(ids.join(',')).digest('hex') },
  })
  return { people: rows.length, files }
}

/** Erases what may not be kept any longer, each night. */
export const eraseProcessor = (deps: Deps): Processor => ({
  name: 'signup.erase',
  label: { zh: '到期数据清除', en: 'Erase what has expired' },
  help: {
    zh: '考试关闭 90 天后清除未提交的报名，一年后清除未通过和撤回报名的材料、淘汰人员的照片；每次清除写入审计（编号、数量、校验值）',
    en: 'Ninety days after an examination was closed drafts are erased, after a year the files of refused and withdrawn sign-ups and portraits of the eliminated; the trail has numbers, counts and a digest',
  },
  scope: 'platform',
  erases: (
    [
      ['draft', { zh: '未提交的报名和草稿', en: 'Sign-ups that were not submitted, and drafts' }],
      ['refused', { zh: '未通过、撤回、取消资格者的材料', en: 'Files of the refused, withdrawn and disqualified' }],
      ['eliminated', { zh: '未录用者的照片', en: 'Portraits of who was not hired' }],
    ] as const
  ).map(([kind, what]) => ({ what, since: { zh: '考试关闭', en: 'the examination is closed' }, after: afterDays(keptDays[kind]) })),
  own: { cron: '0 30 0 * * ?', mayPause: false },
  run: async call => {
    let [people, files, loose] = [0, 0, 0]
    await eachTenant(deps.services.scopes, call, async tenantId => {
      const inTenant = <T>(work: (db: TenantDb) => Promise<T>) => deps.services.scopes.tx(systemOf(tenantId), call.now, work)
      let [own, ownFiles] = [0, 0]
      for (const kind of Object.keys(keptDays) as Erasure[])
        for (let found = batch; found === batch; ) {
          call.signal.throwIfAborted()
          const done = await inTenant(db => eraseSome(deps, db, kind))
          found = done.people
          own += done.people
          ownFiles += done.files
        }
      const left = await inTenant(db => deleteLooseDrafts(db, new Date(db.now.getTime() - keptDays.draft * dayMs)))
      people += own
      files += ownFiles
      loose += left
      if (own + left > 0)
        call.log(2, {
          zh: `机构 ${tenantId}：清除报名 ${own} 份、文件 ${ownFiles} 个、未保存的草稿 ${left} 份`,
          en: `Tenant ${tenantId}: ${own} sign-ups, ${ownFiles} files, ${left} loose drafts erased`,
        })
    })
    return {
      zh: `清除报名 ${people} 份、文件 ${files} 个、未保存的草稿 ${loose} 份`,
      en: `${people} sign-ups, ${files} files, ${loose} loose drafts erased`,
    }
  },
})
