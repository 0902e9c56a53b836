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

export interface Size {
  readonly width: number
  readonly height: number
}
/** Of what is drawn, without the words beside it. */
export const sizeOf = (xml: string): Size => {
  const numberOf = (text: string, name: string): number => Number(new RegExp(`\\b${name}="([-\\d.]+)"`).exec(text)?.[1] ?? 0)
  const boxes = (xml.match(/<(?:\w+:)?(?:Bounds|waypoint)\b[^>]*>/g) ?? []).map(text => ({
    ...{ x: numberOf(text, 'x'), y: numberOf(text, 'y') },
    ...{ width: numberOf(text, 'width'), height: numberOf(text, 'height') },
  }))
  const span = (from: readonly number[], to: readonly number[]): number => (from.length === 0 ? 0 : Math.max(...to) - Math.min(...from))
  return {
    width: span(
      boxes.map(({ x }) => x),
      boxes.map(({ x, width }) => x + width),
    ),
    height: span(
      boxes.map(({ y }) => y),
      boxes.map(({ y, height }) => y + height),
    ),
  }
}

/**
 * What of the plane is shown so that the whole drawing is seen, with air around it and no larger than it was drawn.
 * @param least - room that is kept also for a smaller drawing, so that two are seen in one scale
 */
export const fittingBox = (inner: Box, outer: Size, least: Size = inner): Box => {
  const [width, height] = [Math.max(inner.width, least.width) + 2 * air, Math.max(inner.height, least.height) + 2 * air]
  const scale = Math.min(outer.width / width, outer.height / height, 1)
  const shown = { width: outer.width / scale, height: outer.height / scale }
  return { x: inner.x + (inner.width - shown.width) / 2, y: inner.y + (inner.height - shown.height) / 2, ...shown }
}
/** A canvas that is not seen has no size, and nothing to fit into. */
export const fitCanvas = (canvas: FitCanvas, least?: Size): void => {
  const { inner, outer } = canvas.viewbox()
  if (inner.width > 0 && outer.width > 0 && outer.height > 0) canvas.viewbox(fittingBox(inner, outer, least))
}
