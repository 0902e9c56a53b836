import { elsewhere } from '#contract/signup/fit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { readDictionaries, regionName } from '#modules/reference/index.ts'
import type { Dictionary } from '../domain/post-view.ts'

/** Dictionaries that posts and their conditions name entries of. */
const named = ['education', 'degree', 'political', 'cert', 'title', 'fresh', 'sex', 'post_type'] as const

const placeName = (code: string) => {
  if (code === elsewhere) return { zh: '其他地区', en: 'Elsewhere' }
  const name = regionName(code)
  return { zh: name, en: name }
}

export const dictionaryLabels = async (db: TenantDb): Promise<Dictionary> => {
  const lists = await readDictionaries(db, named)
  const labels = new Map(
    Object.entries(lists).flatMap(([code, entries]) =>
      entries.map(entry => [`${code} ${entry.key}`, { zh: entry.zh, en: entry.en }] as const),
    ),
  )
  return {
    labelOf: (code, key) => (code === 'region' ? placeName(key) : labels.get(`${code} ${key}`)),
    entries: code => (lists[code] ?? []).map(({ key, zh, en }) => ({ key, label: { zh, en } })),
  }
}
