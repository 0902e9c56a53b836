import { audit } from '#kernel/audit.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import type { Processor } from '#kernel/queue/processor.ts'
import { eachTenant } from '#modules/tenancy/index.ts'
import { countHeld, listDoubtfulPosts, lockPlaces, type PlacesRow, storePlaces } from '../data/places.repo.ts'
import type { SignupContext } from '../deps.ts'

interface Recounted extends PlacesRow {
  readonly held: number
}

/** Counts the places of a post anew. More sign-ups than places are left as they are: the post counts as full, and people decide. */
const recount = async (db: TenantDb, id: string): Promise<Recounted | undefined> => {
  const post = await lockPlaces(db, id)
  if (!post) return undefined
  const held = await countHeld(db, id)
  const used = post.maxSign > 0 ? Math.min(held, post.maxSign) : held
  if (used !== post.used) {
    await storePlaces(db, id, used)
    await audit(db, undefined, {
      action: 'type-code.recounted',
      entity: 'type-code',
      entityId: id,
      before: { code: post.code, usedSign: post.used },
      after: { code: post.code, usedSign: used, held },
    })
  }
  return used === post.used && held === used ? undefined : { ...post, held }
}

/** Sets counters of posts right that a fault or somebody beside the program has left wrong. */
export const countPlacesProcessor = ({ services }: Pick<SignupContext, 'services'>): Processor => ({
  name: 'signup.count-places',
  label: { zh: '校正报名计数', en: 'Count places anew' },
  help: {
    zh: '按报名记录核对开放考试各岗位的已报人数，不符的改正并写入审计；报名超过上限的只记录，不改报名',
    en: 'Compares the places taken of each post of open examinations with its sign-ups and sets the counter right, with a line in the trail; more sign-ups than places are only named',
  },
  scope: 'platform',
  own: { cron: '0 */5 * * * ?', mayPause: true },
  run: async call => {
    let [mended, over] = [0, 0]
    const tenants = await eachTenant(services.scopes, call, async tenantId => {
      const doubtful = await services.scopes.tx(systemOf(tenantId), call.now, listDoubtfulPosts)
      for (const id of doubtful) {
        const post = await services.scopes.tx(systemOf(tenantId), call.now, db => recount(db, id))
        if (!post) continue
        const isOver = post.maxSign > 0 && post.held > post.maxSign
        if (isOver) over += 1
        else mended += 1
        const name = `${post.code} ${post.codeName}`
        call.log(
          3,
          isOver
            ? {
                zh: `机构 ${tenantId} 岗位 ${name}：报名 ${post.held} 人，超过上限 ${post.maxSign} 人，请考务处理`,
                en: `Tenant ${tenantId}, post ${name}: ${post.held} sign-ups for ${post.maxSign} places; the examination office has to decide`,
              }
            : {
                zh: `机构 ${tenantId} 岗位 ${name}：计数 ${post.used} 改为 ${post.held}`,
                en: `Tenant ${tenantId}, post ${name}: counter ${post.used} set to ${post.held}`,
              },
        )
      }
    })
    return mended + over === 0
      ? { zh: `${tenants} 个机构的报名计数全部一致`, en: `All counters of ${tenants} tenants are right` }
      : {
          zh: `改正计数 ${mended} 个，超过上限 ${over} 个，详见日志`,
          en: `${mended} counters set right, ${over} posts have too many; the log names them`,
        }
  },
})
