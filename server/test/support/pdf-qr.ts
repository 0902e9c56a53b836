import { inflateSync } from 'node:zlib'
import decodeQr from 'qr/decode.js'

type Box = readonly [x: number, y: number, width: number, height: number]

/** Pixels of the bitmap in a point; a QR module of a ticket is about 2 points wide, so 4 pixels. */
const pixelsPerPt = 2

/** Filled rectangles of each page (`x y w h re … f`), in points from the top left corner. */
const rectanglesOf = (bytes: Uint8Array): Box[][] => {
  const file = Buffer.from(bytes).toString('latin1')
  const objects = new Map<string, string>()
  for (const [, id = '', body = ''] of file.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) objects.set(id, body)
  return [...objects.values()]
    .filter(body => /\/Type \/Page\b(?!s)/.test(body))
    .map(page => {
      const body = objects.get(/\/Contents (\d+) 0 R/.exec(page)?.[1] ?? '') ?? ''
      const start = body.indexOf('stream\n') + 'stream\n'.length
      const content = inflateSync(Buffer.from(body.slice(start, body.lastIndexOf('\nendstream')), 'latin1')).toString('latin1')
      const boxes: Box[] = []
      let pending: Box[] = []
      for (const [, x, y, w, h, paint] of content.matchAll(/(-?[\d.]+) (-?[\d.]+) (-?[\d.]+) (-?[\d.]+) re|\n(f|S|B|n|h)\n/g)) {
        if (paint === undefined) pending.push([Number(x), Number(y), Number(w), Number(h)])
        else {
          if (paint === 'f') boxes.push(...pending)
          pending = []
        }
      }
      return boxes
    })
}

/** Paints the filled vector shapes of a page as a printer would and reads the QR on it. */
export const pdfQr = (bytes: Uint8Array, page = 0): string | undefined => {
  const [width, height] = [596 * pixelsPerPt, 842 * pixelsPerPt]
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255)
  for (const [x, y, w, h] of rectanglesOf(bytes)[page] ?? []) {
    for (let row = Math.round(y * pixelsPerPt); row < Math.round((y + h) * pixelsPerPt); row++) {
      for (let column = Math.round(x * pixelsPerPt); column < Math.round((x + w) * pixelsPerPt); column++) {
        pixels.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3)
      }
    }
  }
  try {
    return decodeQr({ data: pixels, width, height })
  } catch {
    return undefined
  }
}
