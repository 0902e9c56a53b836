import { inflateRawSync } from 'node:zlib'
import { pdfText } from './pdf-text.ts'

const signature = { entry: 0x02014b50, end: 0x06054b50 }
/** The entries of a ZIP with their bytes, by its central directory; sizes of 64 bits are not read. */
const entriesOf = (bytes: Buffer): readonly { readonly name: string; readonly body: Buffer }[] => {
  const found: { name: string; body: Buffer }[] = []
  const end = bytes.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'))
  if (end < 0 || bytes.readUInt32LE(end) !== signature.end) return found
  let at = bytes.readUInt32LE(end + 16)
  while (at + 46 <= bytes.length && bytes.readUInt32LE(at) === signature.entry) {
    const [method, size, local] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 42)]
    const [nameSize, extra, comment] = [bytes.readUInt16LE(at + 28), bytes.readUInt16LE(at + 30), bytes.readUInt16LE(at + 32)]
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const packed = bytes.subarray(start, start + size)
    found.push({ name: bytes.toString('utf8', at + 46, at + 46 + nameSize), body: method === 0 ? packed : inflateRawSync(packed) })
    at += 46 + nameSize + extra + comment
  }
  return found
}

/** All that can be read in a file that the program sends: names and contents of an archive or a workbook, the text of a PDF, else its bytes as text. */
export const fileText = (bytes: Buffer): string => {
  const head = bytes.toString('latin1', 0, 4)
  if (head.startsWith('PK'))
    return entriesOf(bytes)
      .map(({ name, body }) => `${name}\n${fileText(body)}`)
      .join('\n')
  if (head === '%PDF') return pdfText(bytes).flat().join('\n')
  return bytes.toString('utf8')
}
