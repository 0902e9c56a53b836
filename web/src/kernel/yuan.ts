/** Integer fen as yuan with two places: 4500 → `45.00`. */
export const yuanOf = (fen: number | null | undefined): string => {
  if (fen === null || fen === undefined) return '-'
  const sign = fen < 0 ? '-' : ''
  const abs = Math.abs(fen)
  return `${sign}${grouped(Math.trunc(abs / 100))}.${String(abs % 100).padStart(2, '0')}`
}

export const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
