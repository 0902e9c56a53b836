import { describe, expect, it } from 'vitest'
import { blockingChecks, type GraduatePolicy, isUnsaid, mayInsist, noTitle, usualPolicy } from './conditions.ts'
import { answersOfFacts, askedBeside, elsewhere, type Facts, factsInAnswers, fitOf, placeAmong, placesIn, reasonsOf } from './fit.ts'

type Post = Parameters<typeof fitOf>[0]
const open: Post = {
  ...{ bornFrom: null, bornTo: null, sex: 0, educations: null, degrees: null, majors: [], majorText: '', fresh: 0 },
  ...{ political: [], hukou: null, cert: [], title: null, minWorkYears: null, postState: 0, maxSign: 0, usedSign: 0, otherText: null },
}
const context = { examYear: 2026, onDay: '2026-03-16', policy: usualPolicy }
const judged = (post: Partial<Post>, facts: Facts) => fitOf({ ...open, ...post }, answersOfFacts(facts), context)
const short = (post: Partial<Post>, facts: Facts) => {
  const { group, checks, mayInsist } = judged(post, facts)
  return [group, checks.map(check => `${check.rule} ${check.result}`).join(), mayInsist]
}
const clinical = { code: '100201K', name: '临床医学', level: '本科' }

describe('[12.2] what somebody can apply for', () => {
  it.each<[string, Partial<Post>, Facts, unknown]>([
    ['no conditions', {}, {}, ['can', '', false]],
    ['born in the bounds', { bornFrom: '1990-03-16' }, { birthday: '1990-03-16' }, ['can', 'born ok', false]],
    ['born before them', { bornFrom: '1990-03-16' }, { birthday: '1990-03-15' }, ['cannot', 'born no', false]],
    ['birth date not said', { bornFrom: '1990-03-16' }, {}, ['person', 'born warn', false]],
    ['the other sex', { sex: 1 }, { sex: '2' }, ['cannot', 'sex no', false]],
    ['sex not said', { sex: 1 }, {}, ['person', 'sex warn', false]],
    ['enough education', { educations: { min: '20' } }, { education: '20' }, ['can', 'education ok', false]],
    ['too little', { educations: { min: '20' } }, { education: '30' }, ['cannot', 'education no', true]],
    ['a technician for a bachelor’s post', { educations: { min: '20' } }, { education: '28' }, ['can', 'education ok', false]],
    ['a technician on a list of groups', { educations: ['20'] }, { education: '28' }, ['can', 'education ok', false]],
    ['a senior worker for a college post', { educations: { min: '30' } }, { education: '38' }, ['can', 'education ok', false]],
    ['a senior worker for a bachelor’s post', { educations: { min: '20' } }, { education: '38' }, ['cannot', 'education no', true]],
    [
      'residency for a master’s post',
      { educations: { min: '10' } },
      { education: '20', residency: '1' },
      ['person', 'education warn', false],
    ],
    ['none of it', { educations: { min: '10' } }, { education: '20', residency: '0' }, ['cannot', 'education no', true]],
    ['college with residency', { educations: { min: '10' } }, { education: '30', residency: '1' }, ['cannot', 'education no', true]],
    ['residency for a master’s degree', { degrees: { min: '2' } }, { degree: '3', residency: '1' }, ['person', 'degree warn', false]],
    ['no degree', { degrees: { min: '3' } }, { degree: '4' }, ['cannot', 'degree no', true]],
    ['the major', { majors: [clinical] }, { major: '临床医学' }, ['can', 'major ok', false]],
    ['another major is for a person', { majors: [clinical] }, { major: '预防医学' }, ['person', 'major warn', false]],
    ['fresh', { fresh: 1 }, { graduateDate: '2026-06-30', employed: '0' }, ['can', 'fresh ok', false]],
    ['within two years', { fresh: 1 }, { graduateDate: '2024-06-30', employed: '0' }, ['can', 'fresh ok', false]],
    ['employed since', { fresh: 1 }, { graduateDate: '2026-06-30', employed: '1' }, ['cannot', 'fresh no', true]],
    [
      'employed with residency',
      { fresh: 1 },
      { graduateDate: '2020-06-30', employed: '1', residency: '1' },
      ['person', 'fresh warn', false],
    ],
    ['graduation not said', { fresh: 1 }, { employed: '0' }, ['person', 'fresh warn', false]],
    ['a past graduate is wanted', { fresh: 2 }, { graduateDate: '2026-06-30', employed: '0' }, ['cannot', 'fresh no', true]],
    ['the licence', { cert: ['护士'] }, { certName: ['护士', '技师'] }, ['can', 'cert ok', false]],
    ['the higher licence', { cert: ['执业助理医师'] }, { certName: ['执业医师'] }, ['can', 'cert ok', false]],
    ['no licence', { cert: ['护士'] }, { certName: [] }, ['cannot', 'cert no', true]],
    ['no licence yet', { cert: ['护士'] }, { certName: [], graduateDate: '2026-06-30', employed: '0' }, ['person', 'cert warn', false]],
    ['licence not said', { cert: ['护士'] }, {}, ['person', 'cert warn', false]],
    [
      'what is not asked',
      { political: ['01'], title: { min: '中级' }, minWorkYears: 2 },
      {},
      ['person', 'political warn,title warn,workYears warn', false],
    ],
    [
      'age and education',
      { bornFrom: '1990-03-16', educations: { min: '20' } },
      { birthday: '1980-01-01', education: '30' },
      ['cannot', 'born no,education no', false],
    ],
  ])('%s', (_, post, facts, expected) => expect(short(post, facts)).toEqual(expected))

  it.each([
    [{ postState: 2 }, 'cancelled'],
    [{ postState: 4 }, 'paused'],
    [{ maxSign: 5, usedSign: 5 }, 'full'],
  ])('a post that takes nobody is none that anybody can apply for: %o', (post, bar) =>
    expect(judged(post, {})).toMatchObject({ group: 'cannot', bar, mayInsist: false }),
  )

  it('[A7] what a machine finds goes to a person whom the candidate asks for, bounds of age and sex do not', () => {
    const checks = judged({ bornFrom: '1990-03-16', educations: { min: '20' } }, { birthday: '1980-01-01', education: '30' }).checks
    expect(blockingChecks(checks).map(check => [check.rule, mayInsist(check)])).toEqual([
      ['born', false],
      ['education', true],
    ])
    expect(blockingChecks(checks, true).map(check => check.rule)).toEqual(['born'])
  })
})

