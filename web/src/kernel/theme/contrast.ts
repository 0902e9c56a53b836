/** Colours as `#rrggbb` and how well one can be read on another (WCAG 2.2, relative luminance and contrast ratio). */
export type Hex = `#${string}`

type Channels = readonly [red: number, green: number, blue: number]

const channels = (hex: string): Channels => {
  const whole = Number.parseInt(hex.slice(1), 16)
  return [whole >> 16, (whole >> 8) & 255, whole & 255]
}
const hexOf = ([red, green, blue]: Channels): Hex => `#${((1 << 24) | (red << 16) | (green << 8) | blue).toString(16).slice(1)}`

export const isHex = (text: unknown): text is Hex => typeof text === 'string' && /^#[0-9a-f]{6}$/i.test(text)

/** `amount` of `b` in `a`: 0 leaves `a`, 1 gives `b`. */
export const mix = (a: Hex, b: Hex, amount: number): Hex => {
  const [from, to] = [channels(a), channels(b)]
  const part = (at: 0 | 1 | 2) => Math.round(from[at] + (to[at] - from[at]) * amount)
  return hexOf([part(0), part(1), part(2)])
}

/** The same hue and saturation at another lightness (HSL): -1 is black, 0 leaves it, 1 is white. Mixing with black would dull it. */
export const shade = (color: Hex, amount: number): Hex => {
  const parts = channels(color)
  const [most, least] = [Math.max(...parts) / 255, Math.min(...parts) / 255]
  const lightness = (most + least) / 2
  const spread = most - least
  const saturation = spread === 0 ? 0 : spread / (1 - Math.abs(2 * lightness - 1))
  const next = amount < 0 ? lightness * (1 + amount) : lightness + (1 - lightness) * amount
  const chroma = saturation * (1 - Math.abs(2 * next - 1))
  const part = (at: 0 | 1 | 2) => {
    const place = spread === 0 ? 0 : (parts[at] / 255 - least) / spread
    return Math.round((next + chroma * (place - 0.5)) * 255)
  }
  return hexOf([part(0), part(1), part(2)])
}

const linear = Float64Array.from({ length: 256 }, (_, part) => {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
})

const luminance = (hex: Hex): number => {
  const [red, green, blue] = channels(hex)
  return 0.2126 * (linear[red] ?? 0) + 0.7152 * (linear[green] ?? 0) + 0.0722 * (linear[blue] ?? 0)
}
const ratioOf = (first: number, second: number): number => (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)

/** 1 (the same) to 21 (black on white). */
export const contrast = (a: Hex, b: Hex): number => ratioOf(luminance(a), luminance(b))

/** A way from a colour: 0 is its beginning, 1 its end. */
export type Way = (amount: number) => Hex

const steps = 64

/** The first colour of the way that has at least `ratio` on each ground; its end when none has. */
export const readable = (way: Way, grounds: readonly Hex[], ratio: number): Hex => {
  const lights = grounds.map(luminance)
  for (let step = 0; step < steps; step++) {
    const tried = way(step / steps)
    const light = luminance(tried)
    if (lights.every(ground => ratioOf(light, ground) >= ratio)) return tried
  }
  return way(1)
}
