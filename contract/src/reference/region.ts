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

/**
 * The code of a region as clients of the framework may write it. They put the code above before its own digits, and `00` before a province's. Among
 * towns and villages that is the code; provinces, cities and counties share no such beginning in this list, so of `330000330100` the last six digits
 * count. By its first two or four digits, as the framework's list has provinces and cities, `33` is 330000 and `3301` is 330100.
 */
export const regionCodeOf = (sent: string): string => {
  const code = sent.replace(/^00(?=[1-9])/, '')
  if (code.length === 2 || code.length === 4) return code === '00' ? code : code.padEnd(6, '0')
  const [above, own] = [code.slice(0, 6), code.slice(6)]
  if (!above.endsWith('00')) return code
  const stem = regionStem(above)
  if (own.length >= 6 && own.startsWith(stem)) return regionCodeOf(own)
  return own.length === 2 ? (stem + own).padEnd(6, '0') : code
}

/** The same of one whose code above was sent with it, as such a client had put that together: `00330035` below `003300` is 333500. */
export const regionCodeBelow = (sent: string, sentParent: string): string => {
  const above = regionCodeOf(sentParent)
  if (regionLevelOf(above) === null || !sent.startsWith(sentParent)) return regionCodeOf(sent)
  const own = sent.slice(sentParent.length)
  if (own.length === 2 && above.endsWith('00')) return (regionStem(above) + own).padEnd(6, '0')
  return own.length === 3 ? above + own : regionCodeOf(sent)
}
