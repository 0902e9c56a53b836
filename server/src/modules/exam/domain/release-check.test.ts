import { describe, expect, it } from 'vitest'
import { parseInstant } from '#contract/exam/window.ts'
import type { VisibleWhen } from '#contract/signup/content.ts'
import {
  newProblems,
  overlappingPapers,
  type PaperFacts,
  type PostFacts,
  pastProblems,
  type ReleaseFacts,
  releaseProblems,
  releaseWarnings,
} from './release-check.ts'

const at = (text: string): number => {
  const instant = parseInstant(`2026-${text}`)
  if (instant === undefined) throw new Error(text)
  return instant
}
const paper = (itemCode: string, from: string, to: string, typeCodes: string[] = []): PaperFacts => ({
  itemCode,
  itemName: `科目${itemCode}`,
  itemType: 1,
  startTime: at(`03-28 ${from}:00`),
  endTime: at(`03-28 ${to}:00`),
  typeCodes,
  feeFen: 0,
})
const post = (code: string, itemCodes: string[] = [], feeFen = 0): PostFacts => ({ code, itemCodes, feeFen })
const item = (itemKey: string, required = 1, visibleWhen: VisibleWhen | null = null) => ({
  ...{ itemKey, itemLabel: itemKey, itemLabelEn: '' },
  ...{ required, visibleWhen },
})
const file = (fileKey: string, kind: number, visibleWhen: VisibleWhen | null = null, more: { required?: number; stage?: number } = {}) => ({
  ...{ fileKey, fileLabel: fileKey, fileLabelEn: '' },
  ...{ kind, visibleWhen, required: 1, stage: 1 },
  ...more,
})
const ready: ReleaseFacts = {
  examName: '2026年招聘',
  year: 2026,
  description: '',
  examType: 1,
  organizer: '区卫生健康局',
  contactPhone: '0571-88880000',
  promise: '本人承诺',
  feeMode: 0,
  ratioBasis: 1,
  feeFen: 0,
  windows: {
    signBegin: at('03-16 09:00:00'),
    signEnd: at('03-20 17:00:00'),
    modifyEnd: null,
    examineBegin: null,
    examineEnd: at('03-21 17:00:00'),
    appealEnd: null,
    payBegin: null,
    payEnd: null,
    adjustBegin: null,
    adjustEnd: null,
    ticketBegin: at('03-25 09:00:00'),
    ticketEnd: at('03-28 09:00:00'),
    msTicketBegin: null,
    msTicketEnd: null,
    scoreBegin: null,
  },
  papers: [paper('01', '09:00', '10:30')],
  posts: [post('A001')],
  items: [item('name'), item('idCard'), item('phone')],
  files: [file('photo', 1)],
}
const paths = (changes: Partial<ReleaseFacts>) => releaseProblems({ ...ready, ...changes }).map(problem => problem.path)

describe('release check list', () => {
  it('is empty for an examination that lacks nothing', () => {
    expect(releaseProblems(ready)).toEqual([])
    expect(releaseWarnings(ready)).toEqual([])
  })

  it('[19.13] wants the photo required at sign-up and always asked for', () => {
    const when: VisibleWhen = { key: 'name', op: 'notEmpty' }
    for (const weak of [file('face', 1, null, { required: 0 }), file('face', 1, null, { stage: 2 }), file('face', 1, when)])
      expect(paths({ files: [weak] })).toEqual(['signfiles.face'])
    expect(paths({ files: [file('face', 1, null, { required: 0 }), file('photo', 1)] })).toEqual([])
  })

  it('[19.13] tells what a change brought from what was wrong before', () => {
    const before = releaseProblems({ ...ready, items: [item('name'), item('idCard')] })
    const after = releaseProblems({ ...ready, items: [item('name', 0), item('idCard')], files: [] })
    expect(newProblems(before, after).map(problem => problem.path)).toEqual(['signitems.name', 'signfiles.photo'])
    expect(newProblems(after, before)).toEqual([])
  })

  it('names each missing part where it lies in the form', () => {
    expect(paths({ items: [item('name', 0), item('phone')] })).toEqual(['signitems.name', 'signitems.idCard'])
    expect(paths({ files: [file('diploma', 4)] })).toEqual(['signfiles.photo'])
    expect(paths({ windows: { ...ready.windows, examineEnd: null } })).toEqual(['examineEnd'])
    expect(paths({ windows: { ...ready.windows, examineEnd: at('03-20 16:59:59') } })).toEqual(['examineEnd'])
    expect(paths({ posts: [post('A001', ['99'])] })).toEqual(['posts.A001'])
    // One sentence for one missing paper, however many posts name it.
    const many = Array.from({ length: 120 }, (_, at) => post(`P${at}`, ['99']))
    expect(releaseProblems({ ...ready, posts: many }).map(({ message }) => message.zh)).toEqual([
      '科目 99 不存在，但被 120 个岗位使用（P0 等）',
    ])
    expect(
      paths({
        items: [...ready.items, item('relativeInfo', 1, { key: 'hasRelative', op: 'eq', value: '1' })],
      }),
    ).toEqual(['signitems.relativeInfo'])
  })

  it('wants amounts that fit the fee mode, and a payment window', () => {
    const pay = { ...ready.windows, payBegin: at('03-16 09:00:00'), payEnd: at('03-22 17:00:00') }
    expect(paths({ feeMode: 1 })).toEqual(['payBegin', 'feeFen'])
    expect(paths({ ratioBasis: 2 })).toEqual(['ratioBasis'])
    expect(paths({ feeMode: 1, feeFen: 10_000, ratioBasis: 2, windows: pay })).toEqual([])
    expect(paths({ feeMode: 1, feeFen: 10_000, windows: pay })).toEqual([])
    expect(paths({ feeMode: 2, windows: pay })).toEqual(['examitems'])
    expect(paths({ feeMode: 3, windows: pay })).toEqual(['posts'])
    expect(paths({ feeMode: 3, windows: pay, posts: [post('A001', [], 100), post('A002')] })).toEqual([])
  })

  it('only warns of a short sign-up for regulated recruitment', () => {
    const windows = { ...ready.windows, signBegin: at('03-19 09:00:00') }
    expect(releaseWarnings({ ...ready, windows }).map(warning => warning.field)).toEqual(['signEnd'])
    expect(releaseWarnings({ ...ready, windows, examType: 2 })).toEqual([])
    const noTickets = { ...ready, windows: { ...ready.windows, ticketBegin: null, ticketEnd: null } }
    expect(releaseWarnings(noTickets).map(warning => warning.message.zh)).toEqual(['没有设置准考证下载时间，考生下载不到准考证'])
    const priced = (...fees: number[]) => ({ ...ready, feeMode: 3, posts: fees.map((fee, at) => post(`A00${at + 1}`, [], fee)) })
    expect(releaseWarnings(priced(5_000, 0, 0)).map(warning => warning.message.zh)).toEqual(['2 个岗位不收费（费用为 0）：A002、A003'])
    expect([releaseWarnings(priced(5_000, 4_000)), releaseWarnings({ ...priced(5_000, 0), feeMode: 1 })]).toEqual([[], []])
    expect(releaseWarnings({ ...noTickets, papers: [] }).map(warning => warning.field)).toEqual(['examitems'])
    expect(releaseProblems({ ...ready, windows })).toEqual([])
  })
})

