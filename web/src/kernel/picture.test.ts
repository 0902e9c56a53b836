import { expect, test } from 'vitest'
import { asSendable } from './picture.ts'

const bytesOf = {
  jpg: [0xff, 0xd8, 0xff, 0xe0, 1],
  png: [0x89, 0x50, 0x4e, 0x47, 13],
  pdf: [0x25, 0x50, 0x44, 0x46, 45],
  gif: [0x47, 0x49, 0x46, 0x38],
}
const named = async (name: string, content: keyof typeof bytesOf, type = '') => {
  const given = new File([Uint8Array.from(bytesOf[content])], name, { type })
  const file = await asSendable(given, 1_000)
  if (file === undefined) throw new Error('not taken')
  return [file.name, file.type, [...new Uint8Array(await file.arrayBuffer())].length === bytesOf[content].length, file === given]
}

test('[S3.12] a file is sent under a name that tells what it holds, as phones cannot rename one', async () => {
  expect(await Promise.all([named('证书', 'jpg', 'image/jpeg'), named('a.b.jpg', 'png', 'image/jpeg'), named('扫描.JPG', 'pdf')])).toEqual([
    ['证书.jpg', 'image/jpeg', true, false],
    ['a.b.png', 'image/png', true, false],
    ['扫描.pdf', 'application/pdf', true, false],
  ])
  expect(await Promise.all([named('a.JPEG', 'jpg'), named('a.png', 'png'), named('a.jpg', 'gif')])).toEqual([
    ['a.JPEG', '', true, true],
    ['a.png', '', true, true],
    ['a.jpg', '', true, true],
  ])
  expect(await Promise.all([named('a.jfif', 'jpg'), named('a.JPE', 'jpg'), named('IMG.2026.3', 'jpg')])).toEqual([
    ['a.jpg', 'image/jpeg', true, false],
    ['a.jpg', 'image/jpeg', true, false],
    ['IMG.2026.3.jpg', 'image/jpeg', true, false],
  ])
})

test('a HEIC photo that the browser does not open is none to send, whatever its name', async () => {
  const heic = new File(['\0\0\0\x18ftypheic\0\0\0\0mif1'], 'IMG_0001.jpg', { type: 'image/jpeg' })
  expect(await asSendable(heic, 1_000)).toBeUndefined()
})
