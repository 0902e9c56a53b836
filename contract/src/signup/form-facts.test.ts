import { describe, expect, it } from 'vitest'
import { demandsOf, evaluateConditions, type PostConditions, usualPolicy } from './conditions.ts'
import type { SignItem } from './content.ts'
import { demandProblems, doubtsOf, type FactContext, type KindOfFile, orderProblems, withProof } from './form-facts.ts'
import { judgePhoto } from './photo.ts'
import { regionKey } from './region.ts'

const item = (itemKey: string, fieldType: SignItem['fieldType'], itemLabel: string, more: Partial<SignItem> = {}): SignItem => ({
  ...{ itemKey, fieldType, itemLabel },
  ...more,
})
const same = (text: string) => ({ zh: text, en: text })
const items: readonly SignItem[] = [
  item('birthday', 'date', '出生日期'),
  item('school', 'school', '毕业院校'),
  item('graduateDate', 'date', '毕业时间'),
  item('certName', 'checkbox', '执业资格'),
  item('title', 'select', '职称'),
  item('titleDate', 'date', '职称取得时间'),
  item('firstWorkDate', 'date', '参加工作时间'),
  item('resume', 'table', '个人简历', {
    columns: [
      { key: 'begin', label: '起始年月', labelEn: 'From', fieldType: 'month' },
      { key: 'end', label: '结束年月', labelEn: 'To', fieldType: 'month' },
    ],
  }),
]
const signFiles: readonly KindOfFile[] = [
  { fileKey: 'licence', fileLabel: '执业(资格)证', fileLabelEn: 'Licence', kind: 7 },
  { fileKey: 'titleCert', fileLabel: '职称证', kind: 8 },
]
const context: FactContext = {
  ...{ today: '2026-03-16', items, signFiles, uploaded: new Set<string>() },
  isKnownSchool: name => name === '新疆医科大学',
}
const doubts = (answers: Record<string, unknown>, more: Partial<FactContext> = {}) =>
  doubtsOf(answers, { ...context, ...more }).map(({ rule, field, need, got, result, blocking }) => [
    rule,
    field ?? '',
    need.zh,
    got.zh,
    result,
    blocking,
  ])

describe('[19.5] what answers say against each other', () => {
  it('tells a licence or a title without its document, and is content once it is there', () => {
    expect(doubts({ certName: ['护士'], title: '中级' })).toEqual([
      ['evidence', 'file:licence', '上传执业(资格)证', '未上传', 'warn', false],
      ['evidence', 'file:titleCert', '上传职称证', '未上传', 'warn', false],
    ])
    expect(doubts({ certName: ['护士'], title: '中级' }, { uploaded: new Set(['licence', 'titleCert']) })).toEqual([])
    expect(doubts({ certName: ['护士'] }, { signFiles: [] })).toEqual([])
    expect(doubts({ certName: [], title: '' })).toEqual([])
  })

  it('counts a condition as met only with the document behind it, where the form takes one', () => {
    const met = (rule: 'cert' | 'education' | 'sex') => ({
      rule,
      result: 'ok' as const,
      need: same('本科'),
      got: same('本科'),
      blocking: true,
    })
    const diploma = { fileKey: 'diploma', fileLabel: '学历证书', kind: 4, fileLabelEn: 'Diploma' }
    const more = { ...context, signFiles: [...signFiles, diploma, { ...diploma, fileKey: 'record', kind: 6 }] }
    const results = (uploaded: readonly string[]) =>
      withProof([met('cert'), met('education'), met('sex')], {}, { ...more, uploaded: new Set(uploaded) }).map(check => check.result)
    expect([results([]), results(['licence']), results(['record'])]).toEqual([
      ['warn', 'warn', 'ok'],
      ['ok', 'warn', 'ok'],
      ['warn', 'ok', 'ok'],
    ])
    expect(withProof([met('education')], {}, { ...more, uploaded: new Set() })).toEqual([
      {
        ...met('education'),
        ...{
          result: 'warn',
          got: { zh: '本科（未上传学历证书）', en: '本科 (not uploaded: Diploma)' },
          blocking: false,
          field: 'file:diploma',
        },
      },
    ])
    // What is found in the region of the sign-up stays there.
    const [placed] = withProof([{ ...met('education'), field: regionKey }], {}, { ...more, uploaded: new Set() })
    expect(placed?.field).toBe(regionKey)
    expect(withProof([met('education')], {}, context).map(check => check.result)).toEqual(['ok'])
  })

  it.each([
    ['2026-03-17', 1],
    ['2026-07', 1],
    ['2026-03-16', 0],
    ['2026-03', 0],
    ['2018-06-30', 0],
  ])('graduation on %s is told as in the future: %i', (graduateDate, count) => {
    expect(doubts({ graduateDate }).map(([rule, , , got]) => [rule, got])).toEqual(Array(count).fill(['graduation', graduateDate]))
  })

  it.each([
    ['2000-05-01', '2016-04-30', ['15 周岁（2016-04-30）']],
    ['2000-05-01', '2016-05-01', []],
    ['2000-05-01', '2016-05', []],
    ['2000-05-31', '2015-12', ['15 周岁（2015-12）']],
    ['', '2015-12', []],
  ])('born %s, at work since %s', (birthday, firstWorkDate, got) => {
    expect(doubts({ birthday, firstWorkDate }).map(one => one[3])).toEqual(got)
  })

  it('tells a school that no list has, by the field it stands in', () => {
    expect(doubts({ school: '火星医学院' }).map(([rule, field, , got]) => [rule, field, got])).toEqual([['school', 'school', '火星医学院']])
    expect(doubts({ school: '新疆医科大学' })).toEqual([])
  })

  it('[19.6] hands on to the reviewer what a machine cannot judge of the photo', () => {
    const findings = judgePhoto(null, [
      { rule: 'ground', ok: false, got: 'grey 80 %' },
      { rule: 'brightness', ok: true, got: 'mean 120, spread 40' },
    ])
    expect(doubts({}, { photo: { fileKey: 'photo', findings } })).toEqual([
      ['photo', 'file:photo', '白色或蓝色背景，人像清晰', '背景不像是单一的白色或蓝色，由审核人员判断', 'warn', false],
    ])
  })

  it('names rows that end before they begin, and dates before the birth', () => {
    const resume = [
      { begin: '2018-09', end: '2018-08' },
      { begin: '2018-09', end: '2018-09' },
      { begin: '2018-09', end: '' },
    ]
    expect(
      orderProblems(items, { resume, birthday: '2000-05-01', graduateDate: '1999-06-30', titleDate: '2016-05-01' }, '2026-03-17'),
    ).toEqual([
      {
        ...{ key: 'graduateDate', path: 'graduateDate', reason: 'order' },
        message: { zh: '毕业时间早于出生日期', en: '毕业时间 is before the birth date' },
      },
      {
        ...{ key: 'resume', path: 'resume.0.end', reason: 'order' },
        message: { zh: '第 1 行：个人简历·结束年月早于起始年月', en: 'Row 1: 个人简历·To is before From' },
      },
    ])
  })

  it('refuses dates that nobody can have: a diploma at four, a first job ahead', () => {
    const found = orderProblems(items, { birthday: '2000-05-01', graduateDate: '2004-06-30', titleDate: '2030-01-01' }, '2026-03-17')
    expect(found.map(({ key, message }) => [key, message.zh])).toEqual([
      ['graduateDate', '毕业时间不能早于年满 15 周岁'],
      ['titleDate', '取得职称时间不能晚于今天'],
    ])
  })
})