describe('papers at the same time', () => {
  const [morning, clash, later] = [paper('01', '09:00', '10:30'), paper('11', '10:29', '12:00'), paper('12', '10:30', '12:00')]
  it('clash only when one candidate sits both; touching ends do not overlap', () => {
    expect(overlappingPapers([morning, clash, later], [post('A001')]).map(pair => pair.map(one => one.itemCode))).toEqual([
      ['01', '11'],
      ['11', '12'],
    ])
    expect(overlappingPapers([morning, later], [post('A001')])).toEqual([])
    expect(overlappingPapers([morning, clash], [post('A001', ['01']), post('B001', ['11'])])).toEqual([])
    expect(overlappingPapers([morning, paper('11', '10:29', '12:00', ['B001'])], [post('A001')])).toEqual([])
    expect(overlappingPapers([morning, clash], [])).toEqual([])
  })

  it('finds conditions that would never let anything be asked for', () => {
    const when = (key: string, condition: VisibleWhen) => item(key, 0, condition)
    const texts = (items: ReleaseFacts['items'], files: ReleaseFacts['files'] = []) =>
      releaseProblems({ ...ready, items: [...ready.items, ...items], files: [...ready.files, ...files] }).map(
        ({ path, message }) => `${path} ${message.zh}`,
      )
    expect(texts([when('a', { key: 'name', op: 'notEmpty' }), when('b', { key: 'a', op: 'in', value: ['1', ''] })])).toEqual([])
    expect(
      texts(
        [when('a', { key: 'name', op: 'eq', value: '' }), when('b', { key: 'name', op: 'in', value: [''] })],
        [file('licence', 7, { key: 'name', op: 'ne' })],
      ),
    ).toEqual([
      'signitems.a “a”的显示条件没有填写条件的值',
      'signitems.b “b”的显示条件没有填写条件的值',
      'signfiles.licence “licence”的显示条件没有填写条件的值',
    ])
    const circle = (key: string): VisibleWhen => ({ key, op: 'eq', value: '1' })
    // `d` waits for a circle without being part of it.
    expect(texts([when('a', circle('b')), when('b', circle('c')), when('c', circle('a')), when('d', circle('a'))])).toEqual(
      ['a', 'b', 'c'].map(key => `signitems.${key} “${key}”的显示条件绕回自身，永远不会显示`),
    )
    expect(texts([when('a', circle('a'))])).toEqual(['signitems.a “a”的显示条件绕回自身，永远不会显示'])
    const hidden = ready.items.map(one => (one.itemKey === 'phone' ? { ...one, visibleWhen: circle('name') } : one))
    expect(releaseProblems({ ...ready, items: hidden }).map(({ message }) => message.zh)).toEqual(['“手机号”须总是显示，请去掉显示条件'])
  })
})

describe('an examination that was copied', () => {
  const zh = (list: readonly { readonly message: { readonly zh: string } }[]) => list.map(({ message }) => message.zh)
  it('is not released under the name of a copy', () => {
    expect(zh(releaseProblems({ ...ready, examName: '2026年招聘（副本）' }))).toEqual(['考试名称仍带有“（副本）”'])
    expect(zh(releaseProblems({ ...ready, examName: '2026 Recruitment (copy)' }))).toEqual(['考试名称仍带有“(copy)”'])
  })
  it('names what lies in the past: the end of the sign-up, and papers', () => {
    const papers = ['01', '02', '03', '04'].map(code => paper(code, '09:00', '11:00'))
    const facts = { windows: { ...ready.windows, signEnd: at('03-20 17:00:00') }, papers }
    expect(pastProblems(facts, at('03-01 09:00:00'))).toEqual([])
    expect(zh(pastProblems(facts, at('04-01 09:00:00')))).toEqual(['报名结束时间已过', '4 个科目的时间已过：科目01、科目02、科目03等'])
  })
  it('is warned about an earlier year in its texts', () => {
    expect(zh(releaseWarnings({ ...ready, examType: 9, description: '<p>2025年招聘简章</p>' }))).toContain('考试说明中写着 2025 年')
  })
})
