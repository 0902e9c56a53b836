import type { TenantDb } from '#kernel/db/scope.ts'
import { listEntries } from './data/dict.repo.ts'

export interface DictionaryEntry {
  readonly key: string
  readonly zh: string
  readonly en: string
}

/** Entries of business dictionaries by code, sealed ones included so that old records keep their text. */
export const readDictionaries = async (
  db: TenantDb,
  codes: readonly string[],
): Promise<Readonly<Record<string, readonly DictionaryEntry[]>>> => {
  const rows = await listEntries(db, codes)
  const groups: Record<string, DictionaryEntry[]> = Object.fromEntries(codes.map(code => [code, []]))
  for (const { code, ...entry } of rows) groups[code]?.push(entry)
  return groups
}
