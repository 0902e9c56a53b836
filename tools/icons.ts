import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

/**
 * Draws the icons of the installable portal from `web/public/favicon.svg`. Run after the mark has changed:
 * `node tools/icons.ts`.
 */
const folder = join(import.meta.dirname, '..', 'web', 'public')
const mark = readFileSync(join(folder, 'favicon.svg'), 'utf8')
/** Launchers cut their own shape out of a maskable icon: colour to the edge, the mark within the middle four fifths. */
const maskable = mark.replace('rx="7"', '').replace('viewBox="0 0 32 32"', 'viewBox="-3 -3 38 38" style="background:#1668dc"')
const square = mark.replace('rx="7"', '')

const draw = (svg: string, size: number, name: string): Promise<unknown> =>
  sharp(Buffer.from(svg), { density: 1200 })
    .resize(size, size)
    .flatten({ background: '#1668dc' })
    .png({ compressionLevel: 9, palette: true })
    .toFile(join(folder, name))

await sharp(Buffer.from(mark), { density: 1200 }).resize(192, 192).png({ compressionLevel: 9 }).toFile(join(folder, 'icon-192.png'))
await sharp(Buffer.from(mark), { density: 1200 }).resize(512, 512).png({ compressionLevel: 9 }).toFile(join(folder, 'icon-512.png'))
await draw(maskable, 512, 'icon-maskable-512.png')
await draw(square, 180, 'apple-touch-icon.png')
