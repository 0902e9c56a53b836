/**
 * A first look at a cropped photo while the candidate is still moving it. The server looks again and is the one that counts; this
 * only saves a round trip.
 */
export interface PhotoLook {
  /** Mean luminance 0–255. */
  readonly brightness: number
  /** Share of the upper edges that has the colour of the ground, 0–1. */
  readonly groundShare: number
}

const luminance = (r: number, g: number, b: number): number => 0.2126 * r + 0.7152 * g + 0.0722 * b

const middle = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Edges that show the ground behind a person: the top, and the upper half of both sides. @param data - RGBA, row by row */
export const lookAt = (data: Uint8ClampedArray, width: number, height: number): PhotoLook => {
  const at = (x: number, y: number): readonly [number, number, number] => {
    const i = (y * width + x) * 4
    return [data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0]
  }
  let sum = 0
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) sum += luminance(...at(x, y))
  const band = Math.max(1, Math.round(width * 0.05))
  const edge: (readonly [number, number, number])[] = []
  for (let x = 0; x < width; x += 1) for (let y = 0; y < band; y += 1) edge.push(at(x, y))
  for (let y = band; y < height / 2; y += 1) for (let x = 0; x < band; x += 1) edge.push(at(x, y), at(width - 1 - x, y))
  const ground = [0, 1, 2].map(channel => middle(edge.map(pixel => pixel[channel as 0 | 1 | 2])))
  const near = edge.filter(pixel => pixel.every((value, channel) => Math.abs(value - (ground[channel] ?? 0)) <= 28)).length
  return { brightness: sum / (width * height), groundShare: edge.length === 0 ? 0 : near / edge.length }
}

export interface Remark {
  readonly key: 'size' | 'light' | 'ground'
  readonly result: 'ok' | 'warn' | 'no'
  readonly text:
    | 'form.photo.light.ok'
    | 'form.photo.light.warn'
    | 'form.photo.bright.warn'
    | 'form.photo.ground.ok'
    | 'form.photo.ground.warn'
}

export const remarksOf = ({ brightness, groundShare }: PhotoLook): readonly Remark[] => [
  brightness < 70
    ? { key: 'light', result: 'warn', text: 'form.photo.light.warn' }
    : brightness > 238
      ? { key: 'light', result: 'warn', text: 'form.photo.bright.warn' }
      : { key: 'light', result: 'ok', text: 'form.photo.light.ok' },
  groundShare < 0.85
    ? { key: 'ground', result: 'warn', text: 'form.photo.ground.warn' }
    : { key: 'ground', result: 'ok', text: 'form.photo.ground.ok' },
]
