/**
 * The number that somebody has typed: full-width digits count, and so do thousands in groups of three.
 * @returns null for nothing, and the text itself where it is no number: it is for the form to name, not to be mended in silence
 */
export const typedNumber = (text: string): number | string | null => {
  const plain = text.normalize('NFKC').replaceAll('。', '.').trim()
  if (plain === '') return null
  const digits = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain) ? plain.replaceAll(',', '') : plain
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(digits) ? Number(digits) : text
}
