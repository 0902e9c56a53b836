export interface Size {
  readonly width: number
  readonly height: number
}
/** How a picture lies in its window: `x`, `y` move its middle away from the window's middle, in px of the screen. */
export interface View {
  readonly scale: number
  readonly x: number
  readonly y: number
  /** Quarter turns to the right, 0–3. */
  readonly turn: number
}

export const minScale = 0.05
export const maxScale = 8
const within = (scale: number): number => Math.min(maxScale, Math.max(minScale, scale))

const turned = (size: Size, turn: number): Size => (turn % 2 === 0 ? size : { width: size.height, height: size.width })

/** The whole picture in the window, never larger than it is. */
export const fitScale = (picture: Size, window: Size, turn: number): number => {
  const { width, height } = turned(picture, turn)
  return width <= 0 || height <= 0 ? 1 : within(Math.min(1, window.width / width, window.height / height))
}

export const fitted = (picture: Size, window: Size, turn: number): View => ({ scale: fitScale(picture, window, turn), x: 0, y: 0, turn })

/** Zooms so that the point under the pointer stays there. `px`, `py` are measured from the window's middle. */
export const zoomAt = (view: View, factor: number, px = 0, py = 0): View => {
  const scale = within(view.scale * factor)
  const by = scale / view.scale
  return { ...view, scale, x: px - (px - view.x) * by, y: py - (py - view.y) * by }
}

/** Moves the picture, but never wholly out of sight. */
export const movedBy = (view: View, dx: number, dy: number, picture: Size, window: Size): View => {
  const { width, height } = turned(picture, view.turn)
  const reach = (length: number, room: number) => Math.max(0, (length * view.scale + room) / 2 - 40)
  const clamp = (value: number, limit: number) => Math.min(limit, Math.max(-limit, value))
  return {
    ...view,
    x: clamp(view.x + dx, reach(width, window.width)),
    y: clamp(view.y + dy, reach(height, window.height)),
  }
}
