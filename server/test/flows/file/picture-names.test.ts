import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../support/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const photo = readFileSync(fileURLToPath(new URL('../../../seed/data/portraits/id-back.jpg', import.meta.url)))
/** The beginning of a photo of an iPhone; nothing behind it is looked at. */
const heic = Buffer.concat([Buffer.from('\0\0\0\x20ftypheic\0\0\0\0mif1heic', 'latin1'), Buffer.alloc(200)])
const send = (person: Person, name: string, bytes: Buffer, { purpose = 'image', language = 'zh' as 'zh' | 'en' } = {}) =>
  person.post('/file/upload', { multipart: { fields: { purpose }, files: [{ part: 'file', name, bytes }] }, language })

test('a JPEG is one under any of its endings and without one, and is downloaded under a name that every program knows', async () => {
  const tenant = await t.tenant()
  for (const person of [await tenant.candidate(), await tenant.staff('exam_admin')])
    for (const [name, stored] of [
      ['证件.jfif', '证件.jpg'],
      ['证件.JPE', '证件.jpg'],
      ['证件.jpeg', '证件.jpeg'],
      ['证件', '证件.jpg'],
      ['IMG.2026.3', 'IMG.2026.3.jpg'],
      ['证件.PNG', '证件.jpg'],
    ] as const)
      for (const purpose of ['image', 'document']) {
        const { data } = (await send(person, name, photo, { purpose })).body
        expect([name, purpose, data.name, data.mime]).toEqual([name, purpose, stored, 'image/jpeg'])
        const answer = await person.get(data.link)
        expect([answer.status, answer.headers['content-type'], decodeURIComponent(String(answer.headers['content-disposition']))]).toEqual([
          200,
          'image/jpeg',
          expect.stringContaining(stored),
        ])
      }
})

test('a HEIC photo is known by its content under any name and refused with how to turn it into a JPEG, in both languages', async () => {
  const tenant = await t.tenant()
  for (const person of [await tenant.candidate(), await tenant.staff('exam_admin')])
    for (const purpose of ['image', 'photo', 'document'])
      for (const name of ['IMG_0001.HEIC', 'IMG_0001.heif', 'IMG_0001.jpg', 'IMG_0001']) {
        const [zh, en] = [await send(person, name, heic, { purpose }), await send(person, name, heic, { purpose, language: 'en' })]
        expect([zh.status, zh.body.msg, en.body.msg]).toEqual([
          422,
          expect.stringContaining('HEIC/HEIF 格式的照片，这里打不开，请转换为 JPG 后再选择。iPhone：设置 › 相机 › 格式 › 兼容性最佳'),
          expect.stringContaining('Settings › Camera › Formats › Most Compatible'),
        ])
      }
})
