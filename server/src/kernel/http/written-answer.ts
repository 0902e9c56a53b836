import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

/** Below this an answer is sent as it is. */
const worthCompressing = 2_048

/** Of one reader's language and one shape of answers. */
export interface Written {
  readonly text: string
  /** Names the text, so that whoever holds it already need not be sent it. */
  readonly tag: string
  /** For readers who take brotli; made once. Undefined: too small to gain by it. */
  readonly compressed: () => Promise<Buffer> | undefined
}

/** Trees of ids come out as small as at 5, in a third of the time. */
const quality = 2

const compress = promisify(brotliCompress)
const written = (text: string): Written => {
  let packed: Promise<Buffer> | undefined
  return {
    text,
    tag: createHash('sha256').update(text).digest('base64url'),
    compressed: () => {
      if (text.length < worthCompressing) return undefined
      packed ??= compress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
      return packed
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
