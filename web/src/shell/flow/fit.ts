interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
export interface FitCanvas {
  viewbox(): Box & { readonly inner: Box; readonly outer: { readonly width: number; readonly height: number } }
  viewbox(box: Box): unknown
}

/** Between a drawing and its frame, in units of the drawing. */
const air = 24

/** What of the plane is shown so that the whole drawing is seen, with air around it and no larger than it was drawn. */
export const fittingBox = (inner: Box, outer: { readonly width: number; readonly height: number }): Box => {
  const [width, height] = [inner.width + 2 * air, inner.height + 2 * air]
  const scale = Math.min(outer.width / width, outer.height / height, 1)
  const shown = { width: outer.width / scale, height: outer.height / scale }
  return { x: inner.x + (inner.width - shown.width) / 2, y: inner.y + (inner.height - shown.height) / 2, ...shown }
}
/** A canvas that is not seen has no size, and nothing to fit into. */
export const fitCanvas = (canvas: FitCanvas): void => {
  const { inner, outer } = canvas.viewbox()
  if (inner.width > 0 && outer.width > 0 && outer.height > 0) canvas.viewbox(fittingBox(inner, outer))
}
