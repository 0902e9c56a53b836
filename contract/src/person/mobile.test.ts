import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkMobile } from './mobile.ts'

describe('[S5.28] mobile number', () => {
  it.each([
    ['', 'required'],
    [' ', 'required'],
    ['1380000000', 'length'],
    ['138000000011', 'length'],
    ['+1 3800000001', 'length'],
    ['86138000000011', 'length'],
    ['008613800000001a', 'length'],
    ['12800000001', 'format'],
    ['23800000001', 'format'],
    ['1380000000a', 'format'],
    ['138 0000001', 'format'],
  ])('refuses %j: %s', (text, problem) => expect(checkMobile(text)).toEqual({ ok: false, problem }))

  it('accepts the segments 13 to 19 and folds full width and spaces', () => {
    for (const second of '3456789') expect(checkMobile(`1${second}012345678`)).toEqual({ ok: true, mobile: `1${second}012345678` })
    expect(checkMobile(' １３８０００００００１ ')).toEqual({ ok: true, mobile: '13800000001' })
  })

  it.each([
    '+86 139 1234 5678',
    '+8613912345678',
    '（＋８６）１３９－１２３４－５６７８',
    '139-1234-5678',
    '139 1234 5678',
    '139\u00A01234\u20135678',
    '0086 13912345678',
    '8613912345678',
    '\u202A１３９１２３４５６７８\u202C\u200B',
    '139.1234.5678',
  ])('[21.3] takes %j as the number', text => expect(checkMobile(text)).toEqual({ ok: true, mobile: '13912345678' }))

  it('accepts exactly what the pattern says', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{9,13}$/), text => {
        expect(checkMobile(text).ok).toBe(/^(?:86)?1[3-9]\d{9}$/.test(text))
      }),
    )
  })
})
