import type { Unit } from './data-sets.ts'

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',')

/** A value as it is written in a table: whole, in yuan out of fen, or to two places at most. */
export const reportNumber = (value: number, unit: Unit): string => {
  const sign = value < 0 ? '-' : ''
  if (unit === 'money') {
    const digits = String(Math.abs(Math.round(value))).padStart(3, '0')
    return `${sign}${grouped(digits.slice(0, -2))}.${digits.slice(-2)}`
  }
  const [whole = '0', places] = String(Math.round(Math.abs(value) * 100) / 100).split('.')
  return `${sign}${grouped(whole)}${places === undefined ? '' : `.${places}`}`
}
