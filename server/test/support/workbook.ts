import { readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { parseCsv } from '#kernel/csv.ts'
import { writeSheet } from '#kernel/sheet/write-sheet.ts'

/** An xlsx workbook of text cells, its first row the header. */
export const workbook = async (rows: readonly (readonly string[])[], name = 'Sheet1'): Promise<Buffer> => {
  const [header = [], ...body] = rows
  const target = new PassThrough()
  const chunks: Buffer[] = []
  target.on('data', chunk => chunks.push(chunk as Buffer))
  await writeSheet(target, { sheets: [{ name, columns: header.map(text => ({ header: text })), rows: body }] })
  return Buffer.concat(chunks)
}

/** Rows of a file of `server/seed/data`, header first. */
export const seedRows = (name: string): string[][] =>
  parseCsv(readFileSync(new URL(`../../seed/data/${name}.csv`, import.meta.url), 'utf8'))
