import { expect, it } from 'vitest'
import type { LibraryItem } from '../wire.ts'
import {
  changesOf,
  copyOf,
  isChanged,
  itemOf,
  merged,
  moved,
  newDraft,
  openFields,
  paperFindings,
  rebased,
  toBody,
  unsavable,
  windowFindings,
  withCommonForm,
  withValues,
} from './draft.ts'
import { isWorth } from './use-kept-draft.ts'

const name: LibraryItem = { id: '7', itemKey: 'name', itemLabel: '姓名', fieldType: 'text', status: 1 }
const draft = { ...newDraft(2026), values: { ...newDraft(2026).values, examName: ' 公开招聘 ', examCode: 'HZ2026', examNo: 3 } }

it('sends empty texts as empty, empty times as null, and numbers the form anew', () => {
  const body = toBody({ ...draft, signitems: [itemOf(name, '基本信息')] }) as Record<string, unknown>
  expect(body).toMatchObject({ examName: '公开招聘', organizer: '', contactPhone: '', signBegin: null, undertaker: null, feeFen: 0 })
  expect(body).not.toHaveProperty('id')
  expect(body.signitems).toMatchObject([{ itemsId: '7', itemKey: 'name', required: 1, groupName: '基本信息', sort: 10 }])
})

it('leaves out of rows that are there what their writer does not see; a new row has all of it', () => {
  const rows = [{ ...itemOf(name, '基本信息'), id: '70' }, itemOf({ ...name, itemKey: 'sex' }, '基本信息')]
  const body = toBody({ ...draft, signitems: rows }, field => field === 'signitems.itemLabel' || field === 'examitem.sort') as {
    signitems: Record<string, unknown>[]
  }
  expect(body.signitems.map(row => [row['id'], row['itemLabel'], row['sort']])).toEqual([
    ['70', undefined, 10],
    [undefined, '姓名', 20],
  ])
})

it('lets a draft wait for everything but its name, code and number', () => {
  expect(unsavable(newDraft(2026))).toEqual(['examName', 'examCode', 'examNo'])
  expect(unsavable(draft)).toEqual([])
  expect(unsavable({ ...draft, values: { ...draft.values, examCode: 'hz 1', payLimitMinutes: 3 } })).toEqual([
    'examCode',
    'payLimitMinutes',
  ])
})

it('tells windows that contradict each other', () => {
  const values = { ...draft.values, signBegin: '2026-12-10 09:00:00', signEnd: '2026-12-01 17:00:00', examineEnd: '2026-12-25 17:00:00' }
  expect(windowFindings({ ...draft, values }).problems.map(problem => problem.field)).toEqual(['signEnd'])
  expect(windowFindings(draft).problems).toEqual([])
  // An end before its beginning is told while the others are empty, and is not stored; the rest waits for the release.
  const half = { ...draft, values: { ...draft.values, payBegin: '2026-12-10 09:00:00', payEnd: '2026-12-10 09:00:00' } }
  expect(windowFindings(half).problems.map(problem => problem.field)).toEqual(['payEnd'])
  expect([unsavable(half), unsavable({ ...draft, values }), openFields(half)]).toEqual([
    ['payEnd'],
    ['signEnd'],
    ['contactPhone', 'organizer', 'promise', 'signBegin', 'signEnd', 'examineEnd'],
  ])
})

it('begins with the common fields and one portrait, as far as the libraries have them', () => {
  const photo = { id: '8', fileKey: 'photo', fileLabel: '证件照', kind: 1, accept: 'jpg', maxKb: 200, maxCount: 1 }
  const begun = withCommonForm(
    newDraft(2026),
    [{ ...name, id: '6', itemKey: 'hobby' }, name, { ...name, itemKey: 'phone', status: 0 }],
    [{ ...photo, kind: 2 }, photo, { ...photo, id: '9' }],
  )
  expect([begun.signitems.map(item => item.itemKey), begun.signfiles.map(file => [file.filesId, file.required])]).toEqual([
    ['name'],
    [['8', 1]],
  ])
})

it('brings back what was typed only where it says more than what was stored since', () => {
  const saved = { ...draft, id: '5', savedAt: '2026-11-26 10:00:00' }
  const typed = { ...saved, values: { ...saved.values, organizer: '甲' } }
  const kept = { draft: typed, base: saved, at: '2026-11-26 10:05:00' }
  expect([isWorth(kept, saved), isWorth(kept, typed), isWorth({ ...kept, at: '2026-11-26 09:59:00' }, saved)]).toEqual([true, false, false])
  // Times are of a second: what was typed in the second of the save may have come after it.
  expect(isWorth({ ...kept, at: '2026-11-26 10:00:00' }, saved)).toBe(true)
})

