import { expect, test } from 'vitest'
import { inputDigest } from './idempotency.ts'
import { fileNameOf } from './receive.ts'

test.each([
  ['../../etc/passwd.jpg', 'passwd.jpg'],
  ['C:\\Users\\me\\photo.jpg', 'photo.jpg'],
  ['scan\u202Egpj.exe.jpg', 'scangpj.exe.jpg'],
  ['a\u0000b\r\n.jpg', 'ab.jpg'],
  ['身份证 正面.jpg', '身份证 正面.jpg'],
  [`${'😀'.repeat(300)}.jpg`, `${'😀'.repeat(196)}.jpg`],
])('the name %j is kept as %j', (raw, kept) => {
  expect(fileNameOf(raw)).toBe(kept)
  expect(kept.isWellFormed()).toBe(true)
})

test('a repeated key is held to the bytes of its files, not only to their size', () => {
  const digest = (sha256: string) => inputDigest('/x', { a: 1 }, [{ part: 'file', sha256 }])
  expect(digest('aa')).not.toBe(digest('bb'))
})
