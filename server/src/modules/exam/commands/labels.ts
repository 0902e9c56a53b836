import type { TenantDb } from '#kernel/db/scope.ts'
import { readDictionaries } from '#modules/reference/index.ts'
import type { Dictionary } from '../domain/post-view.ts'

/** Dictionaries that conditions of posts name entries of. */
const named = ['education', 'degree', 'political', 'cert', 'title', 'fresh', 'sex'] as const

export const dictionaryLabels = async (db: TenantDb): Promise<Dictionary> => {
  const lists = await readDictionaries(db, named)
  const labels = new Map(
    Object.entries(lists).flatMap(([code, entries]) =>
      entries.map(entry => [`${code} ${entry.key}`, { zh: entry.zh, en: entry.en }] as const),
    ),
  )
  return {
    labelOf: (code, key) => labels.get(`${code} ${key}`),
    entries: code => (lists[code] ?? []).map(({ key, zh, en }) => ({ key, label: { zh, en } })),
  }
}
