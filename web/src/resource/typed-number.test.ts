import { expect, it } from 'vitest'
import { typedNumber } from './typed-number.ts'

it('takes digits however they are typed, and leaves what is no number as it stands', () => {
  expect(['12', ' 3.50 ', '１００', '４５。５', '1,234,567.5', '-2', ''].map(typedNumber)).toEqual([
    12,
    3.5,
    100,
    45.5,
    1234567.5,
    -2,
    null,
  ])
  expect(['45,5', '1:3', '2-3', '1.2.3', '12人', '1e3', '0x10'].map(typedNumber)).toEqual([
    ...['45,5', '1:3', '2-3', '1.2.3', '12人', '1e3', '0x10'],
  ])
})
