import type { TenantDb } from '#kernel/db/scope.ts'
import { readParameters } from '#modules/tenancy/index.ts'

/** What counts where a tenant has no such parameter, or one that is no number. */
const defaults = { 'examine.lockMinutes': 10, 'examine.undoMinutes': 30, 'examine.slaHours': 24, 'reveal.perHour': 50 } as const
type Parameter = keyof typeof defaults

export const numbersOf = async <K extends Parameter>(db: TenantDb, keys: readonly K[]): Promise<Readonly<Record<K, number>>> => {
  const values = await readParameters(db, keys)
  const numberOf = (key: K): number => (/^\d+$/.test(values[key] ?? '') ? Number(values[key]) : defaults[key])
  return Object.fromEntries(keys.map(key => [key, numberOf(key)])) as Record<K, number>
}
