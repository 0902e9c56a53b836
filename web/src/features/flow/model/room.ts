// Where a new element of a drawing goes so that it lies on nothing else.

export interface Point {
  readonly x: number
  readonly y: number
}
export interface Size {
  readonly width: number
  readonly height: number
}
export type Box = Point & Size

/** Between an element and what is beside it. */
export const gap = 50
/** Elements nearer than this count as lying on each other. */
const margin = 20

const touches = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width + margin && b.x < a.x + a.width + margin && a.y < b.y + b.height + margin && b.y < a.y + a.height + margin

/** The first place at or below the wanted one where it lies on nothing. */
export const freePlace = (wanted: Box, taken: readonly Box[]): Box => {
  let place = wanted
  for (let hit = taken.find(box => touches(place, box)); hit !== undefined; hit = taken.find(box => touches(place, box)))
    place = { ...place, y: hit.y + hit.height + gap }
  return place
}
export const middleOf = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height / 2 })
/** To the right of what it follows, at the same height. */
export const behind = (before: Box, { width, height }: Size): Box => ({
  ...{ x: before.x + before.width + gap, y: before.y + (before.height - height) / 2 },
  ...{ width, height },
})
/** Below everything, under the first element. */
export const belowAll = ({ width, height }: Size, taken: readonly Box[]): Box => ({
  x: taken.length === 0 ? 0 : Math.min(...taken.map(({ x }) => x)),
  y: Math.max(0, ...taken.map(box => box.y + box.height + gap)),
  ...{ width, height },
})

export interface Room {
  /** Middle of the element once there is room. */
  readonly at: Point
  readonly axis: 'x' | 'y'
  /** What begins behind this is moved by so much; 0: there is room. */
  readonly start: number
  readonly by: number
}
/** Where an element fits into a line: the middle of its longest straight part, and what has to move so that there is room for it. */
export const roomIn = (way: readonly Point[], { width, height }: Size): Room => {
  const parts = way.slice(1).flatMap((to, at) => {
    const from = way[at]
    return from === undefined ? [] : [{ from, to, length: Math.abs(to.x - from.x) + Math.abs(to.y - from.y) }]
  })
  const [part] = parts.toSorted((a, b) => b.length - a.length)
  if (part === undefined) return { at: way[0] ?? { x: 0, y: 0 }, axis: 'x', start: 0, by: 0 }
  const { from, to } = part
  const axis = Math.abs(to.x - from.x) >= Math.abs(to.y - from.y) ? 'x' : 'y'
  const span = to[axis] - from[axis]
  const missing = (axis === 'x' ? width : height) + 2 * gap - Math.abs(span)
  // A line that leads back gets no more room: what it passes stands where it is.
  const by = span > 0 && missing > 0 ? missing : 0
  const at = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }
  return { at: { ...at, [axis]: at[axis] + by / 2 }, axis, start: from[axis], by }
}
