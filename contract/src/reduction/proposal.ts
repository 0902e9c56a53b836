/** What the rule makes of a post (domain 4.4). */
export interface Proposal {
  readonly action: 'none' | 'reduce' | 'cancel'
  readonly afterNum: number
}

/**
 * How many places a post keeps by the ratio at which a competition opens: as many as have `ratio` people each, none of them = cancelled.
 *
 * @param ratio - people for one place; 0 = posts of this examination are never reduced
 */
export const proposeReduction = (places: number, valid: number, ratio: number): Proposal => {
  if (ratio === 0 || valid >= places * ratio) return { action: 'none', afterNum: places }
  const afterNum = Math.floor(valid / ratio)
  return { action: afterNum === 0 ? 'cancel' : 'reduce', afterNum }
}
