/**
 * Levels of GB/T 2260 and GB/T 10114 by the shape of a code: 1 province (330000), 2 city (330100), 3 county (330106), 4 town (9 digits),
 * 5 village (12 digits). Null: no code of a region.
 */
export const regionLevelOf = (code: string): 1 | 2 | 3 | 4 | 5 | null => {
  if (!/^[1-9][0-9]+$/.test(code)) return null
  if (code.length === 6) return code.endsWith('0000') ? 1 : code.endsWith('00') ? 2 : 3
  return code.length === 9 ? 4 : code.length === 12 ? 5 : null
}

/** The digits that everything below a region begins with. */
export const regionStem = (code: string): string => (code.length > 6 ? code : code.replace(/(00){1,2}$/, ''))

/** Whether a region of this code can stand below the other one: it begins like it and is of a lower level. */
export const isRegionBelow = (code: string, parentCode: string): boolean => {
  const [level, above] = [regionLevelOf(code), regionLevelOf(parentCode)]
  return level !== null && above !== null && level > above && code.startsWith(regionStem(parentCode))
}
