import { createHash, type Hash } from 'node:crypto'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'

const blockBytes = 512
const text = (header: Buffer, from: number, length: number): string => {
  const end = header.indexOf(0, from)
  return header.toString('utf8', from, end >= from && end < from + length ? end : from + length)
}
/** Octal digits, or the bytes of the number where it is too long for them. */
const sizeOf = (header: Buffer): number =>
  (header[124] ?? 0) & 0x80 ? Number(header.readBigUInt64BE(128)) : Number.parseInt(text(header, 124, 12).trim() || '0', 8)
const regular = new Set(['0', '\0'])

/** SHA-256 of each file of a tar archive as it passes, by its name. */
const digestEntries = () => {
  const found = new Map<string, string>()
  let header = Buffer.alloc(0)
  let open: { readonly name: string; readonly hash: Hash; left: number } | undefined
  let skip = 0
  const end = (): void => {
    if (open) found.set(open.name, open.hash.digest('hex'))
    open = undefined
  }
  const begin = (): void => {
    const name = text(header, 0, 100)
    if (name !== '') {
      const prefix = text(header, 345, 155)
      const size = sizeOf(header)
      skip = (blockBytes - (size % blockBytes)) % blockBytes
      if (regular.has(String.fromCharCode(header[156] ?? 0)))
        open = { name: prefix === '' ? name : `${prefix}/${name}`, hash: createHash('sha256'), left: size }
      if (open?.left === 0) end()
    }
    header = Buffer.alloc(0)
  }
  return {
    found,
    add: (bytes: Buffer): void => {
      for (let at = 0; at < bytes.length; ) {
        if (open) {
          const piece = bytes.subarray(at, at + open.left)
          open.hash.update(piece)
          open.left -= piece.length
          at += piece.length
          if (open.left === 0) end()
        } else if (skip > 0) {
          const step = Math.min(skip, bytes.length - at)
          skip -= step
          at += step
        } else {
          const piece = bytes.subarray(at, at + blockBytes - header.length)
          header = Buffer.concat([header, piece])
          at += piece.length
          if (header.length === blockBytes) begin()
        }
      }
    },
  }
}

interface ServerManifest {
  readonly Files: readonly { readonly Path?: string; readonly Checksum?: string }[]
}

/**
 * Passes the archive of a base backup on, and compares every file in it with the list of checksums that the server sends after it: what was lost or
 * changed on the way makes the backup fail, not the restore.
 * @param manifest - of the server, asked for when the archive has ended
 */
export async function* checkedArchive(archive: AsyncIterable<Uint8Array>, manifest: () => string): AsyncGenerator<Uint8Array> {
  const entries = digestEntries()
  for await (const bytes of archive) {
    entries.add(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
    yield bytes
  }
  const { Files: files } = JSON.parse(manifest()) as ServerManifest
  const bad = files.filter(({ Path: path = '', Checksum: sum }) => entries.found.get(path) !== sum)
  if (files.length === 0 || bad.length > 0)
    throw new StartRefusal(
      `The database server sent ${files.length} files and ${bad.length} of them differ from its own checksums (${bad[0]?.Path ?? 'none sent'}).`,
    )
}
