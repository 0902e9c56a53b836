import type { Readable } from 'node:stream'

export interface StoredFile {
  /** Opaque; the only way to the bytes. */
  readonly key: string
  readonly sizeBytes: number
  /** Of the plain bytes, hex. */
  readonly sha256: string
}

/** Bytes `start` to `end`, both included, from 0. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Where uploaded and rendered files live. The database row that names the key is written after `put`. */
export interface FileStore {
  /** Durable when it resolves. @throws FileTooLargeError as soon as the limit is passed; nothing is kept then, nor when the source fails */
  readonly put: (source: Readable | Uint8Array, limits: { readonly maxBytes: number }) => Promise<StoredFile>
  /** @throws FileMissingError; the stream fails with FileDamagedError when the stored bytes were altered */
  readonly open: (key: string, range?: ByteRange) => Promise<Readable>
  /** Removing what is not there is no error. */
  readonly remove: (key: string) => Promise<void>
}

export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError'
}

export class FileMissingError extends Error {
  override readonly name = 'FileMissingError'
}

export class FileDamagedError extends Error {
  override readonly name = 'FileDamagedError'
}
