import type { ImportCell } from './sheet-cell.ts'

/** Rows of a sheet in their order: an array, or many of them packed. */
export interface SheetRows extends Iterable<readonly ImportCell[]> {
  readonly length: number
}

/** Rows that are unpacked together. */
const portion = 500

/**
 * Rows of a long sheet as bytes outside the heap, unpacked some hundred at a time while somebody walks them: as arrays of texts, a list of a hundred
 * thousand people would be copied and swept again and again for as long as it is at work (ADR 0071).
 */
export class PackedRows implements SheetRows {
  readonly #portions: Buffer[] = []
  #open: (readonly ImportCell[])[] = []

  get length(): number {
    return this.#portions.length * portion + this.#open.length
  }

  push(row: readonly ImportCell[]): void {
    this.#open.push(row)
    if (this.#open.length < portion) return
    this.#portions.push(Buffer.from(JSON.stringify(this.#open)))
    this.#open = []
  }

  *[Symbol.iterator](): Generator<readonly ImportCell[], void> {
    for (const packed of this.#portions) yield* JSON.parse(packed.toString()) as ImportCell[][]
    yield* this.#open
  }
}
