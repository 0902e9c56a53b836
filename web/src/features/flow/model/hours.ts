/** Whole hours of what was typed; null when empty. */
export const hoursOf = (text: string): number | null => {
  const digits = text.replaceAll(/\D/g, '').slice(0, 4)
  return digits === '' || Number(digits) === 0 ? null : Number(digits)
}
