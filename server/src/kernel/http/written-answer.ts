import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, zstdCompress } from 'node:zlib'

/** Below this an answer is sent as it is. */
const worthCompressing = 2_048

export type Coding = 'zstd' | 'br'

/** Of one reader's language and one shape of answers. */
export interface Written {
  readonly bytes: Buffer
  /** Names the text, so that whoever holds it already need not be sent it. */
  readonly tag: string
  /** For readers who take that coding; made once of each. Undefined: too small to gain by it. */
  readonly compressed: (coding: Coding) => Promise<Buffer> | undefined
}

/** Trees of ids come out as small as at 5, in a third of the time; zstd takes a third of that again at its first level. */
const compressors: { readonly [C in Coding]: (bytes: Buffer) => Promise<Buffer> } = {
  br: bytes => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } }),
  zstd: bytes => promisify(zstdCompress)(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
}

const written = (text: string): Written => {
  const bytes = Buffer.from(text)
  const packed = new Map<Coding, Promise<Buffer>>()
  return {
    bytes,
    tag: createHash('sha256').update(bytes).digest('base64url'),
    compressed: coding => {
      if (bytes.length < worthCompressing) return undefined
      const known = packed.get(coding) ?? compressors[coding](bytes)
      packed.set(coding, known)
      return known
    },
  }
}

/** An answer that is written out once and sent many times. */
export class KeptAnswer {
  readonly data: unknown
  readonly #written = new Map<string, Written>()
  constructor(data: unknown) {
    this.data = data
  }
  /** @param variant whatever else the text depends on: language, shape */
  write(variant: string, write: () => string): Written {
    const known = this.#written.get(variant)
    if (known) return known
    const made = written(write())
    this.#written.set(variant, made)
    return made
  }
}
