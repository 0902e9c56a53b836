import decodeQr from 'qr/decode.js'

/** Pixels of a camera's frame, four bytes each (red, green, blue, alpha), row by row. */
export interface Frame {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number
}

/** Frames of up to so many pixels are enlarged for the second try; above it the modules of a code are wide enough, and phones too slow. */
const mostEnlarged = 700_000

const grey = ({ data, width, height }: Frame): Uint8ClampedArray => {
  const out = new Uint8ClampedArray(width * height)
  for (let i = 0; i < out.length; i += 1)
    out[i] = ((data[4 * i] ?? 0) * 77 + (data[4 * i + 1] ?? 0) * 151 + (data[4 * i + 2] ?? 0) * 28) >> 8
  return out
}

/** Each pixel becomes the mean of itself and its eight neighbours: what a sensor adds in poor light is different in each of them. */
const smooth = (grey: Uint8ClampedArray, width: number, height: number): Uint8ClampedArray => {
  const out = new Uint8ClampedArray(grey)
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) {
      let sum = 0
      for (let row = (y - 1) * width + x; row <= (y + 1) * width + x; row += width)
        sum += (grey[row - 1] ?? 0) + (grey[row] ?? 0) + (grey[row + 1] ?? 0)
      out[y * width + x] = sum / 9
    }
  return out
}

/** Twice as wide and high, between the pixels by what is near. */
const enlarge = (grey: Uint8ClampedArray, width: number, height: number): Uint8ClampedArray => {
  const out = new Uint8ClampedArray(width * height * 4)
  const at = (n: number, last: number): number => Math.min(last - 1.001, Math.max(0, (n + 0.5) / 2 - 0.5))
  for (let y = 0; y < 2 * height; y += 1) {
    const fromY = at(y, height)
    const row = Math.floor(fromY)
    const down = fromY - row
    for (let x = 0; x < 2 * width; x += 1) {
      const fromX = at(x, width)
      const column = Math.floor(fromX)
      const right = fromX - column
      const i = row * width + column
      out[y * 2 * width + x] =
        ((grey[i] ?? 0) * (1 - right) + (grey[i + 1] ?? 0) * right) * (1 - down) +
        ((grey[i + width] ?? 0) * (1 - right) + (grey[i + width + 1] ?? 0) * right) * down
    }
  }
  return out
}

const coloured = (grey: Uint8ClampedArray): Uint8ClampedArray => {
  const out = new Uint8ClampedArray(grey.length * 4)
  for (const [i, value] of grey.entries()) out.set([value, value, value, 255], 4 * i)
  return out
}

/** Milliseconds for tries beyond the first one of the library. */
const timeLimit = 60

const read = (frame: Frame): string | undefined => {
  try {
    return decodeQr(frame, { timeLimit })
  } catch {
    // The library throws where it finds no code.
    return undefined
  }
}

/**
 * The text of the QR code in a frame: as the camera gave it, then with its noise smoothed away and enlarged.
 *
 * @returns undefined where no code can be read
 */
export const readCode = (frame: Frame): string | undefined => {
  const { width, height } = frame
  const plain = read(frame)
  if (plain !== undefined) return plain
  const calm = smooth(grey(frame), width, height)
  return width * height > mostEnlarged
    ? read({ data: coloured(calm), width, height })
    : read({ data: coloured(enlarge(calm, width, height)), width: 2 * width, height: 2 * height })
}
