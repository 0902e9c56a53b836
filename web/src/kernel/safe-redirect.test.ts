import { expect, it } from 'vitest'
import { safeRedirect } from './safe-redirect.ts'

it('follows only own paths after a login', () => {
  expect(
    ['/exam/list?a=1', '//evil.example', '/\\evil.example', 'https://evil.example', '/login', '/lock', null].map(safeRedirect),
  ).toEqual(['/exam/list?a=1', '/', '/', '/', '/', '/', '/'])
})
