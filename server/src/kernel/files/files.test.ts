import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { deflateSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { randomBytes } from '#kernel/random.ts'
import { createDiskStore } from './disk.ts'
import { type FileProblem, inspectFile } from './kinds.ts'
import { createLinkSigner } from './signed-link.ts'
import { FileDamagedError, FileMissingError, FileTooLargeError } from './store.ts'

const root = mkdtempSync(join(tmpdir(), 'kaopu-files-'))
afterAll(() => rmSync(root, { recursive: true }))
let made = 0
const rootKey = randomBytes(32)
async function newStore() {
  const folder = join(root, String(++made))
  return { folder, store: await createDiskStore({ folder, rootKey }) }
}
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
const pieces = (bytes: Buffer, size: number) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    })(),
  )

test('disk store › gives back what it took at every size around a chunk, with size and digest, and only readable by its owner', async () => {
  const { folder, store } = await newStore()
  for (const size of [0, 1, 65_535, 65_536, 65_537, 131_072, 300_000]) {
    const bytes = randomBytes(size)
    const stored = await store.put(pieces(bytes, 10_007), { maxBytes: 300_000 })
    expect(stored).toEqual({
      key: expect.stringMatching(/^[\w-]{43}$/),
      sizeBytes: size,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
    expect((await buffer(await store.open(stored.key))).equals(bytes)).toBe(true)
  }
  expect(filesIn(folder).map(path => statSync(path).mode & 0o077)).toEqual([0, 0, 0, 0, 0, 0, 0])
})

test('disk store › reads any range', async () => {
  const { store } = await newStore()
  const bytes = randomBytes(200_000)
  const { key } = await store.put(bytes, { maxBytes: 200_000 })
  for (const [start, end] of [
    [0, 0],
    [65_535, 65_536],
    [131_072, 199_999],
    [10, 190_000],
    [199_999, 500_000],
    [200_000, 200_001],
  ] as const) {
    expect((await buffer(await store.open(key, { start, end }))).equals(bytes.subarray(start, end + 1))).toBe(true)
  }
})

test('disk store › the plain bytes are nowhere on the disk; altered, cut, or exchanged files do not open', async () => {
  const { folder, store } = await newStore()
  const plain = Buffer.from('身份证人像面'.repeat(10_000))
  const first = await store.put(plain, { maxBytes: 1e6 })
  const [path = ''] = filesIn(folder)
  const sealed = readFileSync(path)
  expect(sealed.includes('身份证')).toBe(false)
  const read = async () => buffer(await store.open(first.key))

  for (const at of [0, 5, 20, 47, 48, 100, 65_600, sealed.length - 1]) {
    writeFileSync(path, Buffer.from(sealed.map((byte, i) => (i === at ? byte ^ 1 : byte))))
    await expect(read()).rejects.toBeInstanceOf(FileDamagedError)
  }
  writeFileSync(path, sealed)
  truncateSync(path, 48 + 65_552)
  await expect(read()).rejects.toBeInstanceOf(FileDamagedError)
  truncateSync(path, 10)
  await expect(read()).rejects.toBeInstanceOf(FileDamagedError)

  await store.put(plain, { maxBytes: 1e6 })
  const other = filesIn(folder).find(name => name !== path) ?? ''
  writeFileSync(path, readFileSync(other))
  await expect(read()).rejects.toBeInstanceOf(FileDamagedError)
})

test('disk store › keeps nothing of an upload that is too large or breaks off', async () => {
  const { folder, store } = await newStore()
  await expect(store.put(randomBytes(1_001), { maxBytes: 1_000 })).rejects.toBeInstanceOf(FileTooLargeError)
  const broken = Readable.from(
    (function* () {
      yield Buffer.alloc(70_000)
      throw new Error('connection lost')
    })(),
  )
  await expect(store.put(broken, { maxBytes: 1e6 })).rejects.toThrow('connection lost')
  expect(filesIn(folder)).toEqual([])
})

test('disk store › clears what an interrupted upload left a day ago, and nothing younger', async () => {
  const { folder, store } = await newStore()
  const { key } = await store.put(Buffer.from('a'), { maxBytes: 10 })
  for (const name of ['old.part', 'young.part']) writeFileSync(join(folder, 'incoming', name), 'x')
  utimesSync(join(folder, 'incoming', 'old.part'), 1, 1)
  const again = await createDiskStore({ folder, rootKey })
  expect(readdirSync(join(folder, 'incoming'))).toEqual(['young.part'])
  expect((await buffer(await again.open(key))).toString()).toBe('a')
})

test('disk store › removed and unknown keys are missing, and a key is never a path', async () => {
  const { store } = await newStore()
  const { key } = await store.put(Buffer.from('a'), { maxBytes: 10 })
  await store.remove(key)
  await store.remove(key)
  for (const bad of [key, '../../etc/passwd', '', 'a'.repeat(43)]) await expect(store.open(bad)).rejects.toBeInstanceOf(FileMissingError)
  expect(() => createLinkSigner(Buffer.alloc(8))).toThrow()
})

test('signed link › opens one file for one user of one tenant until its time', () => {
  const signer = createLinkSigner(randomBytes(32))
  const subject = { tenantId: '000000', userId: '7', fileId: '42' }
  const link = signer.sign(subject, new Date('2026-11-20T10:05:00Z'))
  const at = (time: string, other = subject, text = link) => signer.verify(other, text, new Date(time))
  expect(at('2026-11-20T10:04:59.999Z')).toBe('valid')
  expect(at('2026-11-20T10:05:00Z')).toBe('expired')
  const strangers = [
    { ...subject, userId: '8' },
    { ...subject, fileId: '43' },
    { ...subject, tenantId: '000001' },
  ]
  expect(strangers.map(other => at('2026-11-20T10:00:00Z', other))).toEqual(['invalid', 'invalid', 'invalid'])
  const later = `${Math.floor(Date.parse('2027-01-01') / 1_000).toString(36)}.${link.split('.')[1]}`
  expect([later, '', 'a.b', `${link}0`].map(text => at('2026-11-20T10:00:00Z', subject, text))).toEqual([
    'invalid',
    'invalid',
    'invalid',
    'invalid',
  ])
})

const portrait = (file: string) => readFileSync(new URL(`../../../seed/data/portraits/${file}`, import.meta.url))
async function zip(...names: string[]): Promise<Buffer> {
  const file = new ZipFile()
  for (const name of names) file.addBuffer(Buffer.from('x'), name)
  file.end()
  return buffer(file.outputStream)
}
const pdf = (body: string) => Buffer.from(`%PDF-1.7\n1 0 obj\n${body}\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n`, 'latin1')

test('inspectFile › knows the five kinds by content and holds the name against it', async () => {
  const jpg = portrait('p01-white.jpg')
  const cases: [Uint8Array, string | undefined, string][] = [
    [jpg, '照片.JPEG', 'jpg'],
    [Buffer.concat([jpg, randomBytes(5_000)]), 'motion.jpg', 'jpg'],
    [portrait('p14-white.png'), 'a.png', 'png'],
    [portrait('agree-letter.pdf'), '证明.pdf', 'pdf'],
    [await zip('[Content_Types].xml', 'xl/workbook.xml'), 'a.xlsx', 'xlsx'],
    [await zip('[Content_Types].xml', 'word/document.xml'), undefined, 'docx'],
    [portrait('broken/png-named.jpg'), 'png-named.jpg', 'png'],
    [jpg, 'x.svg', 'extension'],
    [jpg, '假.pdf', 'extension'],
    [portrait('broken/text-named.jpg'), 'text-named.jpg', 'unknown'],
    [portrait('broken/empty.jpg'), 'empty.jpg', 'empty'],
    [portrait('broken/truncated.jpg'), 'truncated.jpg', 'truncated'],
  ]
  const got = await Promise.all(cases.map(async ([bytes, name]) => Object.values(await inspectFile(bytes, name))[0]))
  expect(got).toEqual(cases.map(([, , wanted]) => wanted))
})

test('inspectFile › refuses markup, polyglots and whatever could run', async () => {
  const jpg = portrait('p01-white.jpg')
  const hidden = deflateSync(Buffer.from('5 0 <</S /JavaScript /JS (app.alert(1))>>')).toString('latin1')
  const cases: [Uint8Array, FileProblem][] = [
    [Buffer.from('<!DOCTYPE html><html></html>'), 'unknown'],
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 'unknown'],
    [Buffer.concat([jpg, await zip('a')]), 'polyglot'],
    [Buffer.concat([jpg.subarray(0, 20), Buffer.from('<script >'), jpg.subarray(20)]), 'polyglot'],
    [Buffer.concat([pdf('<<>>'), await zip('a')]), 'polyglot'],
    [pdf('<</S /JavaScript /JS (app.alert(1))>>'), 'active'],
    [pdf('<</S /J#61vaScript>>'), 'active'],
    [pdf('<</S /Rendition /JS (x)>>'), 'active'],
    [pdf('<</S /Launch /F (cmd.exe)>>'), 'active'],
    [pdf(`<</Type /ObjStm /Filter /FlateDecode>>\nstream\n${hidden}\nendstream`), 'active'],
    [pdf('<<>>').subarray(0, 40), 'truncated'],
    [Buffer.concat([pdf('<<>>'), Buffer.alloc(2_000)]), 'polyglot'],
    [await zip('[Content_Types].xml', 'xl/workbook.xml', 'xl/vbaProject.bin'), 'active'],
    [await zip('evil.exe'), 'unknown'],
    [(await zip('[Content_Types].xml', 'xl/workbook.xml')).subarray(0, -10), 'truncated'],
  ]
  const got = await Promise.all(cases.map(async ([bytes]) => Object.values(await inspectFile(bytes))[0]))
  expect(got).toEqual(cases.map(([, wanted]) => wanted))
  expect(await inspectFile(pdf('<</Length 9>>\nstream\nab/JS cd\nendstream'))).toEqual({ kind: 'pdf' })
})
