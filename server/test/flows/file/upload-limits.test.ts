import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kernel/db/sql.ts'
import { type Person, startTestApp, type TestApp, type TestTenant } from '../../support/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const sample = (name: string): Buffer => readFileSync(fileURLToPath(new URL(`../../../seed/data/portraits/${name}`, import.meta.url)))
/** A real file made longer behind its content, so that only its size can be wrong. */
const ofSize = (name: string, bytes: number): Buffer => {
  const file = sample(name)
  const isPdf = name.endsWith('.pdf')
  // A comment segment behind the start of a JPEG; a comment line before the end of a PDF.
  if (isPdf) {
    const end = file.lastIndexOf('%%EOF')
    return Buffer.concat([file.subarray(0, end), Buffer.alloc(bytes - file.length - 1, '%'), Buffer.from('\n'), file.subarray(end)])
  }
  let rest = bytes - file.length
  const comments: Buffer[] = []
  while (rest > 0) {
    const length = rest > 60_004 ? 60_000 : rest
    const segment = Buffer.alloc(length, 0x20)
    segment.writeUInt16BE(0xfffe, 0)
    segment.writeUInt16BE(length - 2, 2)
    comments.push(segment)
    rest -= length
  }
  return Buffer.concat([file.subarray(0, 2), ...comments, file.subarray(2)])
}
const send = async (person: Person, purpose: string, name: string, bytes: Buffer): Promise<string> => {
  const answer = await person.post('/file/upload', { multipart: { fields: { purpose }, files: [{ part: 'file', name, bytes }] } })
  return answer.status === 200 ? 'ok' : `${answer.status} ${answer.body.code} ${answer.body.msg}`
}
const set = (tenant: TestTenant, key: string, value: string) =>
  tenant.rows(sql`update param set param_value = ${value} where param_key = ${key}`)

describe('upload limits (upload.* of domain 13.6, decision 4.7)', () => {
  const kinds = [
    ['upload.photoMaxKb', 'photo', 'p01-white.jpg', 500],
    ['upload.imageMaxKb', 'image', 'id-back.jpg', 2_048],
    ['upload.pdfMaxKb', 'document', 'agree-letter.pdf', 5_120],
  ] as const

  test.each(kinds)('%s: a tenant lowers it for itself only', async (key, purpose, name) => {
    const [own, other] = [await t.tenant(), await t.tenant()]
    await set(own, key, '200')
    const [person, stranger] = [await own.candidate(), await other.candidate()]
    expect(await send(person, purpose, name, ofSize(name, 200 * 1_024))).toBe('ok')
    expect(await send(person, purpose, name, ofSize(name, 200 * 1_024 + 1))).toMatch(/^422 2802 .*不能超过 200 KB/)
    expect(await send(stranger, purpose, name, ofSize(name, 200 * 1_024 + 1))).toBe('ok')
  })

  test.each(kinds)('%s: nothing a tenant writes lifts the limit of the platform', async (key, purpose, name, platformKb) => {
    const tenant = await t.tenant()
    const person = await tenant.candidate()
    for (const value of ['999999', '0', '-1', 'unlimited', '']) {
      await set(tenant, key, value)
      expect(await send(person, purpose, name, ofSize(name, platformKb * 1_024 + 1))).toContain(`不能超过 ${platformKb} KB`)
    }
    expect(await send(person, purpose, name, ofSize(name, platformKb * 1_024))).toBe('ok')
  })

  test('[S3.12] a picture of too many pixels is called that, and not damaged', async () => {
    const person = await (await t.tenant()).candidate()
    const plain = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#ffffff' } })
        .jpeg({ quality: 40 })
        .toBuffer()
    const huge = await plain(6_000, 4_001)
    const refused = '422 2802 文件类型或大小不符：图片像素过多（6000×4001），请缩小到 2400 万像素以内'
    expect([await send(person, 'photo', 'a.jpg', huge), await send(person, 'document', 'a.jpg', huge)]).toEqual([refused, refused])
    expect(await send(person, 'document', 'a.jpg', await plain(6_000, 4_000))).toBe('ok')
    expect(await send(person, 'document', 'a.jpg', sample('p01-white.jpg').subarray(0, 4_000))).toContain('文件不完整或已损坏')
  })
})
