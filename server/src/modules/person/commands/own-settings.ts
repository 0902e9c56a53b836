import type { Refusal } from '#contract/kernel/refusal.ts'
import { refusePerson } from '#contract/person/person.errors.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { dropOldSettings, keepSetting, type OwnSetting } from '../data/setting.repo.ts'

/** As many as one person keeps; those that were changed last stay. */
const most = 200
/** Characters of one value as JSON. */
const longest = 4_000

/** Keeps the settings of the caller. */
export const keepOwnSettings = async (db: TenantDb, settings: readonly OwnSetting[]): Promise<number | Refusal> => {
  // Of two with one name the later counts.
  const byName = new Map(settings.map(({ name, value }) => [name, JSON.stringify(value ?? null)]))
  const long = [...byName].find(([, text]) => text.length > longest)
  if (long) return refusePerson('person/setting-too-long', { name: long[0], limit: longest })
  for (const [name, text] of byName) await keepSetting(db, name, text)
  await dropOldSettings(db, most)
  return byName.size
}
