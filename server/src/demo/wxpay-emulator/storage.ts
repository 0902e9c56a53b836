import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { EmulatorNotice, EmulatorOrder, EmulatorRefund } from './records.ts'

export type StoredRow =
  | { readonly kind: 'order'; readonly value: EmulatorOrder }
  | { readonly kind: 'refund'; readonly value: EmulatorRefund }
  | { readonly kind: 'notice'; readonly value: EmulatorNotice }

/** Where the emulator keeps what a real provider would know. A row saved again replaces the one before. */
export interface EmulatorStorage {
  load(): Promise<readonly StoredRow[]>
  /** Done when the row would survive a crash. Rows are saved in the order of the calls. */
  save(row: StoredRow): Promise<void>
}

export const rowKey = (row: StoredRow): string => {
  if (row.kind === 'order') return `order ${row.value.mchid} ${row.value.orderNo}`
  if (row.kind === 'refund') return `refund ${row.value.mchid} ${row.value.refundNo}`
  return `notice ${row.value.id}`
}

/** Rows live as long as the object: for tests. */
export const createMemoryStorage = (): EmulatorStorage => {
  const rows = new Map<string, string>()
  return {
    load: async () => [...rows.values()].map(text => JSON.parse(text) as StoredRow),
    save: async row => {
      rows.set(rowKey(row), JSON.stringify(row))
    },
  }
}

/** The last state of each row; a line that a crash cut short is the last one and was never acknowledged. */
const readRows = async (file: string): Promise<readonly StoredRow[]> => {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
  const complete = text.slice(0, text.lastIndexOf('\n') + 1)
  const rows = new Map<string, StoredRow>()
  for (const line of complete.split('\n')) {
    if (line === '') continue
    const row = JSON.parse(line) as StoredRow
    rows.set(rowKey(row), row)
  }
  return [...rows.values()]
}

/** One JSON line for each saved row, flushed to the disk; rewritten without the outdated lines when it is loaded. One process only. */
export const createFileStorage = (file: string): EmulatorStorage => {
  let last: Promise<unknown> = Promise.resolve()
  return {
    async load() {
      const rows = await readRows(file)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(`${file}.new`, rows.map(row => `${JSON.stringify(row)}\n`).join(''), { mode: 0o600, flush: true })
      await rename(`${file}.new`, file)
      return rows
    },
    save(row) {
      const saved = last.then(async () => {
        const handle = await open(file, 'a', 0o600)
        try {
          await handle.appendFile(`${JSON.stringify(row)}\n`)
          await handle.datasync()
        } finally {
          await handle.close()
        }
      })
      last = saved.catch(() => undefined)
      return saved
    },
  }
}
