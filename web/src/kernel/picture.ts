import { isCutOff } from '#contract/kernel/picture-end.ts'
import { heicHeadBytes, isHeic, kindOfName } from '#contract/kernel/picture-name.ts'
import { acceptOf, isOfKind } from './accept.ts'
import { drawn, encodeWithin, longestPx, travelBytes } from './picture-canvas.ts'

const mimeOf: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  pdf: 'application/pdf',
  webp: 'image/webp',
}

export const acceptedTypes = (accept: string | null | undefined): readonly string[] =>
  (accept || 'jpg,jpeg,png,pdf')
    .toLowerCase()
    .split(',')
    .map(part => part.trim().replace(/^\./, ''))
    .filter(part => part !== '')

export const acceptAttribute = (accept: string | null | undefined): string => acceptOf(acceptedTypes(accept))

export const isAccepted = (file: File, accept: string | null | undefined): boolean => {
  const types = acceptedTypes(accept)
  return isOfKind(file.name, types) || types.some(type => mimeOf[type] === file.type)
}

const beginnings: readonly (readonly [type: string, bytes: readonly number[]])[] = [
  ['jpg', [0xff, 0xd8, 0xff]],
  ['png', [0x89, 0x50, 0x4e, 0x47]],
  ['pdf', [0x25, 0x50, 0x44, 0x46]],
]

/**
 * The file under a name that tells what it holds. Apps on phones hand over pictures without an ending, or call a PNG `.jpg`, and nobody can
 * rename a file there; the server takes none whose name and content disagree. A HEIC picture becomes a JPEG.
 *
 * @returns undefined for a HEIC picture that this browser does not open; `heicAdvice` says what to do
 */
export const asSendable = async (file: File, maxBytes: number): Promise<File | undefined> => {
  const head = new Uint8Array(await file.slice(0, heicHeadBytes).arrayBuffer())
  if (isHeic(head)) return import('./heic.ts').then(({ jpegOfHeic }) => jpegOfHeic(file, maxBytes))
  const type = beginnings.find(([, bytes]) => bytes.every((byte, at) => head[at] === byte))?.[0]
  // One whose ending is rare has no type in some browsers.
  if (type === undefined || (kindOfName(file.name) === type && !/\.(jpe|jfif)$/i.test(file.name))) return file
  const stem = file.name.replace(/\.(jpe?g|jpe|jfif|png|pdf|webp|hei[cf])$/i, '')
  return new File([file], `${stem}.${type}`, { type: mimeOf[type] ?? file.type, lastModified: file.lastModified })
}

/** Rejects for a picture that broke off: browsers open it and fill what is missing. */
export const ensureWhole = async (file: Blob): Promise<void> => {
  if (isCutOff(new Uint8Array(await file.arrayBuffer()))) throw new Error('the picture is cut off')
}

export const decode = (blob: Blob): Promise<ImageBitmap> => createImageBitmap(blob, { imageOrientation: 'from-image' })

/** The file itself when it travels fast enough, else a smaller JPEG of the same picture; rejects for a picture that cannot be opened or broke off. */
export const shrink = async (file: File, maxBytes: number): Promise<File> => {
  if (!file.type.startsWith('image/')) return file
  await ensureWhole(file)
  const bitmap = await decode(file)
  if (Math.max(bitmap.width, bitmap.height) <= longestPx && file.size <= Math.min(maxBytes, travelBytes)) return file
  const canvas = drawn(bitmap)
  if (canvas === null) return file
  const blob = (await encodeWithin(canvas, Math.min(maxBytes, travelBytes))) ?? (await encodeWithin(canvas, maxBytes))
  // A picture that was packed better than we do stays as it is.
  return blob === undefined || (blob.size >= file.size && file.size <= maxBytes)
    ? file
    : new File([blob], file.name.replace(/\.[a-z0-9]+$/i, '.jpg'), { type: 'image/jpeg' })
}

export type PictureProblem = 'heic' | 'kind' | 'broken' | 'size'

/** A chosen picture as it can be sent, made smaller where it is too big; or what is wrong with it, known before anything travels. */
export const readyPicture = async (given: File, maxBytes: number): Promise<File | PictureProblem> => {
  const named = await asSendable(given, maxBytes)
  if (named === undefined) return 'heic'
  const head = new Uint8Array(await named.slice(0, heicHeadBytes).arrayBuffer())
  const isPicture = beginnings.some(([type, bytes]) => type !== 'pdf' && bytes.every((byte, at) => head[at] === byte))
  if (!isPicture) return 'kind'
  try {
    const file = await shrink(named, maxBytes)
    return file.size > maxBytes ? 'size' : file
  } catch {
    return 'broken'
  }
}

/** Pixels of a picture after it has been turned. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The part of a turned picture, drawn at a size. @param rotation - degrees, a multiple of 90 */
export const drawCrop = (
  image: HTMLImageElement,
  area: Area,
  rotation: number,
  width: number,
  height: number,
): HTMLCanvasElement | null => {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (context === null) return null
  const turned = rotation % 180 !== 0
  const [w, h] = turned ? [image.naturalHeight, image.naturalWidth] : [image.naturalWidth, image.naturalHeight]
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.scale(width / area.width, height / area.height)
  context.translate(-area.x, -area.y)
  context.translate(w / 2, h / 2)
  context.rotate((rotation * Math.PI) / 180)
  context.drawImage(image, -image.naturalWidth / 2, -image.naturalHeight / 2)
  return canvas
}
