import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { holdsUnseen } from '../kernel/tidy-text.ts'
import { checkPassword, passwordMessage, passwordPolicyOf } from './password-policy.ts'

const candidate = passwordPolicyOf('candidate')
const staff = passwordPolicyOf('staff')
const facts = (password: string, ownWords: (string | undefined)[] = []) => ({
  password,
  ownWords,
  isCommon: (lower: string) => lower === 'qwertyuiop123',
})

describe('password policy', () => {
  it.each([
    ['', candidate, ['required']],
    ['abcdefg', candidate, ['too-short']],
    ['abcdefgh', candidate, []],
    ['abcdefghijk', staff, ['too-short']],
    ['abcdefghijkl', staff, []],
    ['密码密码密码密码', candidate, []],
    ['𬭎'.repeat(7), candidate, ['too-short']],
    ['x'.repeat(64), staff, []],
    ['x'.repeat(65), staff, ['too-long']],
    ['QwertyUIOP123', staff, ['common']],
  ] as const)('%j → %j', (password, policy, problems) => expect(checkPassword(facts(password), policy)).toEqual(problems))

  it('refuses what holds the account, the phone or words of the tenant, in any case', () => {
    expect(checkPassword(facts('my-ZhangWei-2026', ['zhangwei']), staff)).toEqual(['contains-own-data'])
    expect(checkPassword(facts('a13800000001b', [undefined, '13800000001']), staff)).toEqual(['contains-own-data'])
    expect(checkPassword(facts('某区卫健委的密码就是这个了', ['某区卫健委']), staff)).toEqual(['contains-own-data'])
    expect(checkPassword(facts('correct horse battery', ['rse', '', '  ']), staff)).toEqual([])
  })

  it('asks for three of four classes in the MLPS profile only', () => {
    const mlps = passwordPolicyOf('staff', true)
    expect(checkPassword(facts('abcdefghijkl1'), mlps)).toEqual(['classes'])
    expect(checkPassword(facts('Abcdefghijkl1'), mlps)).toEqual([])
    expect(checkPassword(facts('abcdefg hijkl 1'), mlps)).toEqual([])
  })

  it('names several problems at once and fills in the lengths', () => {
    expect(checkPassword(facts('root', ['root']), staff)).toEqual(['too-short', 'contains-own-data'])
    expect(passwordMessage('too-short', staff)).toEqual({ zh: '密码至少 12 位', en: 'The password must have at least 12 characters' })
    expect(passwordMessage('too-long', staff).en).toBe('The password must have at most 64 characters')
  })

  it('lets any text of allowed length pass that is neither common nor own and can be seen', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 12, maxLength: 30 }), password => {
        fc.pre(!holdsUnseen(password))
        const length = [...password].length
        expect(checkPassword({ password, ownWords: [], isCommon: () => false }, staff)).toEqual(length > 64 ? ['too-long'] : [])
      }),
    )
  })
})
