import { describe, expect, test } from 'vitest'
import { isHousehold, levelsOf, regionItemOf, regionKey } from './region.ts'
import { answerMarks } from './signup.noun.ts'

describe('[S7.47] the region of a sign-up', () => {
  test.each([
    ['330106', { province: '330000', city: '330100', area: '330106' }],
    ['330100', { province: '330000', city: '330100', area: '' }],
    ['330000', { province: '330000', city: '', area: '' }],
    ['3301', { province: '', city: '', area: '' }],
    ['', { province: '', city: '', area: '' }],
  ])('levels of %j', (code, levels) => expect(levelsOf(code)).toEqual(levels))

  test('is asked once: a region field of the same name answers it, any other field does not', () => {
    const items = [
      { itemKey: 'school', fieldType: 'school', itemLabel: '户籍所在地' },
      { itemKey: 'home', fieldType: 'region', itemLabel: '现居住地' },
      { itemKey: 'hukouAddress', fieldType: 'region', itemLabel: '户籍所在地' },
    ]
    expect(regionItemOf(items, '户籍所在地')?.itemKey).toBe('hukouAddress')
    expect(regionItemOf(items, '报考考区')).toBeUndefined()
  })

  test('is the household registration only where it is called so', () => {
    expect(['户籍所在地', '户籍地', '生源地', '报考考区', '现居住地', ''].map(isHousehold)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ])
  })

  test('[S6.03] stands under the rule of the household registration', () => {
    expect(answerMarks[regionKey]?.at).toBe('signup.hukouAddress')
  })
})
