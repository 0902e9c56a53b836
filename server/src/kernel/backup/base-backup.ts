import { PassThrough } from 'node:stream'
import pg from 'pg'
import { checkedArchive } from './server-files.ts'

/** What the server says while it sends its files. */
export interface BaseBackup {
  /** A tar archive of the data folder with the WAL that makes it whole. */
  readonly archive: AsyncIterable<Uint8Array>
  /** Bytes of the data folder as the server estimated them; 0 until it has said so. */
  readonly estimatedBytes: () => number
}

interface CopyMessage {
  readonly chunk: Buffer
}
interface RowMessage {
  readonly fields: readonly (string | Buffer | null)[]
}

/**
 * Takes a base backup by the replication protocol, as pg_basebackup does (PostgreSQL 15 and later): what the server itself offers, with no tools.
 * Pages whose checksum is wrong make it fail.
 *
 * @param url - of a superuser or a role that may replicate
 * @param signal - breaks it off; the server ends the backup with the connection
 */
export const takeBaseBackup = (url: string, label: string, signal: AbortSignal): BaseBackup => {
  const out = new PassThrough({ highWaterMark: 4 * 1024 * 1024 })
  let estimated = 0
  let isManifest = false
  const manifest: Buffer[] = []
  const run = async (): Promise<void> => {
    // `replication` is a parameter of the protocol that the types of the driver do not know.
    const settings = { connectionString: url, application_name: 'kaopu_backup', replication: 'true' }
    const client = new pg.Client(settings)
    client.on('error', error => out.destroy(error))
    const stop = (): void => {
      out.destroy(signal.reason as Error)
      ;(client as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream.destroy()
    }
    await client.connect()
    signal.addEventListener('abort', stop, { once: true })
    try {
      await new Promise<void>((done, fail) => {
        // A statement that is not a query: its answer is two result sets, one stream of copied bytes, and one more result set.
        const statement = {
          submit(connection: { query: (text: string) => void; stream: { pause: () => void; resume: () => void } }) {
            statement.socket = connection.stream
            connection.query(
              `BASE_BACKUP (LABEL '${label.replaceAll("'", "''")}', CHECKPOINT 'fast', WAL true, PROGRESS true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')`,
            )
          },
          isPaused: false,
          socket: undefined as { pause: () => void; resume: () => void } | undefined,
          handleRowDescription: () => {},
          handleDataRow({ fields }: RowMessage) {
            // Oid, place and size in kilobytes of each tablespace; the data folder itself has neither of the first two.
            if (fields.length === 3) estimated += Number(fields[2] ?? 0) * 1024
          },
          handleCopyData({ chunk }: CopyMessage) {
            // `d` is a piece of the archive, and of the manifest after `m`; `n` names an archive and `p` counts.
            const [kind] = chunk
            if (kind === 0x6d) isManifest = true
            if (kind !== 0x64) return
            // The driver reads the next message into the same bytes.
            const bytes = Buffer.from(chunk.subarray(1))
            if (isManifest) return void manifest.push(bytes)
            if (out.write(bytes) || statement.isPaused) return
            statement.isPaused = true
            statement.socket?.pause()
            out.once('drain', () => {
              statement.isPaused = false
              statement.socket?.resume()
            })
          },
          handleCommandComplete: () => {},
          handleEmptyQuery: () => {},
          handleError: (error: Error) => fail(error),
          handleReadyForQuery: () => done(),
        }
        client.query(statement as unknown as pg.Submittable)
      })
      out.end()
    } finally {
      signal.removeEventListener('abort', stop)
      await client.end().catch(() => {})
    }
  }
  run().catch((error: Error) => out.destroy(error))
  return {
    archive: checkedArchive(out, () => Buffer.concat(manifest).toString('utf8')),
    estimatedBytes: () => estimated,
  }
}
