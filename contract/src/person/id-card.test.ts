import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkDocument,
  checkForeignCard,
  checkIdCard,
  foldIdCard,
  idCardCheckDigit,
  idCardMessages,
  isCalendarDate,
  isTooYoung,
} from './id-card.ts'

const TODAY = '2026-03-16'
const problemOf = (text: string, today = TODAY) => {
  const result = checkIdCard(text, today)
  return result.ok ? 'ok' : result.problem
}
const number = (first17: string) => first17 + idCardCheckDigit(first17)

describe('[S5.22] id card number', () => {
  it.each(['', '   ', '　'])('[S5.23] is required (%j)', text => expect(problemOf(text)).toBe('required'))

  it.each(['3', '33010619950812003', '33010619950812003XX', '一二三'])('[S5.24] has 18 characters (%s)', text =>
    expect(problemOf(text)).toBe('length'),
  )

  it.each(['33010619950812003Y', 'X3010619950812003X', '3301061995081200 X', '33010619950812003-'])(
    '[S5.25] is 17 digits followed by a digit or X (%s)',
    text => expect(problemOf(text)).toBe('characters'),
  )

  it('[S5.26] begins with a valid province', () => {
    const accepted: string[] = []
    for (let prefix = 0; prefix < 100; prefix++) {
      const two = String(prefix).padStart(2, '0')
      if (problemOf(number(`${two}010619950812003`)) === 'ok') accepted.push(two)
      else expect(problemOf(number(`${two}010619950812003`))).toBe('province')
    }
    expect(accepted.join(' ')).toBe(
      '11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83',
    )
  })

  it.each([
    ['33010619950812003', 'X'],
    ['32010219991111306', 'X'],
    ['33010619960214301', '9'],
    ['33010619901231771', 'X'],
    ['33010619970101001', '9'],
  ])('[S5.27] computes the check digit of %s as %s', (first17, digit) => expect(idCardCheckDigit(first17)).toBe(digit))

  it('[S5.27] refuses a wrong check digit', () => expect(problemOf('330106199508120031')).toBe('check-digit'))

  it.each([
    ['33010619950812003X', '1995-08-12', 1, false],
    ['330106199806301023', '1998-06-30', 2, false],
    ['510107199309094510', '1993-09-09', 1, false],
    ['650103199505052217', '1995-05-05', 1, false],
    ['11010519491231002X', '1949-12-31', 2, false],
    ['440106199202290082', '1992-02-29', 2, false],
    ['810000199410101237', '1994-10-10', 1, true],
    ['32010219991111306X', '1999-11-11', 2, false],
    ['330106198811205058', '1988-11-20', 1, false],
  ] as const)('accepts %s and derives birthday, sex and region', (idCard, birthday, sex, isResidencePermit) => {
    expect(checkIdCard(idCard, TODAY)).toEqual({ ok: true, idCard, birthday, sex, idRegion: idCard.slice(0, 6), isResidencePermit })
  })

  it('[21.3] folds full width, lower-case x, groups and outer spaces before it looks', () => {
    expect(foldIdCard(' ３３０１０６１９９５０８１２００３ｘ　')).toBe('33010619950812003X')
    for (const typed of ['330106 19950812 003x', '330106-1995-0812-003Ｘ', '3301 0619 9508 1200 3X', '\u200E33010619950812003X\u00AD'])
      expect(foldIdCard(typed)).toBe('33010619950812003X')
    expect([foldIdCard('ｅ 1234 5678'), foldIdCard('33010619950812 00 X')]).toEqual(['E12345678', '33010619950812 00 X'])
    expect(checkIdCard('33010619950812003x', TODAY)).toMatchObject({ ok: true, idCard: '33010619950812003X' })
  })

  it.each([
    ['19950230', 'birthday'],
    ['19951301', 'birthday'],
    ['19950800', 'birthday'],
    ['18991231', 'birthday'],
    ['19000101', 'ok'],
    ['20260316', 'ok'],
    ['20260317', 'birthday'],
    ['19000229', 'birthday'],
    ['20000229', 'ok'],
  ])('birth date %s → %s', (birth, expected) => expect(problemOf(number(`330106${birth}003`))).toBe(expected))

  it('names the first reason in the order of the specification', () => {
    expect(problemOf('9901061995023000')).toBe('length')
    expect(problemOf('99010619950230003Q')).toBe('characters')
    expect(problemOf('990106199502300030')).toBe('province')
    expect(problemOf('330106199502300030')).toBe('check-digit')
    expect(Object.keys(idCardMessages)).toEqual(['required', 'length', 'characters', 'province', 'check-digit', 'birthday'])
  })

  it('refuses every number with one digit changed, and every swap of two unequal neighbours', () => {
    const digits = fc
      .integer({ min: 0, max: 999 })
      .map(n => `330106199508${String((n % 28) + 1).padStart(2, '0')}${String(n).padStart(3, '0')}`)
    fc.assert(
      fc.property(digits, fc.integer({ min: 0, max: 16 }), fc.integer({ min: 1, max: 9 }), (first17, at, by) => {
        const whole = number(first17)
        expect(problemOf(whole)).toBe('ok')
        const changed = whole.slice(0, at) + String((Number(whole[at]) + by) % 10) + whole.slice(at + 1)
        expect(problemOf(changed)).not.toBe('ok')
        if (at < 16 && whole[at] !== whole[at + 1]) {
          expect(problemOf(whole.slice(0, at) + whole[at + 1] + whole[at] + whole.slice(at + 2))).not.toBe('ok')
        }
      }),
    )
  })

  it('answers any text without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(typeof checkIdCard(text, TODAY).ok).toBe('boolean')
      }),
    )
  })

  it('knows the days of the calendar as the machine does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 9999 }), fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 32 }), (y, m, d) => {
        const text = `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`
        const time = Date.parse(`${text}T00:00:00Z`)
        expect(isCalendarDate(text)).toBe(!Number.isNaN(time) && new Date(time).toISOString().startsWith(text))
      }),
    )
  })
})

