import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, zstdCompress, zstdCompressSync } from 'node:zlib'

/** Below this an answer is sent as it is. */
const worthCompressing = 2_048

export type Coding = 'zstd' | 'br'

/** Of one reader's language and one shape of answers. */
export interface Written {
  readonly bytes: () => Buffer
  /** Names the text, so that whoever holds it already need not be sent it. */
  readonly tag: string
  /** For readers who take that coding; made once of each. Undefined: too small to gain by it. */
  readonly compressed: (coding: Coding) => Promise<Buffer> | undefined
}

/** Up to this an answer is compressed at once, which holds others up for some two milliseconds at most (350 KB: 0.5): handing it to a thread takes as long as the work. */
const atOnceBytes = 1_048_576

/** Trees of ids come out as small as at 5, in a third of the time; zstd takes a third of that again at its first level. */
const levels = {
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } },
  zstd: { params: { [constants.ZSTD_c_compressionLevel]: 1 } },
}
const compressors: { readonly [C in Coding]: (bytes: Buffer) => Promise<Buffer> } = {
  br: async bytes => (bytes.length > atOnceBytes ? promisify(brotliCompress)(bytes, levels.br) : brotliCompressSync(bytes, levels.br)),
  zstd: async bytes => (bytes.length > atOnceBytes ? promisify(zstdCompress)(bytes, levels.zstd) : zstdCompressSync(bytes, levels.zstd)),
}

/**
 * Pieces are put together here to be packed: a large buffer for each answer would make the collector go over everything that is kept, again and again.
 * The next answer is put there too: whoever is given it has done with it before anything else runs.
 */
let scratch = Buffer.alloc(0)
const together = (pieces: readonly Buffer[], length: number): Buffer => {
  if (length > atOnceBytes) return Buffer.concat(pieces, length)
  if (scratch.length < length) scratch = Buffer.allocUnsafeSlow(length * 2)
  let at = 0
  for (const piece of pieces) at += piece.copy(scratch, at)
  return scratch.subarray(0, length)
}

const written = (pieces: readonly Buffer[]): Written => {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const tag = createHash('sha256')
  for (const piece of pieces) tag.update(piece)
  let bytes = pieces.length === 1 ? pieces[0] : undefined
  const packed = new Map<Coding, Promise<Buffer>>()
  return {
    bytes: () => {
      bytes ??= Buffer.concat(pieces, length)
      return bytes
    },
    tag: tag.digest('base64url'),
    compressed: coding => {
      if (length < worthCompressing) return undefined
      const known = packed.get(coding) ?? compressors[coding](bytes ?? together(pieces, length))
      packed.set(coding, known)
      return known
    },
  }
}

/**
 * Data that comes with its JSON, where most of that is kept from the time before. The writer answers for it: a test holds the JSON against what the
 * route's schema makes of `read`, which is for readers who are shown less than everything.
 */
export class DataAsJson {
  /** To be put together in this order. */
  readonly json: () => readonly Buffer[]
  readonly read: () => unknown
  constructor(json: () => readonly Buffer[], read: () => unknown) {
    this.json = json
    this.read = read
  }
}

/** An answer that is written out once and sent many times. */
export class KeptAnswer {
  readonly #given: unknown
  #data: unknown
  readonly #written = new Map<string, Written>()
  constructor(given: unknown) {
    this.#given = given
  }
  get data(): unknown {
    this.#data ??= this.#given instanceof DataAsJson ? this.#given.read() : this.#given
    return this.#data
  }
  /** The data as JSON, where they came with it. */
  get json(): readonly Buffer[] | undefined {
    return this.#given instanceof DataAsJson ? this.#given.json() : undefined
  }
  /** @param variant whatever else the text depends on: language, shape */
  write(variant: string, write: () => string | readonly Buffer[]): Written {
    const known = this.#written.get(variant)
    if (known) return known
    const text = write()
    const made = written(typeof text === 'string' ? [Buffer.from(text)] : text)
    this.#written.set(variant, made)
    return made
  }
}
