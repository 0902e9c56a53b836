import { fromWireTime } from '#contract/kernel/when.ts'

/** A day as people type one, as the wire has it; null for what is none. */
export const readDay = (typed: string): string | null => {
  const parts = /^(\d{4})[-/.年]?(\d{1,2})[-/.月]?(\d{1,2})日?$/.exec(typed.trim())
  if (parts === null) return null
  const [, year = '', month = '', date = ''] = parts
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  return fromWireTime(`${day} 00:00:00`) === undefined ? null : day
}