describe('[19.8] the document that a number is of', () => {
  const typeOf = (text: string) => {
    const found = checkDocument(text, TODAY)
    return found.ok ? found.type : found.problem
  }

  it.each([
    ['33010619950812003X', '1'],
    ['810000199410101237', '2'],
    [number('82000019941010123'), '2'],
    [number('83000019941010123'), '2'],
    ['911124198108030024', '3'],
    ['９１１１２４１９８１０８０３００２４', '3'],
    ['33010619950812003', 'length'],
  ])('%s is %s', (text, type) => expect(typeOf(text)).toBe(type))

  it('a permanent residence card of foreigners says birthday and sex, and has a check of its own', () => {
    expect(checkForeignCard('911124198108030024', TODAY)).toEqual({
      ok: true,
      idCard: '911124198108030024',
      type: '3',
      birthday: '1981-08-03',
      sex: 2,
    })
    const problem = (text: string) => {
      const found = checkForeignCard(text, TODAY)
      return found.ok ? 'ok' : found.problem
    }
    expect(
      [
        ...['', '91112419810803002', '33010619950812003X', number('99912419810803002'), number('98112419810803002')],
        ...[
          number('91100019810803002'),
          number('91115619810803002'),
          '911124198108030025',
          number('91112419811303002'),
          number('91112420260317002'),
        ],
      ].map(problem),
    ).toEqual(['required', 'length', 'characters', 'province', 'province', 'province', 'province', 'check-digit', 'birthday', 'birthday'])
  })

  it.each([
    ['2012-03-16', '2026-03-16', false],
    ['2012-03-17', '2026-03-16', true],
    ['2012-02-29', '2026-02-28', true],
    ['2012-02-29', '2026-03-01', false],
    ['1995-08-12', '2026-03-16', false],
  ])('[P7] born on %s, on %s under 14: %s', (birthday, today, young) => expect(isTooYoung(birthday, today)).toBe(young))
})