const open: PostConditions = {
  ...{ bornFrom: null, bornTo: null, sex: 0, educations: null, degrees: null, majors: [], majorText: '', fresh: 0, political: [] },
  ...{ hukou: null, cert: [], title: null, minWorkYears: null },
}
const demanded = (post: Partial<PostConditions>, answers: Record<string, unknown>, more: Partial<FactContext> = {}, region?: string) => {
  const year = { examYear: 2026, onDay: '2026-03-16', policy: usualPolicy, ...(region === undefined ? {} : { hukouRegion: region }) }
  const demands = demandsOf(evaluateConditions({ ...open, ...post }, answers, year), answers, year)
  return demandProblems(demands, answers, { ...context, ...more }, region).map(one => [one.field, one.message.zh])
}

describe('[19.5] what a chosen post asks for is required', () => {
  it('every answer at once, each with what the post asks for', () => {
    expect(demanded({ minWorkYears: 3, title: { min: '中级' }, cert: ['护士'], fresh: 2 }, {})).toEqual([
      ['graduateDate', '请填写毕业时间：报考岗位要求 往届'],
      ['certName', '请填写执业资格：报考岗位要求 护士'],
      ['title', '请填写职称：报考岗位要求 中级及以上'],
      ['firstWorkDate', '请填写参加工作时间：报考岗位要求 3 年及以上'],
    ])
  })

  it('nothing that the form does not ask, nothing that is there, nothing of a post without conditions', () => {
    expect(demanded({ political: ['01'], minWorkYears: 3 }, { firstWorkDate: '2020-01-01' })).toEqual([])
    expect(demanded({}, {})).toEqual([])
  })

  it('a fresh graduate may bring the certificate later; whoever has it shows it', () => {
    expect(demanded({ cert: ['护士'] }, { graduateDate: '2026-06-30' })).toEqual([])
    expect(demanded({ cert: ['护士'] }, { graduateDate: '2018-06-30', certName: ['护士'] })).toEqual([
      ['file:licence', '请上传执业(资格)证：报考岗位对此有要求'],
    ])
  })

  it('the region of the first step where it means the household', () => {
    const hukou = { text: '本区户籍', prefixes: ['330106'] }
    expect(demanded({ hukou }, {}, {}, '')).toEqual([[regionKey, '请填写地区：报考岗位要求 本区户籍']])
    expect(demanded({ hukou }, {}, {}, '330106')).toEqual([])
  })
})
