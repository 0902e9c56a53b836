import type { Readable } from 'node:stream'
import type { Label } from '#contract/kernel/label.ts'
import { token } from '#kernel/random.ts'

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

interface Reading {
  /** @throws FileMissingError; the stream fails with FileDamagedError when the stored bytes were altered */
  readonly open: (key: string, range?: ByteRange) => Promise<Readable>
  /** Removing what is not there is no error. */
  readonly remove: (key: string) => Promise<void>
}

/** A file as a place lists it. */
export interface ListedFile {
  readonly key: string
  /** When it was written there. */
  readonly at: Date
}

/** One place for files, a disk or a bucket. What it keeps is sealed before it gets there. */
export interface ByteStore extends Reading {
  /**
   * Durable when it resolves. @throws FileTooLargeError as soon as the limit is passed; nothing is kept then, nor when the source fails
   * @param options.key - made by `newFileKey` before, where somebody has to know it before the bytes are there
   */
  readonly put: (source: Readable | Uint8Array, options: { readonly maxBytes: number; readonly key?: string }) => Promise<StoredFile>
  /**
   * Seals a file for the present root key; readers notice nothing. Twice is as good as once.
   * @returns whether it was sealed for another. @throws FileMissingError, FileDamagedError where no accepted key opens it
   */
  readonly reseal: (key: string) => Promise<boolean>
  /** Everything that lies there, in no particular order and a page at a time; what comes or goes meanwhile may be in it or not. */
  readonly list: () => AsyncIterable<readonly ListedFile[]>
}

/** Where uploaded and rendered files live: each key knows the place of its file. The database row that names the key is written after `put`. */
export interface FileStore extends Reading {
  /** Into the place that the tenant's new files go to; otherwise as `ByteStore.put`. */
  readonly put: (source: Readable | Uint8Array, options: { readonly tenantId: string; readonly maxBytes: number }) => Promise<StoredFile>
}

/** 43 characters: 256 random bits. */
export const newFileKey = (): string => token(32)
export const isFileKey = (key: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(key)

export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError'
}

export class FileMissingError extends Error {
  override readonly name = 'FileMissingError'
}

export class FileDamagedError extends Error {
  override readonly name = 'FileDamagedError'
}

/** Why an object store did not do what was asked, in words for whoever set it up. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly why: Label
  /** It has no room for more. */
  readonly isFull: boolean
  constructor(why: Label, { isFull = false, ...options }: ErrorOptions & { readonly isFull?: boolean } = {}) {
    super(why.en, options)
    this.why = why
    this.isFull = isFull
  }
}
