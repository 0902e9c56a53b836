import { expect, test } from 'vitest'
import { randomBytes } from '#kernel/random.ts'
import { createFieldCipher, FieldCipherError } from './field.ts'
import { cryptoSelfTest } from './self-test.ts'

const rootKey = randomBytes(32)
const indexKey = randomBytes(32)
const cipher = createFieldCipher({ rootKey, indexKey })
const place = { table: 'signup', column: 'id_card', rowId: '17' }

test('cryptoSelfTest › the primitives give their known answers', () => {
  expect(() => cryptoSelfTest()).not.toThrow()
})

test('field cipher › opens what it sealed, and no two seals are alike', () => {
  const sealed = cipher.seal('000000', place, '330199199001011234')
  expect(cipher.open('000000', place, sealed)).toBe('330199199001011234')
  expect(cipher.open('000000', place, cipher.seal('000000', place, ''))).toBe('')
  expect(cipher.seal('000000', place, '330199199001011234').equals(sealed)).toBe(false)
  expect([sealed[0], sealed.length]).toEqual([1, 2 + 12 + 18 + 16])
})

test('field cipher › a ciphertext moved to another tenant, table, column or row does not open', () => {
  const sealed = cipher.seal('000000', place, '张三')
  const moves: [string, typeof place][] = [
    ['000001', place],
    ['000000', { ...place, table: 'candidate' }],
    ['000000', { ...place, column: 'phone' }],
    ['000000', { ...place, rowId: '18' }],
  ]
  for (const [tenantId, other] of moves) expect(() => cipher.open(tenantId, other, sealed)).toThrow(FieldCipherError)
  for (let at = 0; at < sealed.length; at++) {
    const altered = Buffer.from(sealed.map((byte, i) => (i === at ? byte ^ 1 : byte)))
    expect(() => cipher.open('000000', place, altered)).toThrow(FieldCipherError)
  }
})

test('field cipher › after a change of root key old values open and new ones use the new key', () => {
  const sealed = cipher.seal('000000', place, '张三')
  const newer = randomBytes(32)
  const renewed = createFieldCipher({ rootKey: { current: () => newer, accepted: () => [newer, rootKey] }, indexKey })
  expect(renewed.open('000000', place, sealed)).toBe('张三')
  expect(() => cipher.open('000000', place, renewed.seal('000000', place, '张三'))).toThrow(FieldCipherError)
})

test('blind index › equal for equal values of one tenant and purpose only', () => {
  const index = cipher.blindIndex('000000', 'id_card', '330199199001011234')
  expect(index).toMatch(/^[0-9a-f]{64}$/)
  expect(cipher.blindIndex('000000', 'id_card', '330199199001011234')).toBe(index)
  expect(cipher.blindIndex('000001', 'id_card', '330199199001011234')).not.toBe(index)
  expect(cipher.blindIndex('000000', 'phone', '330199199001011234')).not.toBe(index)
})

test('field cipher › refuses short or equal keys', () => {
  expect(() => createFieldCipher({ rootKey: randomBytes(16), indexKey })).toThrow()
  expect(() => createFieldCipher({ rootKey, indexKey: rootKey })).toThrow()
})
