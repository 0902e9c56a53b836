import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Answers,
  blockingChecks,
  checkLabel,
  conditionMessage,
  evaluateConditions,
  fieldOfCheck,
  freshOf,
  type GraduatePolicy,
  overallResult,
  type PostConditions,
  usualPolicy,
  yearsBetween,
} from './conditions.ts'

const open: PostConditions = {
  bornFrom: null,
  bornTo: null,
  sex: 0,
  educations: null,
  degrees: null,
  majors: [],
  majorText: '',
  fresh: 0,
  political: [],
  hukou: null,
  cert: [],
  title: null,
  minWorkYears: null,
}
const context = { examYear: 2026, onDay: '2026-03-16', policy: usualPolicy }
const only = (post: Partial<PostConditions>, answers: Answers, more = {}) =>
  evaluateConditions({ ...open, ...post }, answers, { ...context, ...more })
const resultOf = (post: Partial<PostConditions>, answers: Answers, more = {}) => only(post, answers, more)[0]?.result

describe('automatic conditions', () => {
  it('say nothing about a post without conditions', () => {
    expect(only({}, { birthday: '1900-01-01' })).toEqual([])
    expect(overallResult([])).toBe('ok')
  })

  it.each([
    ['1990-03-16', 'ok'],
    ['1990-03-15', 'no'],
    ['1992-02-29', 'ok'],
    ['2008-03-16', 'ok'],
    ['2008-03-17', 'no'],
    ['', 'warn'],
  ])('born %s between bounds that count themselves: %s', (birthday, result) =>
    expect(resultOf({ bornFrom: '1990-03-16', bornTo: '2008-03-16' }, { birthday })).toBe(result),
  )

  it('name the bound (scenario 10)', () => {
    const checks = only({ bornFrom: '1990-03-16' }, { birthday: '1988-11-20' })
    expect(checks).toEqual([
      {
        rule: 'born',
        result: 'no',
        need: { zh: '1990-03-16 起', en: '1990-03-16 or later' },
        got: { zh: '1988-11-20', en: '1988-11-20' },
        blocking: true,
      },
    ])
    expect(blockingChecks(checks)).toEqual(checks)
    expect(checks.map(conditionMessage)).toEqual([
      { zh: '出生日期：要求 1990-03-16 起，您填写的是 1988-11-20', en: 'Birth date: 1990-03-16 or later is required, you gave 1988-11-20' },
    ])
  })

  it.each([
    [1, '1', 'ok'],
    [1, '2', 'no'],
    [2, '2', 'ok'],
    [2, undefined, 'warn'],
  ] as const)('sex %s against %s: %s', (sex, answer, result) => expect(resultOf({ sex }, { sex: answer })).toBe(result))

  it.each([
    ['30', '20', '3', 'ok'],
    ['30', '30', '4', 'ok'],
    ['30', '40', '4', 'no'],
    ['20', '10', '2', 'ok'],
    ['60', '40', '4', 'ok'],
    ['40', '60', '4', 'no'],
    ['10', '20', '3', 'no'],
    ['11', '10', '2', 'no'],
    ['11', '10', '1', 'ok'],
    ['11', '11', '1', 'ok'],
    ['20', '21', '3', 'ok'],
    ['20', '', '', 'warn'],
    ['20', '99', '', 'no'],
  ])('education at least %s, has %s with degree %s: %s', (min, education, degree, result) =>
    expect(resultOf({ educations: { min } }, { education, degree })).toBe(result),
  )

  it('education and degree may be lists or minima', () => {
    expect(resultOf({ educations: ['20', '30'] }, { education: '10' })).toBe('no')
    expect(resultOf({ educations: ['20', '30'] }, { education: '30' })).toBe('ok')
    expect(resultOf({ degrees: { min: '3' } }, { degree: '1' })).toBe('ok')
    expect(resultOf({ degrees: { min: '3' } }, { degree: '4' })).toBe('no')
    expect(resultOf({ degrees: ['2'] }, { degree: '1' })).toBe('no')
    expect(only({ degrees: { min: '1' } }, { degree: '2' })[0]?.need).toEqual({ zh: '博士', en: 'Doctor' })
    expect(only({ educations: { min: '20' } }, { education: '20' })[0]?.need).toEqual({ zh: '本科及以上', en: 'Undergraduate or higher' })
  })

  const majors = [{ code: '100201K', name: '临床医学', level: '本科' }]

  it.each([
    [{ majorCode: '100201K', major: '' }, 'ok'],
    [{ majorCode: '100201k', major: '别的' }, 'ok'],
    [{ major: ' 临床医学 ' }, 'ok'],
    [{ majorCode: '100201', major: '内科学' }, 'warn'],
    [{ major: '护理学' }, 'warn'],
    [{}, 'warn'],
  ])('major %j: %s, and it never blocks', (answers, result) => {
    const checks = only({ majors }, answers)
    expect(checks.map(check => check.result)).toEqual([result])
    expect(blockingChecks(checks)).toEqual([])
  })

  it.each([
    ['2026-06-30', false, 1],
    ['2025-07-01', false, 3],
    ['2024-06-30', false, 3],
    ['2023-07-01', false, 2],
    ['2026-06-30', true, 2],
    ['2027-06-30', false, undefined],
    ['', false, undefined],
  ])('two-year rule: graduated %s, work unit %s → %s', (date, works, expected) => expect(freshOf(date, 2026, works)).toBe(expected))

  it.each([
    [1, { graduateDate: '2024-06-30' }, 'ok'],
    [1, { graduateDate: '2023-07-01' }, 'no'],
    [1, { graduateDate: '2025-06-30', workUnit: '某医院' }, 'no'],
    [1, { graduateDate: '2027-06-30' }, 'no'],
    [1, {}, 'warn'],
    [2, { graduateDate: '2020-06-30' }, 'ok'],
    [2, { graduateDate: '2026-06-30' }, 'no'],
    [0, { graduateDate: '2020-06-30', fresh: '1' }, 'warn'],
    [0, { graduateDate: '2020-06-30', fresh: '2' }, undefined],
  ] as const)('fresh %s with %j: %s', (fresh, answers, result) => expect(resultOf({ fresh }, answers)).toBe(result))

  it('two answers that do not go together are not called a condition of the post', () => {
    const [check] = only({ fresh: 0 }, { graduateDate: '2020-06-30', fresh: '1' })
    expect(check && conditionMessage(check).zh).toBe('应届：要求 与毕业时间一致（往届），您填写的是 应届')
  })

  const worked = { graduateDate: '2025-06-30', workUnit: '某医院', firstWorkDate: '2026-03-20' }
  it.each<[string, Partial<GraduatePolicy>, Answers, string]>([
    ['graduates of the year alone', { freshYears: 0 }, { graduateDate: '2025-06-30' }, 'no'],
    ['graduates of the year', { freshYears: 0 }, { graduateDate: '2026-06-30' }, 'ok'],
    ['three years', { freshYears: 3 }, { graduateDate: '2023-06-30' }, 'ok'],
    ['work is not looked at', { freshEndsBy: 0 }, { graduateDate: '2025-06-30', workUnit: '某医院', insured: '1' }, 'ok'],
    ['work ends it', {}, { graduateDate: '2025-06-30', workUnit: '某医院' }, 'no'],
    ['insurance does not', {}, { graduateDate: '2025-06-30', insured: '1' }, 'ok'],
    ['insurance ends it too', { freshEndsBy: 2 }, { graduateDate: '2025-06-30', insured: '1' }, 'no'],
    ['work after the first day of sign-up', {}, worked, 'ok'],
    ['work up to a day that is said', { freshDay: '2026-03-20' }, worked, 'no'],
    ['residency training', { freshYears: 0 }, { graduateDate: '2020-06-30', residency: '1' }, 'warn'],
    ['residency training where it counts for nothing', { residencyFresh: false }, { graduateDate: '2020-06-30', residency: '1' }, 'no'],
  ])('an examination says who is a fresh graduate: %s', (_, policy, answers, result) =>
    expect(resultOf({ fresh: 1 }, answers, { policy: { ...usualPolicy, ...policy } })).toBe(result),
  )

  it('a bachelor with residency training meets a master’s minimum where the examination says so: a person decides', () => {
    const results = (residencyMaster: boolean) =>
      only(
        { educations: { min: '10' }, degrees: { min: '2' } },
        { education: '20', degree: '3', residency: '1' },
        { policy: { ...usualPolicy, residencyMaster } },
      ).map(check => check.result)
    expect([results(true), results(false)]).toEqual([
      ['warn', 'warn'],
      ['no', 'no'],
    ])
  })

  it('a message belongs to the answer at fault: the stated kind of graduate where that contradicts the date', () => {
    const fieldOf = (fresh: 0 | 2, answers: Answers) => only({ fresh }, answers).map(fieldOfCheck)
    expect(fieldOf(0, { graduateDate: '2020-06-30', fresh: '1' })).toEqual(['fresh'])
    expect(fieldOf(2, { graduateDate: '2026-06-30', fresh: '1' })).toEqual(['graduateDate'])
    const hukou = { text: '杭州市户籍', prefixes: ['3301'] }
    expect(only({ hukou }, { hukouAddress: '350203' }).map(fieldOfCheck)).toEqual(['hukouAddress'])
    expect(only({ hukou }, {}, { hukouRegion: '350203' }).map(fieldOfCheck)).toEqual(['signup.region'])
  })

  it.each([
    [{ political: ['01', '02'] }, { political: '02' }, 'ok'],
    [{ political: ['01'] }, { political: '13' }, 'no'],
    [{ cert: ['执业医师'] }, { certName: ['执业医师'] }, 'ok'],
    [{ cert: ['执业助理医师'] }, { certName: ['执业医师'] }, 'ok'],
    [{ cert: ['执业医师'] }, { certName: ['执业助理医师'] }, 'no'],
    [{ cert: ['执业医师'] }, { certName: '护士;执业医师' }, 'ok'],
    [{ cert: ['护士'] }, { certName: [], graduateDate: '2015-06-30' }, 'no'],
    [{ cert: ['护士'] }, { certName: [], graduateDate: '2026-06-30' }, 'warn'],
    [{ cert: ['护士'] }, {}, 'warn'],
    [{ title: { min: '中级' } }, { title: '副高' }, 'ok'],
    [{ title: { min: '中级' } }, { title: '初级(师)' }, 'no'],
    [{ title: { min: '中级' } }, { title: '' }, 'no'],
    [{ title: { min: '中级' } }, { title: '主治医师' }, 'warn'],
    [{ title: { min: '中级' } }, {}, 'warn'],
    [{ minWorkYears: 2 }, { firstWorkDate: '2024-03-16' }, 'ok'],
    [{ minWorkYears: 2 }, { firstWorkDate: '2024-03-17' }, 'no'],
    [{ minWorkYears: 2 }, { workYears: '3' }, 'ok'],
    [{ minWorkYears: 2 }, {}, 'warn'],
    [{ unit: 'H01', unitName: '某区人民医院' }, { relatives: [{ name: '王五', unit: '某区人民医院' }] }, 'warn'],
    [{ unit: 'H01' }, { hasRelative: '1' }, 'warn'],
    [{ unit: 'H01' }, { hasRelative: '0', relatives: [{ unit: 'H02' }] }, undefined],
  ] as [Partial<PostConditions>, Answers, string | undefined][])('%j with %j: %s', (post, answers, result) =>
    expect(resultOf(post, answers)).toBe(result),
  )

  it('name certificates as their dictionary does', () => {
    const labels: Readonly<Record<string, string>> = { 护士: 'Nurse', 执业药师: 'Licensed pharmacist' }
    const labelOf = (code: string, key: string) => (code === 'cert' && labels[key] ? { zh: key, en: labels[key] } : undefined)
    const [check] = only({ cert: ['护士', '护师'] }, { certName: ['执业药师'] }, { labelOf })
    expect([check?.need, check?.got]).toEqual([
      { zh: '护士、护师', en: 'Nurse, 护师' },
      { zh: '执业药师', en: 'Licensed pharmacist' },
    ])
  })

  it('judge the household by region codes, and leave free text to a person', () => {
    const hukou = { text: '本市户籍', prefixes: ['3301'] }
    expect(resultOf({ hukou }, {}, { hukouRegion: '330106' })).toBe('ok')
    expect(resultOf({ hukou }, { hukouAddress: '320102' })).toBe('no')
    expect(resultOf({ hukou }, { hukouAddress: '文三路' })).toBe('warn')
    const free = only({ hukou: { text: '本区户籍或本区生源', prefixes: [] } }, {}, { hukouRegion: '330106' })
    expect(free.map(check => [check.result, check.blocking])).toEqual([['warn', false]])
  })

  it('sum up: red before amber before green', () => {
    const amber = only({ majors }, { major: '护理学' })
    const red = only({ sex: 1, majors }, { sex: '2', major: '护理学' })
    expect(overallResult(amber)).toBe('warn')
    expect(overallResult(red)).toBe('no')
  })

  it('use the labels of the dictionary when there are any', () => {
    const labelOf = (dict: string, key: string) => (dict === 'political' && key === '01' ? { zh: '中共党员', en: 'CPC member' } : undefined)
    expect(only({ political: ['01'] }, { political: '13' }, { labelOf })[0]).toMatchObject({
      need: { zh: '中共党员', en: 'CPC member' },
      got: { zh: '13', en: '13' },
    })
  })

  it.each([
    ['2024-03-16', '2026-03-16', 2],
    ['2024-03-17', '2026-03-16', 1],
    ['2024-03', '2026-03-01', 2],
  ])('years from %s to %s: %d', (from, to, years) => expect(yearsBetween(from, to)).toBe(years))

  it('never throw and never block for an answer that is missing, whatever the form holds', () => {
    const post: PostConditions = {
      bornFrom: '1990-03-16',
      bornTo: '2008-03-16',
      sex: 1,
      educations: { min: '20' },
      degrees: { min: '3' },
      majors,
      majorText: '',
      fresh: 1,
      political: ['01'],
      hukou: { text: '本市户籍', prefixes: ['3301'] },
      cert: ['护士'],
      title: { min: '中级' },
      minWorkYears: 2,
    }
    const keys = [
      'birthday',
      'sex',
      'education',
      'degree',
      'major',
      'graduateDate',
      'political',
      'certName',
      'title',
      'firstWorkDate',
      'relatives',
    ]
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), fc.anything()), answers => {
        for (const check of evaluateConditions(post, answers, context)) {
          if (check.result === 'warn') expect(check.blocking && check.rule !== 'major').toBe(false)
        }
        expect(blockingChecks(evaluateConditions(post, {}, context))).toEqual([])
      }),
    )
  })
})

