import { cbc, ecb } from '@noble/ciphers/aes'
import { hexToBytes as hex, bytesToHex as hexOf } from '@noble/ciphers/utils'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { desDecryptBlocks } from './des.ts'
import { aesDecrypt, aesEncrypt, desDecrypt } from './legacy-cipher.ts'

const bare = { disablePadding: true }

describe('[S9.19] AES', () => {
  it.each([
    ['000102030405060708090a0b0c0d0e0f', '69c4e0d86a7b0430d8cdb78070b4c55a'],
    ['000102030405060708090a0b0c0d0e0f1011121314151617', 'dda97ca4864cdfe06eaf70a0ec0d7191'],
    ['000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', '8ea2b7ca516745bfeafc49904b496089'],
  ])('is that of FIPS-197, appendix C: %s', (key, cipher) => {
    expect(hexOf(ecb(hex(key), bare).encrypt(hex('00112233445566778899aabbccddeeff')))).toBe(cipher)
    expect(hexOf(ecb(hex(key), bare).decrypt(hex(cipher)))).toBe('00112233445566778899aabbccddeeff')
  })

  const blocks =
    '6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710'
  it.each([
    [
      '2b7e151628aed2a6abf7158809cf4f3c',
      '7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b273bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7',
    ],
    [
      '603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4',
      'f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b',
    ],
  ])('chains blocks as SP 800-38A, F.2 says: %s', (key, cipher) => {
    const mode = cbc(hex(key), hex('000102030405060708090a0b0c0d0e0f'), bare)
    expect(hexOf(mode.encrypt(hex(blocks)))).toBe(cipher)
    expect(hexOf(mode.decrypt(hex(cipher)))).toBe(blocks)
  })

  // Written by OpenSSL with -K key and -iv its first 16 bytes.
  it.each([
    ['0123456789abcdef', '报名序号 26110001', 'yVHTgFFc0ZTZ4PxZBYHHcsNtv/dRJuXYKpw4kdnKNPE='],
    ['O2BEeIv399qHQNhD6aGW8R8DEj4bqHXm', '{"account":"lin","current":1}', 'Xv/duvhHo+5Ptp7XUwK550ODpXnTpIissPe5VV74RgY='],
    ['0123456789abcdef', '', '7Uf+4FRcP6fdBw1EuG6Y2Q=='],
  ])('takes key and vector as framework-contract 1.9 says: %s %s', (key, plain, cipher) => {
    expect(aesEncrypt(plain, key)).toBe(cipher)
    expect(aesDecrypt(cipher, key)).toBe(plain)
  })
  it('comes back with any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), plain => {
        expect(aesDecrypt(aesEncrypt(plain, '0123456789abcdef'), '0123456789abcdef')).toBe(plain)
      }),
    )
  })
  it('refuses keys of another length and texts of another key', () => {
    expect(() => aesEncrypt('x', 'short')).toThrow(RangeError)
    expect(() => aesDecrypt(aesEncrypt('报名', '0123456789abcdef'), 'fedcba9876543210')).toThrow()
    expect(() => aesDecrypt('%%%', '0123456789abcdef')).toThrow()
  })
})

describe('[S9.19] DES, for reading', () => {
  // NIST SP 800-17, tables A.1 (variable plaintext), A.2 (variable key) and A.4 (substitution tables).
  it.each([
    ['0101010101010101', '8000000000000000', '95f8a5e5dd31d900'],
    ['0101010101010101', '4000000000000000', 'dd7f121ca5015619'],
    ['0101010101010101', '2000000000000000', '2e8653104f3834ea'],
    ['8001010101010101', '0000000000000000', '95a8d72813daa94d'],
    ['7ca110454a1a6e57', '01a1d6d039776742', '690f5b0d9a26939b'],
    ['0131d9619dc1376e', '5cd54ca83def57da', '7a389d10354bd271'],
    ['133457799bbcdff1', '0123456789abcdef', '85e813540f0ab405'],
  ])('is that of the published answers: key %s', (key, plain, cipher) => {
    expect(hexOf(desDecryptBlocks(hex(cipher), hex(key)))).toBe(plain)
  })
  // Written by OpenSSL, as triple DES with three times the same key.
  it.each([
    ['jMVCBsFG', '考谱', '0fauY0mvayc='],
    ['jMVCBsFG', '', 'gcFV8w+t8T8='],
    ['jMVCBsFG', '330199199505051028', 'baoS+chpNP/QgzoO6PshLFe3fFga1nhs'],
    ['otherkey', 'xxxxxxxxxxxxxxxx', 'g+MyFMBqIxyD4zIUwGojHK58Bjs76tei'],
  ])('reads what another implementation wrote: %s %s', (key, plain, cipher) => {
    expect(desDecrypt(cipher, key)).toBe(plain)
  })
  it('reads nothing that is not whole', () => {
    expect(() => desDecrypt('AAAA', 'jMVCBsFG')).toThrow(RangeError)
    expect(() => desDecrypt('', 'jMVCBsFG')).toThrow(RangeError)
    expect(() => desDecrypt('0fauY0mvayc=', 'otherkey')).toThrow()
    expect(() => desDecrypt('0fauY0mvayc=', 'short')).toThrow(RangeError)
  })
})
