import { readZip } from '#kernel/files/read-zip.ts'
import type { Answer } from './app.ts'
import { pdfText } from './pdf-text.ts'
import { sheetRows } from './sheet-text.ts'

const limits = { maxEntries: 1_000, maxFileBytes: 20_000_000 }

const isPdf = (bytes: Buffer): boolean => bytes.subarray(0, 5).toString('latin1') === '%PDF-'

const textOfFile = (name: string, bytes: Buffer): Promise<string> | string => {
  if (/\.xlsx$/i.test(name)) return sheetRows(bytes).then(rows => rows.flat().join('\n'))
  if (isPdf(bytes)) return pdfText(bytes).flat().join('')
  return bytes.toString('utf8')
}

/** What a reader could read in an answer: JSON, the cells of a workbook, the letters of a PDF, and the same of every file in an archive with their names. */
export const textOf = async ({ headers, raw }: Answer): Promise<string> => {
  const type = String(headers['content-type'] ?? '')
  const disposition = decodeURIComponent(String(headers['content-disposition'] ?? ''))
  if (type.includes('spreadsheetml')) return `${disposition}\n${await textOfFile('a.xlsx', raw)}`
  if (isPdf(raw)) return `${disposition}\n${await textOfFile('a.pdf', raw)}`
  if (type !== 'application/zip') return raw.toString('utf8')
  const texts = [disposition]
  const problem = await readZip(raw, limits, async ({ name, bytes }) => {
    texts.push(name, bytes === undefined ? '' : await textOfFile(name, bytes))
  })
  if (problem !== undefined) throw new Error(`an archive that was answered cannot be read: ${problem}`)
  return texts.join('\n')
}
