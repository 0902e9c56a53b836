import { readFileSync } from 'node:fs'
import { parseCsvRecords } from '#kernel/csv.ts'

export type Major = { readonly code: string; readonly name: string; readonly level: string }

let catalogue: ReadonlyMap<string, readonly Major[]> | undefined

/** The catalogue of majors by code; one code may stand for several (server/seed/data/majors.csv). Read once. */
export const majorCatalogue = (): ReadonlyMap<string, readonly Major[]> => {
  catalogue ??= Map.groupBy(
    parseCsvRecords(readFileSync(new URL('../../../../seed/data/majors.csv', import.meta.url), 'utf8'))
      .map(({ code = '', name = '', level = '' }) => ({ code, name, level }))
      .filter(major => major.code !== ''),
    major => major.code,
  )
  return catalogue
}
