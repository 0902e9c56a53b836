import { create } from 'qrcode'

export interface QrModules {
  /** Modules per side, without the quiet zone. */
  readonly size: number
  readonly isDark: (row: number, column: number) => boolean
}

/** Light modules around the symbol, ISO/IEC 18004 6.3.8. */
const QR_QUIET_MODULES = 4

/** QR symbol with error correction M (15 %). @throws when the text is empty or longer than a symbol holds (2,331 bytes) */
export function qrModules(text: string): QrModules {
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  return { size: modules.size, isDark: (row, column) => modules.get(row, column) === 1 }
}

/** The symbol as an SVG document with its quiet zone; scales to any size. */
export function qrSvg(text: string): string {
  const { size } = qrModules(text)
  const side = size + 2 * QR_QUIET_MODULES
  const path = darkRuns(text)
    .map(run => `M${run.column + QR_QUIET_MODULES} ${run.row + QR_QUIET_MODULES}h${run.length}v1h-${run.length}z`)
    .join('')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path}"/></svg>`
  )
}

export interface DarkRun {
  readonly row: number
  readonly column: number
  readonly length: number
}

/** Dark modules joined to horizontal runs: a third of the rectangles, and no hairlines between neighbours. */
export function darkRuns(text: string): DarkRun[] {
  const modules = qrModules(text)
  const runs: DarkRun[] = []
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      if (!modules.isDark(row, column)) continue
      const start = column
      while (column < modules.size && modules.isDark(row, column)) column++
      runs.push({ row, column: start, length: column - start })
    }
  }
  return runs
}
