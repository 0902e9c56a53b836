import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Lines on disk, in their order, for as long as they cannot be written where they belong. */
export interface Spool {
  /** Whether nothing is in it. */
  readonly isEmpty: () => boolean
  /** @returns how many of them found room, the first ones */
  readonly append: (lines: readonly string[]) => Promise<number>
  /** The oldest lines, at most so many. They stay until `drop`. */
  readonly peek: (most: number) => Promise<readonly string[]>
  /** Takes away the oldest lines. */
  readonly drop: (count: number) => Promise<void>
}

/**
 * @param path - a file of this process alone; what a former one left in it is still there
 * @param maxBytes - size of the file that is not passed
 */
export const openSpool = async (path: string, maxBytes: number): Promise<Spool> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  let sizeBytes = (await stat(path).catch(() => undefined))?.size ?? 0
  /** Where the oldest line begins. */
  let fromByte = 0
  const clear = async (): Promise<void> => {
    await rm(path, { force: true })
    sizeBytes = 0
    fromByte = 0
  }
  /** Lengths of the lines that were peeked at, with their ends. */
  let peeked: readonly number[] = []
  return {
    isEmpty: () => fromByte >= sizeBytes,
    append: async lines => {
      const parts: Buffer[] = []
      let bytes = 0
      for (const line of lines) {
        const part = Buffer.from(`${line}\n`)
        if (sizeBytes + bytes + part.length > maxBytes) break
        parts.push(part)
        bytes += part.length
      }
      if (parts.length === 0) return 0
      const file = await open(path, 'a', 0o600)
      try {
        await file.appendFile(Buffer.concat(parts))
      } finally {
        await file.close()
      }
      sizeBytes += bytes
      return parts.length
    },
    peek: async most => {
      if (fromByte >= sizeBytes) return []
      const file = await open(path, 'r')
      try {
        const lines: Buffer[] = []
        let rest: Buffer = Buffer.alloc(0)
        for (let at = fromByte; at < sizeBytes && lines.length < most; ) {
          const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(262_144, sizeBytes - at)), 0, undefined, at)
          if (bytesRead === 0) break
          at += bytesRead
          rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)])
          for (let end = rest.indexOf(10); end >= 0 && lines.length < most; end = rest.indexOf(10)) {
            lines.push(rest.subarray(0, end))
            rest = rest.subarray(end + 1)
          }
        }
        // A process that was killed in the middle of a line leaves half of one.
        if (lines.length === 0) await clear()
        peeked = lines.map(line => line.length + 1)
        return lines.map(line => line.toString('utf8'))
      } finally {
        await file.close()
      }
    },
    drop: async count => {
      fromByte += peeked.slice(0, count).reduce((sum, length) => sum + length, 0)
      peeked = peeked.slice(count)
      if (fromByte >= sizeBytes) return clear()
      if (fromByte < maxBytes / 2) return
      // The room of what was written is needed again.
      const [from, to] = [await open(path, 'r'), await open(`${path}.new`, 'w', 0o600)]
      try {
        await to.writeFile((await from.read(Buffer.alloc(sizeBytes - fromByte), 0, undefined, fromByte)).buffer)
      } finally {
        await from.close()
        await to.close()
      }
      await rename(`${path}.new`, path)
      sizeBytes -= fromByte
      fromByte = 0
    },
  }
}
