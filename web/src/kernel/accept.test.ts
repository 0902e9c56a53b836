import { afterEach, expect, test, vi } from 'vitest'
import { acceptOf, isOfKind } from './accept.ts'

afterEach(() => vi.unstubAllGlobals())

test('pickers offer every ending of JPEG, and HEIC where the device does not turn it into JPEG by itself', () => {
  const jpeg = '.jpg,.jpeg,.jpe,.jfif,image/jpeg'
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (Linux; Android 14)', maxTouchPoints: 5 })
  expect([acceptOf(['jpg', 'jpeg', 'png']), acceptOf(['xlsx']), acceptOf(['pdf'])]).toEqual([
    `${jpeg},.png,image/png,.heic,.heif,image/heic,image/heif`,
    '.xlsx',
    '.pdf,application/pdf',
  ])
  for (const navigator of [
    { userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', maxTouchPoints: 5 },
    { userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', maxTouchPoints: 5 },
  ]) {
    vi.stubGlobal('navigator', navigator)
    expect(acceptOf(['jpg', 'png'])).toBe(`${jpeg},.png,image/png`)
  }
})

test('a name is of a kind under any ending of it', () => {
  expect(['a.JFIF', 'a.jpe', 'a.png', 'a.pdf', 'a'].map(name => isOfKind(name, ['jpeg', 'png']))).toEqual([true, true, true, false, false])
})
