import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { idCardCheckDigit } from '#contract/person/id-card.ts'
import { paramsOf } from './params.ts'

const idCard = `33010619900101302${idCardCheckDigit('33010619900101302')}`
const schema = Type.Object({ state: Type.Union([Type.Literal('open'), Type.Literal('shut')]) })
const shown = (input: unknown): unknown => {
  const text = paramsOf(input, schema)
  return text === '' ? '' : JSON.parse(text)
}

describe('[S7.29] what a call was asked with', () => {
  test('ids, numbers, times and declared words stay; of what people type only the length', () => {
    expect(
      shown({
        id: '123456789012345678',
        ids: '1,2,3',
        current: 2,
        isOk: true,
        state: 'open',
        from: '2026-03-17 10:00:00',
        day: '2026-03-17',
        search: '张伟的报名',
      }),
    ).toEqual({
      id: '123456789012345678',
      ids: '1,2,3',
      current: 2,
      isOk: true,
      state: 'open',
      from: '2026-03-17 10:00:00',
      day: '2026-03-17',
      search: '[5]',
    })
    expect(shown({ state: 'other' })).toEqual({ state: '[5]' })
  })
  test('what names a person or opens a door stays under no name, at no depth', () => {
    const personal = {
      phone: '13800000001',
      idCard,
      password: 'a',
      captchaCode: 'abcde',
      realName: '张伟',
      email: 'z@x.cn',
      bankNo: '6222',
      address: '3',
    }
    const hidden = Object.fromEntries(Object.keys(personal).map(key => [key, '***']))
    expect(shown(personal)).toEqual(hidden)
    expect(shown({ a: { b: personal }, list: [{ ...personal }] })).toEqual({ a: { b: hidden }, list: [hidden] })
    // Under an innocent name, as a list, as a number, as a key.
    expect(shown({ q: '13800000001', ids: `1,${idCard}`, n: 13_800_000_001 })).toEqual({ q: '***', ids: '***', n: '***' })
    expect(paramsOf({ [idCard]: 1, 'a\r\nb': 2 }, schema)).toBe('{"[18]":1,"[4]":2}')
  })
  test('it is short, however much is sent', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, i]))
    expect(Object.keys(shown(many) as object)).toHaveLength(41)
    expect(paramsOf({ ids: Array(300).fill('1').join(',').repeat(50) }, schema).length).toBeLessThanOrEqual(2_000)
    expect(shown({ deep: { a: { b: { c: { d: 1 } } } } })).toEqual({ deep: { a: { b: { c: '{}' } } } })
    expect([paramsOf(undefined, schema), paramsOf({}, schema), paramsOf('x', schema)]).toEqual(['', '', ''])
  })
})
