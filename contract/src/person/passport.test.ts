import { describe, expect, it } from 'vitest'
import { maskIdCard } from '../kernel/mask.ts'
import { isPassportNumber } from './id-card.ts'
import {
  countryCodes,
  countryName,
  documentKey,
  documentKeysOf,
  documentLine,
  readDocument,
  type SaidDocument,
  saidInLine,
} from './passport.ts'

const TODAY = '2026-03-16'
const passport: SaidDocument = {
  idCard: 'ｅ1234 5678'.replace(' ', ''),
  idCardType: '4',
  nationality: 'fra',
  birthday: '1990-01-31',
  sex: '2',
}
const problems = (more: Partial<SaidDocument>) => {
  const read = readDocument({ ...passport, ...more }, TODAY)
  return read.ok ? [] : read.problems.map(({ field, message }) => [field, message.zh])
}

describe('[19.8] passports', () => {
  it.each([
    ['E12345678', true],
    ['e1234', true],
    ['A'.repeat(20), true],
    ['123456789', true],
    ['33010619950812003Ａ', false],
    ['E123', false],
    ['A'.repeat(21), false],
    ['E1234-678', false],
    ['33010619950812003X', false],
    ['330106199508120031', false],
    ['911124198108030024', false],
    ['33010619950812003', false],
    ['330106950812003', false],
    ['AB0106199508120031', true],
    ['', false],
  ])('%s is one: %s', (text, is) => expect(isPassportNumber(text)).toBe(is))

  it('the number is folded, and what it does not say is said beside it', () => {
    expect(readDocument(passport, TODAY)).toEqual({
      ok: true,
      document: { ok: true, idCard: 'E12345678', type: '4', nationality: 'FRA', birthday: '1990-01-31', sex: 2 },
    })
    expect(problems({ nationality: 'XXX', birthday: '1990-02-30', sex: '3' })).toEqual([
      ['nationality', '请选择国籍（护照签发国家或地区）'],
      ['birthday', '请填写出生日期，如 1990-01-31'],
      ['sex', '请选择性别'],
    ])
    expect(problems({ nationality: undefined, birthday: undefined, sex: undefined }).map(([field]) => field)).toEqual([
      ...['nationality', 'birthday', 'sex'],
    ])
    expect(problems({ birthday: '2026-03-17' })).toEqual([['birthday', '请填写出生日期，如 1990-01-31']])
    expect(problems({ birthday: '1899-12-31' })).toEqual([['birthday', '请填写出生日期，如 1990-01-31']])
    expect(problems({ birthday: '2012-03-17' })).toEqual([['birthday', '未满 14 周岁不能注册和报名']])
    expect(problems({ birthday: '2012-03-16' })).toEqual([])
    expect(problems({ idCard: 'E-1' })).toEqual([['idCard', '护照号码应为 5 至 20 位字母或数字']])
  })

  it('a number with the shape of an id card is judged as that, whatever people say', () => {
    expect(problems({ idCard: '330106199508120039' })).toEqual([['idCard', '证件号码校验位错误']])
    expect(readDocument({ ...passport, idCard: '33010619950812003x' }, TODAY)).toEqual({
      ok: true,
      document: { ok: true, idCard: '33010619950812003X', type: '1', nationality: null, birthday: '1995-08-12', sex: 1 },
    })
    expect(problems({ idCardType: '1' })).toEqual([['idCard', '证件号码应为 18 位']])
  })

  it('the same number of another country is another document', () => {
    expect([
      documentKey({ idCard: 'E1234', nationality: 'FRA' }),
      documentKey({ idCard: '33010619950812003X', nationality: null }),
    ]).toEqual([...['4|FRA|E1234', '33010619950812003X']])
    expect(documentKeysOf('e1234', TODAY, ['FRA', 'DEU'])).toEqual(['4|FRA|E1234', '4|DEU|E1234'])
    expect(documentKeysOf('33010619950812003x', TODAY)).toEqual(['33010619950812003X'])
    expect(documentKeysOf('330106199508120039', TODAY)).toEqual([])
  })

  it('one line says it and is read again', () => {
    const read = readDocument(passport, TODAY)
    if (!read.ok) throw new Error('a passport without fault')
    expect(documentLine(read.document)).toBe('E12345678 FRA 1990-01-31 2')
    expect(readDocument(saidInLine(documentLine(read.document)), TODAY)).toEqual(read)
    expect(saidInLine('33010619950812003X').idCardType).toBeUndefined()
  })

  it('every country has a name in both languages', () => {
    expect([countryCodes.length, new Set(countryCodes).size]).toEqual([249, 249])
    expect([countryName('FRA', 'zh'), countryName('CHN', 'en'), countryName('TWN', 'zh')]).toEqual(['法国', 'China', '中国台湾'])
    expect(countryCodes.filter(code => /^[A-Z]{2}$/.test(countryName(code, 'en')))).toEqual([])
  })

  it('the mask shows the head and the last two characters', () => {
    expect(['E12345678', 'E1234', '123456789', maskIdCard('E12345678')].map(text => maskIdCard(text))).toEqual([
      ...['E1*****78', 'E**34', '12*****89', 'E1*****78'],
    ])
  })
})
