import { inflateSync } from 'node:zlib'
import { fromBufferPromise } from 'yauzl'
import { mediaTypes } from '#contract/kernel/media-types.ts'
import { isCutOff } from '#contract/kernel/picture-end.ts'
import { isHeic, mayBeNamed } from '#contract/kernel/picture-name.ts'
import { asksForPassword } from './pdf-lock.ts'

export type FileKind = 'jpg' | 'png' | 'pdf' | 'xlsx' | 'docx'

/** Content types for downloads. */
export const CONTENT_TYPES: Readonly<Record<FileKind, string>> = mediaTypes

/**
 * empty = no bytes; unknown = none of the kinds (HTML and SVG too); truncated = begins like one of them, has no end;
 * polyglot = can be read as another kind as well; active = scripts, launch actions or macros; locked = opens with a password only;
 * heic = a photo as phones take them, which few programs open; extension = the name tells another kind.
 */
export type FileProblem = 'empty' | 'unknown' | 'truncated' | 'polyglot' | 'active' | 'locked' | 'heic' | 'extension'

export type FileInspection = { readonly kind: FileKind } | { readonly problem: FileProblem }

/** Kind by magic bytes alone; enough to choose a path, not to accept a file. */
export function sniffKind(head: Uint8Array): 'jpg' | 'png' | 'pdf' | 'zip' | undefined {
  const hex = Buffer.from(head.subarray(0, 8)).toString('hex')
  if (hex.startsWith('ffd8ff')) return 'jpg'
  if (hex === '89504e470d0a1a0a') return 'png'
  if (hex.startsWith('255044462d')) return 'pdf'
  return hex.startsWith('504b0304') ? 'zip' : undefined
}

/** Decides by content what an uploaded file is; a name, when given, must be one that such a file may have (`mayBeNamed`). Never opens the file for display. */
export async function inspectFile(bytes: Uint8Array, fileName?: string): Promise<FileInspection> {
  if (bytes.length === 0) return { problem: 'empty' }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found = await inspectContent(buffer)
  if ('problem' in found || fileName === undefined) return found
  return mayBeNamed(fileName, found.kind) ? found : { problem: 'extension' }
}

async function inspectContent(buffer: Buffer): Promise<FileInspection> {
  switch (sniffKind(buffer)) {
    case 'jpg':
      if (isAlsoArchive(buffer) || hasMarkup(buffer)) return { problem: 'polyglot' }
      return isCutOff(buffer) ? { problem: 'truncated' } : { kind: 'jpg' }
    case 'png':
      if (isAlsoArchive(buffer) || hasMarkup(buffer)) return { problem: 'polyglot' }
      return isCutOff(buffer) ? { problem: 'truncated' } : { kind: 'png' }
    case 'pdf':
      return inspectPdf(buffer)
    case 'zip':
      return inspectArchive(buffer)
    default:
      return { problem: isHeic(buffer) ? 'heic' : 'unknown' }
  }
}

/** Zip readers look for the end record in the last 64 KB, whatever stands before. */
function isAlsoArchive(buffer: Buffer): boolean {
  const at = buffer.lastIndexOf(Buffer.from('PK\u0005\u0006'))
  return at >= 0 && at >= buffer.length - 65_557
}

function hasMarkup(buffer: Buffer): boolean {
  return /<(script|html|svg|!doctype|\?php|iframe)[\s>]/i.test(buffer.toString('latin1'))
}

const PDF_ACTIVE = /\/(JavaScript|Launch|RichMedia|EmbeddedFiles?)\b/
/** Too short to look for in binary data, where chance would find it. */
const PDF_ACTIVE_SHORT = /\/JS\b/
const MAX_STREAM_BYTES = 20 * 1024 * 1024

function inspectPdf(buffer: Buffer): FileInspection {
  const text = buffer.toString('latin1')
  // Readers accept the end mark within the last 1,024 bytes, and scanners do append a few.
  const endMark = text.lastIndexOf('%%EOF')
  if (endMark < 0) return { problem: 'truncated' }
  if (endMark < text.length - 1_024) return { problem: 'polyglot' }
  if (isAlsoArchive(buffer) || /<(script|html|svg|!doctype)[\s>]/i.test(text.slice(0, 1_024))) return { problem: 'polyglot' }
  if (asksForPassword(text)) return { problem: 'locked' }
  const plain = decodeNames(text)
  if (PDF_ACTIVE.test(plain)) return { problem: 'active' }
  if (PDF_ACTIVE_SHORT.test(decodeNames(text.replace(/\bstream\r?\n[\s\S]*?endstream/g, '')))) return { problem: 'active' }
  return objectStreams(text).some(stream => PDF_ACTIVE.test(stream) || PDF_ACTIVE_SHORT.test(stream))
    ? { problem: 'active' }
    : { kind: 'pdf' }
}

/** `/J#61vaScript` is `/JavaScript` (ISO 32000-1 7.3.5). */
function decodeNames(text: string): string {
  return text.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** Objects may be packed into compressed streams (ISO 32000-1 7.5.7), where a scan of the raw bytes does not see them. */
function objectStreams(text: string): string[] {
  const found: string[] = []
  let budget = MAX_STREAM_BYTES
  for (const match of text.matchAll(/\/ObjStm\b[\s\S]{0,512}?stream\r?\n/g)) {
    const start = match.index + match[0].length
    const end = text.indexOf('endstream', start)
    try {
      const data = inflateSync(Buffer.from(text.slice(start, end < 0 ? undefined : end), 'latin1'), {
        maxOutputLength: Math.max(1, budget),
      })
      budget -= data.length
      found.push(decodeNames(data.toString('latin1')))
    } catch {
      // Encrypted or damaged: no reader without the key can run what is in it, and none runs a damaged one.
    }
  }
  return found
}

async function inspectArchive(buffer: Buffer): Promise<FileInspection> {
  try {
    const zip = await fromBufferPromise(buffer, { strictFileNames: true })
    const names: string[] = []
    for await (const entry of zip.eachEntry()) if (names.push(entry.fileName) > 5_000) return { problem: 'unknown' }
    if (names.some(name => /vbaProject\.bin$|(^|\/)(activeX|embeddings|macrosheets)\//i.test(name))) return { problem: 'active' }
    if (!names.includes('[Content_Types].xml')) return { problem: 'unknown' }
    if (names.includes('word/document.xml')) return { kind: 'docx' }
    return names.includes('xl/workbook.xml') ? { kind: 'xlsx' } : { problem: 'unknown' }
  } catch {
    return { problem: 'truncated' }
  }
}
