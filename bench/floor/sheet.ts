// hucre alone: writes generated rows, or reads a file and counts its rows. One order, one answer, then the process ends.
import { readFile } from 'node:fs/promises'
import { streamXlsxRows, writeXlsxStream } from 'hucre/xlsx'

type Order = { readonly kind: 'write'; readonly rows: number; readonly columns: number } | { readonly kind: 'read'; readonly path: string }

const write = async (rows: number, columns: number): Promise<void> => {
  const names = Array.from({ length: columns }, (_, i) => `c${i}`)
  function* lines() {
    for (let n = 0; n < rows; n += 1) yield names.map((_, i) => (i === 0 ? n : `值${(n * 31 + i) % 9973}`))
  }
  let bytes = 0
  // Thrown away: the disk is not what is measured.
  for await (const part of writeXlsxStream(lines(), { name: 'A' })) bytes += part.length
  if (bytes === 0) throw new Error('hucre wrote nothing')
}

const read = async (path: string): Promise<void> => {
  let rows = 0
  for await (const _ of streamXlsxRows(new Uint8Array(await readFile(path)))) rows += 1
  if (rows === 0) throw new Error('hucre found no row')
}

process.once('message', async (order: Order) => {
  const began = performance.now()
  const cpu = process.cpuUsage()
  await (order.kind === 'write' ? write(order.rows, order.columns) : read(order.path))
  const { user, system } = process.cpuUsage(cpu)
  process.send?.(
    { cpuSeconds: (user + system) / 1e6, wallMs: performance.now() - began, peakMb: process.resourceUsage().maxRSS / 1024 },
    () => process.exit(0),
  )
})
