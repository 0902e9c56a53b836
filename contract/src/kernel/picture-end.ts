// Whether a picture is all there: the same look in the browser before it is cropped or made smaller, and on the server. Browsers draw what
// there is of a picture that broke off and fill the rest, so that what they encode from it is sound to every later check.

/** @returns true for a JPEG or PNG that begins as one and has no end; false for whole ones and for everything that is neither */
export function isCutOff(bytes: Uint8Array): boolean {
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return !hasJpegEnd(bytes)
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return !hasPngEnd(bytes)
  return false
}

const startsWith = (bytes: Uint8Array, beginning: readonly number[]): boolean => beginning.every((byte, at) => bytes[at] === byte)

/**
 * Looks for the end marker after the first scan: thumbnails in the head have one of their own, and phones append a film after it, so the
 * end of the file tells nothing.
 */
function hasJpegEnd(bytes: Uint8Array): boolean {
  let at = 2
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1]
    if (marker === 0xff) at++
    else if (marker === 0xda) return includes(bytes, [0xff, 0xd9], at)
    else at += 2 + (bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0)
  }
  return false
}

/** The last chunk, `IEND`, stands at the end but for a few bytes that some programs append. */
const pngTail = 1_024
const hasPngEnd = (bytes: Uint8Array): boolean => includes(bytes, [0x49, 0x45, 0x4e, 0x44], Math.max(0, bytes.length - pngTail))

function includes(bytes: Uint8Array, wanted: readonly number[], from: number): boolean {
  for (let at = from; at + wanted.length <= bytes.length; at++) if (wanted.every((byte, i) => bytes[at + i] === byte)) return true
  return false
}
