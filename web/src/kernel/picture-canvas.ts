/** Pictures are made smaller before they travel: a 12-megapixel scan says no more than one of 2,200 pixels. */

export const longestPx = 2_200
/** A slow mobile line sends so much in about eight seconds; a scan of that size is still read without effort. */
export const travelBytes = 600 * 1024

export const encode = (canvas: HTMLCanvasElement, quality: number): Promise<Blob> =>
  new Promise((resolve, reject) =>
    canvas.toBlob(blob => (blob === null ? reject(new Error('the picture could not be encoded')) : resolve(blob)), 'image/jpeg', quality),
  )

/** Lowers the quality until the picture fits; undefined when it does not even at the lowest. */
export const encodeWithin = async (canvas: HTMLCanvasElement, maxBytes: number): Promise<Blob | undefined> => {
  for (const quality of [0.92, 0.85, 0.75, 0.6, 0.45]) {
    const blob = await encode(canvas, quality)
    if (blob.size <= maxBytes) return blob
  }
  return undefined
}

/** A picture on white, no larger than any use of it needs. */
export const drawn = (picture: ImageBitmap | HTMLImageElement): HTMLCanvasElement | null => {
  const scale = Math.min(1, longestPx / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(picture.width * scale)
  canvas.height = Math.round(picture.height * scale)
  const context = canvas.getContext('2d')
  if (context === null) return null
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  if ('close' in picture) picture.close()
  return canvas
}
