// A small copy of a portrait as a machine looks at it: the same look in the browser while the picture is cropped, and on the server.

export interface Pixels {
  readonly width: number
  readonly height: number
  /** Red, green, blue; a fourth value of each pixel is not looked at. */
  readonly channels: 3 | 4
  readonly data: ArrayLike<number>
}

/** Width of the copy in pixels. */
export const portraitSampleWidth = 120

/** ground: one colour at the top and the upper sides, white or blue; brightness: the middle is neither dark, glaring nor flat. */
export type LookRule = 'ground' | 'brightness'
export interface LookFinding {
  readonly rule: LookRule
  readonly ok: boolean
  /** `red 96 %`, `nothing but ground`, `mean 120, spread 40` */
  readonly got: string
}

export const lookAtPortrait = (pixels: Pixels): [ground: LookFinding, brightness: LookFinding] => {
  const edge = edgeOf(pixels)
  const ground: Rgb = [median(edge, 0), median(edge, 1), median(edge, 2)]
  return [checkGround(edge, ground), checkBrightness(pixels, ground)]
}

type Rgb = readonly [number, number, number]

function pixelsOf({ width, height, channels, data }: Pixels, isIn: (x: number, y: number) => boolean): Rgb[] {
  const found: Rgb[] = []
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * channels
      if (isIn((x + 0.5) / width, (y + 0.5) / height)) found.push([data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0])
    }
  }
  return found
}

/** Light falls off towards the corners of a real photo; a second colour or a pattern is further away. */
const SAME_COLOR_DISTANCE = 48
const MIN_EVEN_SHARE = 0.9

/** Shoulders begin lower, and the head leaves these strips free in a photo of the prescribed framing. */
function edgeOf(pixels: Pixels): Rgb[] {
  return pixelsOf(pixels, (x, y) => y < 0.05 || (y < 0.5 && (x < 0.06 || x > 0.94)))
}

function checkGround(edge: readonly Rgb[], ground: Rgb): LookFinding {
  const share = edge.filter(pixel => distance(pixel, ground) <= SAME_COLOR_DISTANCE).length / edge.length
  const color = colorName(ground)
  return {
    rule: 'ground',
    ok: share >= MIN_EVEN_SHARE && (color === 'white' || color === 'blue'),
    got: `${color} ${Math.round(share * 100)} %`,
  }
}

function median(pixels: readonly Rgb[], channel: 0 | 1 | 2): number {
  const values = pixels.map(pixel => pixel[channel]).sort((a, b) => a - b)
  return values[values.length >> 1] ?? 0
}

/** White may be a light grey or slightly tinted; blue is everything from sky to navy that a studio uses. */
function colorName([red, green, blue]: Rgb): string {
  const max = Math.max(red, green, blue)
  const min = Math.min(red, green, blue)
  if (min >= 195 && max - min <= 32) return 'white'
  if (max - min <= 32) return max < 64 ? 'black' : 'grey'
  if (blue === max && blue - red >= 45 && blue >= 100 && blue >= green + 10) return 'blue'
  if (red === max && red - green >= 60 && red - blue >= 60) return 'red'
  return 'other'
}

/** Less than this of the middle of the picture differing from the ground means that nothing is there or that it is washed out. */
const MIN_FIGURE_SHARE = 0.1

function checkBrightness(pixels: Pixels, ground: Rgb): LookFinding {
  const middle = pixelsOf(pixels, (x, y) => x > 0.3 && x < 0.7 && y > 0.2 && y < 0.65)
  const figure = middle.filter(pixel => distance(pixel, ground) > SAME_COLOR_DISTANCE)
  if (figure.length < middle.length * MIN_FIGURE_SHARE) return { rule: 'brightness', ok: false, got: 'nothing but ground' }
  const light = figure.map(([red, green, blue]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue)
  const mean = light.reduce((sum, value) => sum + value, 0) / light.length
  const spread = Math.sqrt(light.reduce((sum, value) => sum + (value - mean) ** 2, 0) / light.length)
  return {
    rule: 'brightness',
    ok: mean >= 50 && mean <= 235 && spread >= 12,
    got: `mean ${Math.round(mean)}, spread ${Math.round(spread)}`,
  }
}

/** Nearly one colour: a hand need not draw the line between the person and what is behind. */
const PLAIN_SHARE = 0.85
/** Beyond this from the ground nothing is whitened; between this and half of it the edge of hair and shoulders is blended. */
const WHITEN_DISTANCE = 60

/**
 * The picture on white, where its ground is plain enough for that: everything of the ground's colour that hangs together with the upper edges.
 * What has the same colour inside the person stays. Undefined where the ground is white already, blue, or not plain.
 */
export const whitened = ({ width, height, channels, data }: Pixels): Uint8ClampedArray | undefined => {
  const pixels = { width, height, channels, data }
  const edge = edgeOf(pixels)
  const ground: Rgb = [median(edge, 0), median(edge, 1), median(edge, 2)]
  const share = edge.filter(pixel => distance(pixel, ground) <= SAME_COLOR_DISTANCE).length / edge.length
  const color = colorName(ground)
  if (share < PLAIN_SHARE || (color === 'white' && share >= MIN_EVEN_SHARE && Math.min(...ground) >= 240)) return undefined
  const at = (x: number, y: number) => (y * width + x) * channels
  const far = (x: number, y: number) => {
    const i = at(x, y)
    return distance([data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0], ground)
  }
  const made = Uint8ClampedArray.from({ length: width * height * channels }, (_, i) => data[i] ?? 0)
  const seen = new Uint8Array(width * height)
  const waiting: number[] = []
  const look = (x: number, y: number) => {
    if (x < 0 || y < 0 || x >= width || y >= height || seen[y * width + x]) return
    const distanceHere = far(x, y)
    if (distanceHere > WHITEN_DISTANCE) return
    seen[y * width + x] = 1
    const i = at(x, y)
    const white = distanceHere <= WHITEN_DISTANCE / 2 ? 1 : 2 - (2 * distanceHere) / WHITEN_DISTANCE
    for (const channel of [0, 1, 2]) made[i + channel] = Math.round((data[i + channel] ?? 0) * (1 - white) + 255 * white)
    // A blended pixel is the edge of the person: nothing behind it is reached through it.
    if (white === 1) waiting.push(y * width + x)
  }
  for (let x = 0; x < width; x++) look(x, 0)
  for (let y = 0; y < height / 2; y++) {
    look(0, y)
    look(width - 1, y)
  }
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [x, y] = [next % width, Math.floor(next / width)]
    look(x - 1, y)
    look(x + 1, y)
    look(x, y - 1)
    look(x, y + 1)
  }
  return made
}

function distance(a: Rgb, b: Rgb): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}
