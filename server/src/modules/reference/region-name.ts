import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseCsvRecords } from '#kernel/csv.ts'

let names: ReadonlyMap<string, string> | undefined

const read = (file: string): (readonly [string, string])[] =>
  parseCsvRecords(readFileSync(fileURLToPath(new URL(`../../../seed/data/${file}`, import.meta.url)), 'utf8')).map(
    row => [row['code'] ?? '', row['name'] ?? ''] as const,
  )

/** Name of a GB/T 2260 code, abolished ones included; the code itself when nobody knows it. Read when first needed. */
export const regionName = (code: string): string => {
  names ??= new Map([...read('regions-former.csv'), ...read('regions.csv')])
  return names.get(code) ?? code
}
