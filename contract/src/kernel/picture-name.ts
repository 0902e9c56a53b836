import type { Label } from './label.ts'

// What pictures are called and what phones make of them: the same in the browser and on the server.

/** Programs save the same JPEG under any of these; Windows and some apps under `.jfif` and `.jpe`. */
export const jpegEndings = ['jpg', 'jpeg', 'jpe', 'jfif'] as const

/** The kind that the ending of a name tells, `jpg` for all of JPEG; undefined for a name without one, as apps on phones make them. */
export const kindOfName = (name: string): string | undefined => {
  // `IMG.2026.3` has none: an ending has a letter in it.
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase()
  if (ending === undefined || !/[a-z]/.test(ending)) return undefined
  return (jpegEndings as readonly string[]).includes(ending) ? 'jpg' : ending
}

const isPictureKind = (kind: string): boolean => kind === 'jpg' || kind === 'png'

/**
 * Whether a file whose content is of this kind may be called so: by its own ending, as the other kind of picture (programs save a JPEG as `.png`), or,
 * unless it is an office file, without an ending.
 */
export const mayBeNamed = (name: string, kind: string): boolean => {
  const named = kindOfName(name)
  if (named === undefined) return isPictureKind(kind) || kind === 'pdf'
  return named === kind || (isPictureKind(named) && isPictureKind(kind))
}

/** The name with the ending of its content that every program knows, where it has none, a rare one, or that of the other kind of picture. */
export const withKnownEnding = (name: string, kind: string): string => {
  const named = kindOfName(name)
  if (named === undefined) return `${name}.${kind}`
  if (named !== kind && isPictureKind(named) && isPictureKind(kind)) return name.replace(/\.[a-z0-9]+$/i, `.${kind}`)
  return kind === 'jpg' ? name.replace(/\.(?:jpe|jfif)$/i, '.jpg') : name
}

const heicBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs']
/** Bytes of a file that are enough for `isHeic`. */
export const heicHeadBytes = 64

/** Whether a file begins as HEIC or HEIF, the format of photographs on an iPhone, whatever its name. */
export const isHeic = (head: Uint8Array): boolean => {
  const text = String.fromCharCode(...head.subarray(0, heicHeadBytes))
  if (text.slice(4, 8) !== 'ftyp') return false
  const brands: readonly string[] = (text.slice(8, 12) + text.slice(16)).match(/.{4}/gs) ?? []
  // `mif1` is any picture of this family; AVIF is one too, and no HEIC.
  return heicBrands.some(brand => brands.includes(brand)) || (/^m(?:if|sf)1$/.test(text.slice(8, 12)) && !brands.includes('avif'))
}

/** For whoever chose such a picture where it cannot be opened. */
export const heicAdvice: Label = {
  zh: '这是 HEIC/HEIF 格式的照片，这里打不开，请转换为 JPG 后再选择。iPhone：设置 › 相机 › 格式 › 兼容性最佳，之后拍摄的照片即为 JPG；已有的照片可截屏，或用聊天软件发给自己后另存',
  en: 'this is a HEIC/HEIF photo, which cannot be opened here; convert it to JPG and choose it again. iPhone: Settings › Camera › Formats › Most Compatible makes new photos JPG; for one you have, take a screenshot of it, or send it to yourself in a chat app and save it',
}