describe('[12.2] what beside the five questions is asked', () => {
  const hangzhou = { text: '330100;330206', prefixes: ['3301', '330206'] }
  const asks = (post: Partial<Post>, policy: Partial<GraduatePolicy> = {}) =>
    askedBeside([{ ...open, ...post }], { ...usualPolicy, ...policy })

  it.each<[string, Partial<Post>, Partial<GraduatePolicy>, string[]]>([
    ['nothing where no post asks', {}, {}, []],
    ['political status', { political: ['01'] }, {}, ['political']],
    ['a title and years', { title: { min: '中级' }, minWorkYears: 3 }, {}, ['title', 'workYears']],
    ['a place that codes tell', { hukou: hangzhou }, {}, ['hukouAddress']],
    ['no place that only words tell', { hukou: { text: '本区户籍', prefixes: [] } }, {}, []],
    ['residency for a post of fresh graduates', { fresh: 1 }, {}, ['residency']],
    ['insurance where it counts', { fresh: 1 }, { freshEndsBy: 2, residencyFresh: false }, ['insured']],
    ['residency for a master’s post', { degrees: { min: '2' } }, { residencyFresh: false }, ['residency']],
    [
      'no residency where it stands for nothing',
      { fresh: 1, degrees: { min: '2' } },
      { residencyFresh: false, residencyMaster: false },
      [],
    ],
  ])('%s', (_, post, policy, names) => expect(asks(post, policy)).toEqual(names))

  it('places are told apart as far as posts do', () => {
    const places = placesIn([
      { ...open, hukou: hangzhou },
      { ...open, hukou: { text: '330000', prefixes: ['33'] } },
    ])
    expect(places).toEqual(['330000', '330100', '330206'])
    expect(['330106', '330206', '331002', '110101'].map(code => placeAmong(places, code))).toEqual([
      '330100',
      '330206',
      '330000',
      elsewhere,
    ])
  })

  it.each<[string, Partial<Post>, Facts, unknown]>([
    ['the place', { hukou: hangzhou }, { hukouAddress: '330100' }, ['can', 'hukou ok', false]],
    ['another place', { hukou: hangzhou }, { hukouAddress: elsewhere }, ['cannot', 'hukou no', true]],
    ['the title', { title: { min: '中级' } }, { title: '副高' }, ['can', 'title ok', false]],
    ['no title', { title: { min: '中级' } }, { title: noTitle }, ['cannot', 'title no', true]],
    ['years', { minWorkYears: 3 }, { workYears: '3' }, ['can', 'workYears ok', false]],
    ['too few years', { minWorkYears: 3 }, { workYears: '2' }, ['cannot', 'workYears no', true]],
    ['political status', { political: ['01'] }, { political: '13' }, ['cannot', 'political no', true]],
  ])('%s decides', (_, post, facts, expected) => expect(short(post, facts)).toEqual(expected))

  it('a form says the same as the questions: handed in, a blank is none; begun, it says nothing', () => {
    const form = {
      certName: '护士;技师',
      title: '',
      workUnit: '',
      firstWorkDate: '2020-03-17',
      hukouAddress: '330106',
      education: '20',
      degree: 3,
    }
    const common = { certName: ['护士', '技师'], workYears: '5', hukouAddress: '330106', education: '20', degree: '3' }
    expect(factsInAnswers(form, '2026-03-16', true)).toEqual({ ...common, title: noTitle, employed: '0' })
    expect(factsInAnswers(form, '2026-03-16', false)).toEqual(common)
  })

  it('where something is against a post, nothing else is a reason', () => {
    const post = { sex: 1, title: { min: '中级' }, cert: ['护士'] } as const
    const { group, checks } = judged(post, { sex: '2' })
    expect([group, reasonsOf(group, checks).map(check => check.rule)]).toEqual(['cannot', ['sex']])
    const open = judged(post, { sex: '1', title: '中级' })
    expect(reasonsOf(open.group, open.checks).map(check => [check.rule, isUnsaid(check)])).toEqual([['cert', true]])
  })
})
