import { describe, expect, test } from 'vitest'
import { fromBase32, hotp, matchingStep, otpauthUri, toBase32, totpStep } from './totp.ts'

const secrets = {
  sha1: Buffer.from('12345678901234567890'),
  sha256: Buffer.from('12345678901234567890123456789012'),
  sha512: Buffer.from('1234567890123456789012345678901234567890123456789012345678901234'),
}

describe('codes of an authenticator app', () => {
  test.each([
    [59, '94287082', '46119246', '90693936'],
    [1111111109, '07081804', '68084774', '25091201'],
    [1111111111, '14050471', '67062674', '99943326'],
    [1234567890, '89005924', '91819424', '93441116'],
    [2000000000, '69279037', '90698825', '38618901'],
    [20000000000, '65353130', '77737706', '47863826'],
  ])('the vectors of RFC 6238 appendix B at %i s', (seconds, ...codes) => {
    const step = totpStep(new Date(seconds * 1000))
    expect((['sha1', 'sha256', 'sha512'] as const).map(hash => hotp(secrets[hash], step, 8, hash))).toEqual(codes)
  })

  test('the vectors of RFC 4226 appendix D', () => {
    expect(Array.from({ length: 10 }, (_, counter) => hotp(secrets.sha1, counter))).toEqual([
      '755224',
      '287082',
      '359152',
      '969429',
      '338314',
      '254676',
      '287922',
      '162583',
      '399871',
      '520489',
    ])
  })

  test('base32 as in RFC 4648 section 10, without padding', () => {
    const pairs = [
      ['', ''],
      ['f', 'MY'],
      ['fo', 'MZXQ'],
      ['foo', 'MZXW6'],
      ['foob', 'MZXW6YQ'],
      ['fooba', 'MZXW6YTB'],
      ['foobar', 'MZXW6YTBOI'],
    ] as const
    expect(pairs.map(([plain]) => toBase32(Buffer.from(plain)))).toEqual(pairs.map(([, text]) => text))
    expect(pairs.map(([, text]) => fromBase32(text).toString())).toEqual(pairs.map(([plain]) => plain))
    expect(() => fromBase32('M1')).toThrow('not base32')
  })

  test('one step each way counts, two do not, and none that was used', () => {
    const now = new Date(1_700_000_000_000)
    const present = totpStep(now)
    const stepOf = (offset: number, after = -1) => matchingStep(secrets.sha1, hotp(secrets.sha1, present + offset), now, after)
    expect([-2, -1, 0, 1, 2].map(offset => stepOf(offset))).toEqual([undefined, present - 1, present, present + 1, undefined])
    expect([-1, 0, 1].map(offset => stepOf(offset, present))).toEqual([undefined, undefined, present + 1])
    expect(['', '12345', '1234567', 'abcdef', '１２３４５６'].map(code => matchingStep(secrets.sha1, code, now, -1))).toEqual(
      Array(5).fill(undefined),
    )
  })

  test('the address names issuer and account', () => {
    expect(otpauthUri({ issuer: '考谱', account: 'a b@c', secret: 'MZXW6' })).toBe(
      'otpauth://totp/%E8%80%83%E8%B0%B1:a%20b%40c?secret=MZXW6&issuer=%E8%80%83%E8%B0%B1&algorithm=SHA1&digits=6&period=30',
    )
  })
})