it('[S1.07] has no Chinese letter in the English text of a check', () => {
  const post: PostConditions = {
    ...{
      bornFrom: '1990-03-16',
      bornTo: null,
      sex: 1,
      educations: { min: '20' },
      degrees: { min: '3' },
      majors: [],
      majorText: '',
      fresh: 1,
    },
    ...{ political: ['01'], hukou: { text: '110108', prefixes: ['110108'] }, cert: ['护士'], title: { min: '中级' }, minWorkYears: 3 },
  }
  const context = {
    ...{ examYear: 2026, onDay: '2026-03-16', policy: usualPolicy },
    labelOf: (code: string, key: string) => (code === 'title' ? undefined : { zh: `${code}${key}`, en: `An entry of ${code}` }),
    placeName: (code: string) => ({ zh: code, en: code }),
  }
  const said = {
    title: '初级(师)',
    certName: '护士',
    hasRelative: '1',
    birthday: '1988-11-20',
    sex: '2',
    education: '30',
    degree: '4',
    political: '13',
  }
  for (const answers of [{}, said, { title: '无', workYears: '2', graduateDate: '2020-07-01' }]) {
    const checks = evaluateConditions(post, answers, context)
    expect(checks.map(({ rule }) => rule)).toContain('title')
    expect(checks.filter(check => /[\u4e00-\u9fff]/.test(check.need.en + check.got.en + checkLabel(check).en))).toEqual([])
  }
})
