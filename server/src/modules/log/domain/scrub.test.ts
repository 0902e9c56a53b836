import { describe, expect, test } from 'vitest'
import { scrub, toKept } from './scrub.ts'

describe('what a browser reports is kept without secrets', () => {
  test.each([
    ['an id number', 'id 330106199806301023 fails', 'id *** fails'],
    ['a phone', '手机号13900000002无效', '手机号***无效'],
    ['an id number ending in X', '33010619980630102X', '***'],
    ['a bearer token', 'Blade-Auth: bearer abc_DEF-123', 'Blade-Auth: bearer ***'],
    ['the values of a query', 'GET /api/file/1?t=000000&s=abc.def failed', 'GET /api/file/1?t=***&s=*** failed'],
    ['a token in JSON', '{"access_token":"abc","x":1}', '{"access_token":"***","x":1}'],
    ['a line of its own', 'a\r\u001b[31mb', 'a  [31mb'],
    ['nothing special', 'TypeError: x is undefined\n  at a (main.js:1:2)', 'TypeError: x is undefined\n  at a (main.js:1:2)'],
  ])('%s', (_name, given, kept) => {
    expect(scrub(given)).toBe(kept)
  })

  test('[S3.18] an entry is cut to 8 KB of whole characters, the message before the stack', () => {
    const kept = toKept({ type: 'error', message: '错'.repeat(3_000), stack: '栈'.repeat(30_000), info: 'i', url: 'u', time: 't' })
    const bytes = Object.values(kept).reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    expect(bytes).toBeLessThanOrEqual(8_192)
    expect(bytes).toBeGreaterThan(8_180)
    expect(kept.message).toBe('错'.repeat(666))
    expect(kept.stack).toMatch(/^栈+$/)
  })
})
