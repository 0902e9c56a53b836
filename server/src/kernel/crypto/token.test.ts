import { expect, test } from 'vitest'
import { pkceChallenge } from './token.ts'

test('the challenge is that of RFC 7636 appendix B', () => {
  expect(pkceChallenge('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')
})
