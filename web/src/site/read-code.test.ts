import sharp from 'sharp'
import { expect, test } from 'vitest'
import { qrModules } from '#kernel/qr.ts'
import { type Frame, readCode } from './read-code.ts'

const text = 'https://kaoshi.example.gov.cn/t/000001-9f8Q2mXkZ0aB7cDeFgHiJk'
const [width, height] = [640, 480]

/** The same numbers in each run. */
let state = 7
const random = (): number => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return state / 2_147_483_648
}
/** Drawn once: a frame has a million of them, which it takes from a place of its own. */
const normals = Float32Array.from({ length: 1 << 16 }, () => Math.sqrt(-2 * Math.log(random() + 1e-9)) * Math.cos(2 * Math.PI * random()))

interface Look {
  /** Standard deviation of what the sensor adds, of 255. */
  readonly noise: number
  /** Sigma of the blur, in pixels of the frame. */
  readonly blur: number
  /** Degrees by which the paper is turned; it leans away with it. */
  readonly tilt: number
  readonly glare: boolean
  /** Width of the code in the frame, in pixels. */
  readonly size: number
  readonly light: number
}

/** The code with its margin, one byte a pixel. */
const printed = (): { data: Buffer; side: number } => {
  const { size, isDark } = qrModules(text)
  const [cell, margin] = [8, 32]
  const side = size * cell + 2 * margin
  const data = Buffer.alloc(side * side, 255)
  for (let y = 0; y < size * cell; y += 1)
    for (let x = 0; x < size * cell; x += 1)
      if (isDark(Math.floor(y / cell), Math.floor(x / cell))) data[(y + margin) * side + x + margin] = 20
  return { data, side }
}

const frameOf = async ({ noise, blur, tilt, glare, size, light }: Look): Promise<Frame> => {
  const { data, side } = printed()
  const turn = (tilt * Math.PI) / 180
  const lean = Math.sin(turn) * 0.6
  const turned = await sharp(data, { raw: { width: side, height: side, channels: 1 } })
    .affine(
      [
        [Math.cos(turn), -Math.sin(turn) + lean * 0.3],
        [Math.sin(turn), Math.cos(turn) * (1 - Math.abs(lean) * 0.4)],
      ],
      { background: '#ffffff' },
    )
    .png()
    .toBuffer()
  const { data: code, info } = await sharp(turned).resize({ width: size }).png().toBuffer({ resolveWithObject: true })
  const left = Math.round((width - info.width) / 2 + (random() - 0.5) * 60)
  const top = Math.max(0, Math.round((height - info.height) / 2 + (random() - 0.5) * 40))
  const sun = `<svg width="${width}" height="${height}"><defs><radialGradient id="g"><stop offset="0" stop-color="#fff" stop-opacity="0.75"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient></defs><circle cx="${width / 2 + (random() - 0.5) * size * 0.8}" cy="${height / 2 + (random() - 0.5) * size * 0.8}" r="${size * 0.45}" fill="url(#g)"/></svg>`
  const page = await sharp({ create: { width, height, channels: 3, background: '#e8e8e8' } })
    .composite([{ input: code, left, top }, ...(glare ? [{ input: Buffer.from(sun) }] : [])])
    .png()
    .toBuffer()
  const seen = await (blur === 0 ? sharp(page) : sharp(page).blur(blur)).ensureAlpha().raw().toBuffer()
  const pixels = new Uint8ClampedArray(seen)
  for (let y = 0; y < height; y += 1) {
    let at = Math.floor(random() * normals.length)
    const next = (): number => {
      at = (at + 1) % normals.length
      return normals[at] ?? 0
    }
    for (let i = y * width * 4; i < (y + 1) * width * 4; i += 4) {
      const added = next() * noise
      for (let c = 0; c < 3; c += 1) pixels[i + c] = (pixels[i + c] ?? 0) * light + added + next() * noise * 0.3
    }
  }
  return { data: pixels, width, height }
}

test('200 frames of a printed code are read in noise, blur, tilt, glare and poor light', async () => {
  const missed: Look[] = []
  for (let i = 0; i < 200; i += 1) {
    const look: Look = {
      noise: [0, 10, 20, 30][i % 4] ?? 0,
      blur: [0, 0.8, 1.2][i % 3] ?? 0,
      tilt: [-25, -12, 0, 8, 18, 25][i % 6] ?? 0,
      glare: i % 5 === 0,
      size: [190, 210, 240, 300][(i >> 2) % 4] ?? 240,
      light: [1, 0.7, 0.85][(i >> 1) % 3] ?? 1,
    }
    if (readCode(await frameOf(look)) !== text) missed.push(look)
  }
  expect({ missed: missed.length <= 6 ? [] : missed }).toEqual({ missed: [] })
})

test('a frame without a code has no text', () => {
  expect(readCode({ data: new Uint8ClampedArray(width * height * 4).fill(200), width, height })).toBeUndefined()
})
