import { expect, it } from 'vitest'
import { type ConditionCheck, type PostConditions, usualPolicy } from '#contract/signup/conditions.ts'
import { conditionTexts, matchOf } from './post-view.ts'

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
const labels: Record<string, { zh: string; en: string }> = {
  'degree 3': { zh: '学士', en: 'Bachelor' },
  'education 20': { zh: '本科', en: 'Undergraduate' },
  'political 01': { zh: '中共党员', en: 'CPC member' },
  'political 02': { zh: '中共预备党员', en: 'CPC probationary member' },
}
const words = (post: Partial<PostConditions> & { readonly ageText?: string }, policy = usualPolicy) =>
  conditionTexts({ ...open, ...post }, policy, (code, key) => labels[`${code} ${key}`])

it('says every condition in words, and 不限 where there is none', () => {
  expect(words({})).toMatchObject({
    sexText: { zh: '不限', en: 'Any' },
    educationText: { zh: '不限' },
    majorText: { zh: '不限' },
    workYearsText: { zh: '' },
  })
  expect(words({ educations: { min: '20' } }).educationText).toEqual({ zh: '本科及以上', en: 'Undergraduate or higher' })
  expect(words({ educations: { min: '11' } }).educationText).toEqual({ zh: '博士研究生及以上', en: 'Doctoral graduate or higher' })
  // Education and degree have one name in English: beside each other they say which is which.
  expect(words({ degrees: { min: '3' } }).degreeText).toEqual({ zh: '学士及以上', en: 'Bachelor’s degree or higher' })
  expect(words({ political: ['01', '02'] }).politicalText).toEqual({
    zh: '中共党员、中共预备党员',
    en: 'CPC member, CPC probationary member',
  })
  expect(words({ majors: [{ code: '100201K', name: '临床医学', level: '本科' }] }).majorText.zh).toBe('临床医学')
  expect(words({ hukou: { text: '本区户籍', prefixes: [] }, minWorkYears: 2 })).toMatchObject({
    hukouText: { zh: '本区户籍' },
    workYearsText: { zh: '2 年及以上' },
  })
})

it('says whom an examination treats as a fresh graduate', () => {
  const said = (freshYears: number) => words({ fresh: 1 }, { ...usualPolicy, freshYears }).freshText.zh
  expect([0, 2, 3].map(said)).toEqual(['应届(限当年毕业)', '应届(含择业期内)', '应届(含毕业 3 年内)'])
})

it('fits as well as the worst of the checks, where only a blocking one says no', () => {
  const check = (result: ConditionCheck['result'], blocking = true) =>
    ({ rule: 'sex', result, need: { zh: '', en: '' }, got: { zh: '', en: '' }, blocking }) as const
  expect(matchOf([])).toBe('ok')
  expect(matchOf([check('ok'), check('warn')])).toBe('warn')
  expect(matchOf([check('no', false)])).toBe('warn')
  expect(matchOf([check('warn'), check('no')])).toBe('no')
})

it('[S1.07] says the condition of age in both languages', () => {
  expect(words({ ageText: '35周岁以下(1990年3月16日以后出生)', bornFrom: '1990-03-16' }).ageText).toEqual({
    zh: '35周岁以下(1990年3月16日以后出生)',
    en: '35 years or younger; born 1990-03-16 or later',
  })
  expect(words({ ageText: '18周岁以上、40周岁（含）以下' }).ageText.en).toBe('18 years or older, 40 years or younger')
  expect(words({ ageText: '1985年1月1日以后出生' }).ageText.en).toBe('Born 1985-01-01 or later')
  expect(words({ bornFrom: '1990-03-16', bornTo: '2008-03-16' }).ageText).toEqual({
    zh: '1990-03-16 至 2008-03-16出生',
    en: 'Born 1990-03-16 to 2008-03-16',
  })
  expect(words({}).ageText).toEqual({ zh: '', en: '' })
})

it('[S1.07] has no Chinese letter in the English text of any condition', () => {
  const every: PostConditions & { readonly ageText: string } = {
    ...{
      ageText: '35周岁以下',
      bornFrom: '1990-03-16',
      bornTo: null,
      sex: 1,
      educations: ['20'],
      degrees: { min: '3' },
      majors: [],
      majorText: '',
    },
    ...{
      fresh: 1,
      political: ['01'],
      hukou: { text: '110108', prefixes: ['110108'] },
      cert: ['护士'],
      title: { min: '中级' },
      minWorkYears: 3,
    },
  }
  const named = (code: string, key: string) => ({ zh: `${code}${key}`, en: `An entry of ${code}` })
  const kinds = [
    every,
    { ...every, sex: 2, educations: { min: '11' }, degrees: ['3'], fresh: 2, bornFrom: null, bornTo: '2008-01-01' },
    open,
  ] as const
  for (const post of kinds)
    for (const freshYears of [0, 2, 3]) {
      const texts = conditionTexts(post, { ...usualPolicy, freshYears }, named)
      expect(Object.entries(texts).filter(([, { en }]) => /[\u4e00-\u9fff]/.test(en))).toEqual([])
      expect(Object.keys(texts)).toHaveLength(11)
    }
})
