import { inflateSync } from 'node:zlib'

/**
 * Reads the text layer of a PDF made by the kernel (classic cross-reference table, Flate streams, Type 0 fonts with ToUnicode): what a
 * reader would copy, one string per text-showing operator, page by page. Not a general PDF reader.
 */
export function pdfText(bytes: Uint8Array): string[][] {
  const file = Buffer.from(bytes).toString('latin1')
  const objects = new Map<string, string>()
  for (const [, id = '', body = ''] of file.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) objects.set(id, body)

  const fonts = new Map<string, Map<string, string>>()
  for (const body of objects.values()) {
    for (const [, name = '', ref = ''] of body.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const cmap = /\/ToUnicode (\d+) 0 R/.exec(objects.get(ref) ?? '')?.[1]
      if (cmap) fonts.set(name, readCmap(stream(objects.get(cmap) ?? '')))
    }
  }
  const pages = [...objects.values()].filter(body => /\/Type \/Page\b(?!s)/.test(body))
  return pages.map(page => readContent(stream(objects.get(/\/Contents (\d+) 0 R/.exec(page)?.[1] ?? '') ?? ''), fonts))
}

function stream(body: string): string {
  const start = body.indexOf('stream\n') + 'stream\n'.length
  const data = Buffer.from(body.slice(start, body.lastIndexOf('\nendstream')), 'latin1')
  return (body.includes('/FlateDecode') ? inflateSync(data) : data).toString('latin1')
}

function readCmap(cmap: string): Map<string, string> {
  const map = new Map<string, string>()
  for (const [, from = '', list = ''] of cmap.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/gi)) {
    for (const [i, [, unicode = '']] of [...list.matchAll(/<([0-9a-f ]+)>/gi)].entries()) {
      const code = (Number.parseInt(from, 16) + i).toString(16).padStart(4, '0')
      map.set(code, Buffer.from(unicode.replace(/ /g, ''), 'hex').swap16().toString('utf16le'))
    }
  }
  return map
}

function readContent(content: string, fonts: ReadonlyMap<string, ReadonlyMap<string, string>>): string[] {
  const texts: string[] = []
  let font: ReadonlyMap<string, string> = new Map()
  for (const [, name, shown] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (name) font = fonts.get(name) ?? new Map()
    else {
      const codes = [...(shown ?? '').matchAll(/<([0-9a-f]+)>/gi)].flatMap(([, hex = '']) => hex.toLowerCase().match(/.{4}/g) ?? [])
      texts.push(codes.map(code => font.get(code) ?? '�').join(''))
    }
  }
  return texts
}
