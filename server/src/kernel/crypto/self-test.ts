import { createCipheriv } from 'node:crypto'
import { sm2Decrypt } from './sm2.ts'
import { hmacSm3, sm3 } from './sm3.ts'
import { openSm4, sealSm4 } from './sm4.ts'

/**
 * Known-answer tests, run before the server listens. Vectors: SM3 GB/T 32905-2016 A.1 and A.2; SM4 GB/T 32907-2016 A.1; SM4-GCM
 * RFC 8998 A.1; SM2 GB/T 32918.5-2017 C.2; HMAC-SM3 computed by sm-crypto-v2.
 * @throws naming the primitive that failed; the server must not start then.
 */
export function cryptoSelfTest(): void {
  expect('SM3', sm3('abc').toString('hex'), '66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0')
  expect('SM3', sm3('abcd'.repeat(16)).toString('hex'), 'debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732')
  expect(
    'HMAC-SM3',
    hmacSm3(Buffer.from('0102030405060708090a0b0c0d0e0f10111213141516171819', 'hex'), Buffer.alloc(50, 0xcd)).toString('hex'),
    'b57c79be03472aeb8cada581dea332cb2ba83d19cb1b052dd07194def75fb8cd',
  )

  const block = Buffer.from('0123456789abcdeffedcba9876543210', 'hex')
  const ecb = createCipheriv('sm4-ecb', block, null).setAutoPadding(false)
  expect('SM4', Buffer.concat([ecb.update(block), ecb.final()]).toString('hex'), '681edf34d206965e86b3e94f536e4246')

  gcm()
  expect('SM2', sm2Decrypt(SM2_PRIVATE_KEY, SM2_C1 + SM2_C3 + SM2_C2) ?? '', 'encryption standard')
}

const SM2_PRIVATE_KEY = '3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8'
const SM2_C1 =
  '04ebfc718e8d1798620432268e77feb6415e2ede0e073c0f4f640ecd2e149a73e858f9d81e5430a57b36daab8f950a3c64e6ee6a63094d99283aff767e124df0'
const SM2_C3 = '59983c18f809e262923c53aec295d30383b54e39d609d160afcb1908d0bd8766'
const SM2_C2 = '21886ca989ca9c7d58087307ca93092d651efa'

function gcm(): void {
  const key = Buffer.from('0123456789abcdeffedcba9876543210', 'hex')
  const nonce = Buffer.from('00001234567800000000abcd', 'hex')
  const aad = Buffer.from('feedfacedeadbeeffeedfacedeadbeefabaddad2', 'hex')
  const plain = Buffer.from('aabbccddeeffeeaa'.replace(/../g, '$&'.repeat(8)), 'hex')
  const sealed = sealSm4(key, nonce, plain, aad)
  expect(
    'SM4-GCM',
    sealed.toString('hex'),
    '17f399f08c67d5ee19d0dc9969c4bb7d5fd46fd3756489069157b282bb200735d82710ca5c22f0ccfa7cbf93d496ac15a56834cbcf98c397b4024a2691233b8d' +
      '83de3541e4c2b58177e065a9bf7b62ec',
  )
  const forged = Buffer.from(sealed)
  forged.writeUInt8(sealed.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1)
  const refused = openSm4(key, nonce, forged, aad) === undefined
  expect('SM4-GCM forgery', String(refused), 'true')
}

function expect(primitive: string, got: string, wanted: string): void {
  if (got !== wanted) throw new Error(`cryptographic self-test failed: ${primitive}`)
}
