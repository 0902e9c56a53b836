import { describe, expect, it } from 'vitest'
import { numberKey, taxNumberOf } from './numbers.ts'

it('a number is the same whatever its width, case, spaces and hyphens', () => {
  for (const typed of ['V1', 'v1', 'V 1', 'Ｖ１', 'v－1', '　V　1 ', 'v–1']) expect(numberKey(typed)).toBe('V1')
  expect(numberKey('V10')).not.toBe('V1')
})

describe('a taxpayer number', () => {
  it.each([
    ['91350100M000100Y43', '91350100M000100Y43'],
    [' 9135 0100 m000 100y 43', '91350100M000100Y43'],
    ['１１０１０５１９４９１２３１００２Ｘ', '11010519491231002X'],
    ['11010519491231002X01', '11010519491231002X01'],
    ['330106' + '11223344' + '8', undefined],
    ['91350100M000100Y44', undefined],
    ['110105194912310021', undefined],
    ['12345678901234567890', undefined],
    ['1234567', undefined],
    ['91350100M000100Y4I', undefined],
  ])('%s', (typed, expected) => {
    expect(taxNumberOf(typed)).toBe(expected)
  })
  it('of 15 characters ends with an organisation code and its check character', () => {
    const right = [...'0123456789X'].filter(check => taxNumberOf(`33010612345678${check}`))
    expect(right).toHaveLength(1)
  })
})
