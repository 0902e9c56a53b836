import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { qrModules } from '#kernel/qr.ts'

const [width, height, dot] = [640, 480, 8]
const [black, white, grey] = [16, 235, 128]

/** A film that shows a code, for the camera of a browser (`launchWithCamera`). @returns its path */
export const filmOf = (text: string): string => {
  const { size, isDark } = qrModules(text)
  const left = Math.floor((width - size * dot) / 2)
  const top = Math.floor((height - size * dot) / 2)
  const light = Buffer.alloc(width * height, white)
  for (let y = 0; y < size * dot; y++)
    for (let x = 0; x < size * dot; x++) if (isDark(Math.floor(y / dot), Math.floor(x / dot))) light[(top + y) * width + left + x] = black
  const frame = Buffer.concat([Buffer.from('FRAME\n'), light, Buffer.alloc((width * height) / 2, grey)])
  const path = join(mkdtempSync(join(tmpdir(), 'kaopu-film-')), 'code.y4m')
  writeFileSync(path, Buffer.concat([Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`), frame, frame]))
  return path
}