it('keeps what was typed while the draft was being saved', () => {
  const saved = { ...draft, id: '1', version: 4, signitems: [{ ...itemOf(name, ''), id: '70' }] }
  const typed = { ...draft, id: '1', version: 3, values: { ...draft.values, organizer: '卫健委' }, signitems: [itemOf(name, '')] }
  const next = rebased(typed, saved)
  expect([next.version, next.values.organizer, next.signitems[0]?.id]).toEqual([4, '卫健委', '70'])
  expect(isChanged(next, saved)).toBe(true)
})

it('moves an entry to the place of another', () => {
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
  expect(moved(['a', 'b'], 0, 5)).toEqual(['a', 'b'])
})

it('says of a paper what keeps it from being stored, and nothing while its times are missing', () => {
  const paper = {
    itemName: '综合基础知识',
    itemCode: '01',
    itemType: 1,
    startTime: '2026-12-20 11:00:00',
    endTime: '2026-12-20 12:30:00',
    reportTime: '2026-12-21 09:00:00',
    lateMinutes: 15,
    fullScore: '100',
    passScore: '200',
    weight: '100',
    feeFen: 0,
    seatGroup: null,
    tools: '',
    rules: '',
    sort: 10,
  }
  expect(paperFindings(paper).map(({ field }) => field)).toEqual(['reportTime', 'passScore'])
  expect(paperFindings({ ...paper, reportTime: null, passScore: '' })).toEqual([])
  expect(paperFindings({ ...paper, startTime: '' })).toEqual([])
})

it('puts what was typed on what another person has saved meanwhile', () => {
  const base = { ...draft, id: '5', version: 3 }
  const mine = { ...base, values: { ...base.values, organizer: '乙' }, signitems: [itemOf(name, '基本信息')] }
  const theirs = { ...base, version: 4, values: { ...base.values, organizer: '甲', contactPhone: '0000-1' } }
  expect(merged(mine, base, theirs)).toEqual({
    ...theirs,
    values: { ...theirs.values, organizer: '乙' },
    signitems: mine.signitems,
  })
})

it('puts what was typed of a new examination on what one begins with: name, code and phone too', () => {
  const begun = newDraft(2026)
  const typed = {
    ...begun,
    values: { ...begun.values, examName: '公开招聘', examCode: 'HZ2027', contactPhone: '0571-1', description: '说明' },
  }
  expect(merged(typed, begun, newDraft(2026))).toEqual(typed)
})

it('names what the other person has changed, and where the own word stays', () => {
  const base = { ...draft, id: '5', version: 3 }
  const mine = { ...base, values: { ...base.values, organizer: '乙', undertaker: '丙' } }
  const theirs = {
    ...base,
    version: 4,
    values: { ...base.values, organizer: '甲', contactPhone: '0000-1', managers: ['9'] },
    signitems: [itemOf(name, '基本信息')],
  }
  expect(changesOf(mine, base, theirs).map(({ label, isMine }) => [label.zh, isMine])).toEqual([
    ['咨询电话', false],
    ['主办单位', true],
    ['负责人', false],
    ['报名项', false],
  ])
  expect(changesOf(mine, base, { ...base, version: 4 })).toEqual([])
  const listed = (sort: number) => ({ ...base, signitems: [{ ...itemOf(name, '基本信息'), sort, version: sort }] })
  expect(changesOf(mine, listed(1), listed(10))).toEqual([])
})

it('copies form and settings, but neither ids nor what names one examination', () => {
  const old = {
    ...draft,
    id: '5',
    version: 3,
    state: 2,
    values: { ...draft.values, signBegin: '2025-03-01 09:00:00', feeMode: 3 },
    signitems: [{ ...itemOf(name, '基本信息'), id: '9' }],
  }
  expect(copyOf(old, 2027)).toMatchObject({
    id: null,
    version: null,
    state: 0,
    values: { examCode: '', examNo: null, year: 2027, signBegin: null, feeMode: 3 },
    signitems: [itemOf(name, '基本信息')],
  })
  expect(copyOf(old, 2027).signitems[0]).not.toHaveProperty('id')
})

it('counts paid people for the opening ratio where there is a fee, and keeps what the office chose', () => {
  const free = { feeMode: 0, ratioBasis: 1 }
  expect(withValues(free, { feeMode: 3 })).toEqual({ feeMode: 3, ratioBasis: 2 })
  expect(withValues({ feeMode: 3, ratioBasis: 1 }, { feeMode: 1 })).toEqual({ feeMode: 1, ratioBasis: 1 })
  expect(withValues({ feeMode: 3, ratioBasis: 2 }, { feeMode: 0 })).toEqual(free)
  expect(withValues(free, { openRatio: 2 })).toEqual({ ...free, openRatio: 2 })
})
