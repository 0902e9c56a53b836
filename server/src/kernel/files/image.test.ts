import { readdirSync, readFileSync } from 'node:fs'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { checkPortrait, cleanImage, ImageError, makePortrait } from './image.ts'

const FOLDER = new URL('../../../seed/data/portraits/', import.meta.url)
const load = (file: string) => readFileSync(new URL(file, FOLDER))
const manifest = readFileSync(new URL('manifest.csv', FOLDER), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map(line => line.split(','))

/** The rule each faulty file of the manifest breaks. */
const BROKEN_RULES: Record<string, string[]> = {
  'p13-red.jpg': ['ground'],
  'p15-too-small.jpg': ['size'],
  'p16-square.jpg': ['ratio'],
  'p17-landscape.jpg': ['ratio'],
  'p18-4000x6000.jpg': ['ratio'],
  'p21-too-large.jpg': ['bytes'],
  'p22-clutter.jpg': ['ground'],
  'broken/truncated.jpg': ['decode'],
  'broken/png-named.jpg': ['format'],
  'broken/text-named.jpg': ['format'],
  'broken/empty.jpg': ['format'],
}
/** Faults only a person sees: a small head off the centre, covered eyes. */
const FOR_THE_REVIEWER = ['p23-head-small.jpg', 'p24-sunglasses.jpg']

test('checkPortrait › says of every file of the manifest what the manifest says', async () => {
  const uploads = manifest
    .filter(([, kind]) => kind === 'photo' || kind === 'broken')
    .map(([file = '', , , , , , expected = '']) => ({ file, expected }))
  const found = await Promise.all(
    uploads.map(async ({ file }) =>
      (await checkPortrait(load(file), { fileName: file })).findings.filter(finding => !finding.ok).map(({ rule }) => rule),
    ),
  )
  expect(uploads.length).toBe(28)
  expect(Object.fromEntries(uploads.map(({ file }, i) => [file, found[i]]))).toEqual(
    Object.fromEntries(uploads.map(({ file }) => [file, BROKEN_RULES[file] ?? []])),
  )
  const refused = uploads.filter(({ expected }) => !expected.startsWith('合格')).map(({ file }) => file)
  expect(refused.sort()).toEqual([...Object.keys(BROKEN_RULES), ...FOR_THE_REVIEWER].sort())
})

test('checkPortrait › measures upright and reports what it got', async () => {
  expect(await checkPortrait(load('p20-exif-rotate6.jpg'))).toMatchObject({ width: 295, height: 413 })
  expect((await checkPortrait(load('p15-too-small.jpg'))).findings.map(({ rule, ok, got }) => `${rule} ${ok} ${got}`).slice(0, 5)).toEqual([
    'format true jpg',
    'bytes true 2801',
    'decode true jpg',
    'size false 100×140',
    'ratio true 0.71',
  ])
})

test('checkPortrait › dark, glaring and empty pictures fail on brightness; more than 24 MP are not decoded', async () => {
  const failed = async (bytes: Buffer) => (await checkPortrait(bytes)).findings.filter(({ ok }) => !ok).map(({ rule }) => rule)
  const plain = sharp({ create: { width: 295, height: 413, channels: 3, background: '#ffffff' } })
  expect(await failed(await plain.jpeg().toBuffer())).toEqual(['brightness'])
  expect(await failed(await sharp(load('p01-white.jpg')).linear(0.2).jpeg().toBuffer())).toContain('brightness')
  expect(await failed(await sharp(load('p02-blue.jpg')).linear(1, 160).jpeg().toBuffer())).toContain('brightness')
  const huge = await sharp({ create: { width: 5_000, height: 4_801, channels: 3, background: '#ffffff' } })
    .png()
    .toBuffer()
  expect(await failed(huge)).toEqual(['decode'])
})

test('makePortrait › 295×413 JPEG of at most 60 KB, upright and without metadata, from every portrait', async () => {
  const portraits = readdirSync(FOLDER).filter(file => /^p\d/.test(file))
  for (const file of portraits) {
    const jpeg = await makePortrait(load(file))
    const meta = await sharp(jpeg).metadata()
    expect([meta.format, meta.width, meta.height, meta.exif, meta.orientation, jpeg.length <= 61_440]).toEqual([
      'jpeg',
      295,
      413,
      undefined,
      undefined,
      true,
    ])
  }
  expect((await sharp(load('p19-exif-gps.jpg')).metadata()).exif).toBeDefined()
  const noise = await sharp({
    create: { width: 590, height: 826, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 80 } },
  })
    .png()
    .toBuffer()
  expect((await makePortrait(noise)).length).toBeLessThanOrEqual(61_440)
})

test('cleanImage › encodes anew: no metadata, no trailing bytes, upright, bounded side; refuses what is no picture', async () => {
  const secret = Buffer.from('<script>alert(1)</script>')
  const cleaned = await cleanImage(Buffer.concat([load('p19-exif-gps.jpg'), secret]))
  expect([cleaned.kind, cleaned.width, cleaned.height, cleaned.bytes.includes(secret)]).toEqual(['jpg', 295, 413, false])
  expect((await sharp(cleaned.bytes).metadata()).exif).toBeUndefined()
  expect(await cleanImage(load('p20-exif-rotate6.jpg'))).toMatchObject({ width: 295, height: 413 })
  expect(await cleanImage(load('p18-4000x6000.jpg'), { maxSide: 1_200 })).toMatchObject({ width: 800, height: 1_200 })
  expect(await cleanImage(load('p14-white.png'))).toMatchObject({ kind: 'png' })
  for (const file of ['broken/truncated.jpg', 'broken/text-named.jpg', 'broken/empty.jpg', 'agree-letter.pdf']) {
    await expect(cleanImage(load(file))).rejects.toBeInstanceOf(ImageError)
  }
})
