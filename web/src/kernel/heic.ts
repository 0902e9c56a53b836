import { drawn, encodeWithin } from './picture-canvas.ts'

/** By the picture element: some browsers open there what they do not open as a bitmap. */
const byElement = async (file: Blob): Promise<HTMLImageElement> => {
  const image = new Image()
  const address = URL.createObjectURL(file)
  try {
    image.src = address
    await image.decode()
    return image
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** A JPEG of the same picture, small enough; undefined where this browser does not open HEIC. */
export const jpegOfHeic = async (file: File, maxBytes: number): Promise<File | undefined> => {
  try {
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => byElement(file))
    const canvas = drawn(picture)
    const jpeg = canvas && (await encodeWithin(canvas, maxBytes))
    if (!jpeg) return undefined
    const name = file.name.replace(/\.hei[cf]s?$/i, '')
    return new File([jpeg], `${name}.jpg`, { type: 'image/jpeg', lastModified: file.lastModified })
  } catch {
    return undefined
  }
}
