import { describe, expect, it } from 'vitest'
import { decimal, dictInt, flag, instant, int, money, ref, text } from '#contract/kernel/field.ts'
import { defineResource } from '#contract/kernel/resource.ts'
import { plainResources, resources } from '#contract/nouns.ts'
import { examPay, payAlarm } from '#contract/pay/pay.resources.ts'
import { param } from '#contract/tenancy/param.resource.ts'
import {
  alignOf,
  earlierOf,
  formFields,
  groupsOf,
  isWord,
  listFields,
  problemOf,
  rowNameOf,
  searchFields,
  setValueOf,
  textOf,
  toSubmit,
  viewFields,
} from './fields.ts'
import { parseListState, toQuery, toSearch, withListState } from './list-state.ts'
import { scopedTo } from './within.tsx'

const label = { zh: '数量', en: 'Count' }

describe('fields of a declaration', () => {
  it('[S2.50] gives the columns, conditions and form of the parameters', () => {
    expect(listFields(param.fields).map(({ name }) => name)).toEqual(['paramName', 'paramKey', 'paramValue', 'isOwn'])
    expect(searchFields(param.fields).map(({ name }) => name)).toEqual(['paramName', 'paramKey', 'paramValue', 'isOwn'])
    expect(formFields(param.fields).map(({ name }) => name)).toEqual(['paramName', 'paramKey', 'paramValue', 'remark'])
  })
  it('a row is read with its form and what the list shows; one that nobody types is read whole, without ids of other rows', () => {
    expect(viewFields(param).map(({ name }) => name)).toEqual(['paramName', 'paramKey', 'paramValue', 'isOwn', 'remark'])
    const due = viewFields(examPay).map(({ name }) => name)
    expect(due.slice(0, 6)).toEqual(['examName', 'itemName', 'signNo', 'name', 'idCardTail', 'unit'])
    // Two codes stand behind what is shown of them; how often was asked before is said where a refund is decided.
    const behind = ['askedBefore', 'askedByHand', 'payKind']
    const own = Object.entries(examPay.fields).flatMap(([name, { kind }]) => (kind === 'ref' || behind.includes(name) ? [] : [name]))
    expect([...due].sort()).toEqual([...own].sort())
    expect(own).toEqual(expect.arrayContaining(['invoiceNo', 'remark', 'askedAmount', 'askedReason', 'failedAmount']))
    expect(viewFields(payAlarm)).toHaveLength(Object.keys(payAlarm.fields).length)
  })
  it('[S5.01][S3.01] refuses empty fields with the texts of the specification', () => {
    const messages = formFields(param.fields).map(({ field }) => problemOf(field, '  ')?.label.zh ?? null)
    expect(messages).toEqual(['请输入参数名称', '请输入参数键名', '请输入参数键值', null])
  })
  it('counts characters, not UTF-16 units', () => {
    const field = text(2, { label })
    expect([problemOf(field, '𬭎䶮'), problemOf(field, '𬭎䶮a')?.kind]).toEqual([null, 'max'])
  })
  it('checks numbers and patterns', () => {
    const count = int({ label, min: 100 })
    expect([99, 1.5, 'x', 100].map(value => problemOf(count, value)?.kind ?? null)).toEqual(['least', 'whole', 'number', null])
    expect(problemOf(text(20, { label, pattern: '^[A-Z]+$' }), 'a')?.kind).toBe('pattern')
  })
  it('checks amounts, and numbers that travel as text, against what the store takes', () => {
    const fee = money({ label })
    expect([-1, 1_000_000_001, 1_000_000_000].map(value => problemOf(fee, value)?.kind ?? null)).toEqual(['least', 'most', null])
    const score = decimal({ label, min: 1, max: 9_999.99, places: 2 })
    expect(['-5', '10000', '99.125', '99.5'].map(value => problemOf(score, value)?.kind ?? null)).toEqual(['least', 'most', 'places', null])
  })
  it('a time that must be later than another is compared with it, once both are there', () => {
    const times = { begin: instant({ label }), end: instant({ label, after: 'begin' }) }
    const end = '2026-11-20 08:00:00'
    const kindOf = (begin: unknown) => problemOf(times.end, end, earlierOf(times, times.end, { begin, end }))?.kind ?? null
    expect(['2026-11-20 08:00:00', '2026-11-20 07:59:59', '', null].map(kindOf)).toEqual(['after', null, null, null])
    expect(earlierOf(times, times.begin, { end })).toBeUndefined()
  })
  it('whatever has a pattern says in both languages how it is written', () => {
    // On other pages a control of their own writes what has a pattern.
    const typed = [...plainResources, ...resources.filter(({ menuPath }) => menuPath.startsWith('/exam/'))]
    const silent = typed.flatMap(({ name, fields }) =>
      Object.entries(fields).flatMap(([key, { pattern, help }]) =>
        pattern !== undefined && !(help?.zh && help.en) ? [`${name}.${key}`] : [],
      ),
    )
    expect(silent).toEqual([])
  })
  it('writes values for readers and shows -1 of the framework as nothing', () => {
    expect(textOf(money({ label }), 4500, '是', '否')).toBe('45.00')
    expect(textOf(flag({ label }), 1, '是', '否')).toBe('是')
    expect(textOf(instant({ label }), '2026-11-20 08:00:00', '是', '否')).toBe('2026-11-20 08:00')
    expect([
      setValueOf({ nulls: 'empty' }, dictInt('sex', { label }), -1),
      setValueOf({ nulls: 'real' }, dictInt('sex', { label }), -1),
    ]).toEqual([null, -1])
  })
  it('submits trimmed values and null for what was emptied', () => {
    const fields = formFields(param.fields)
    expect(toSubmit(fields, { paramName: ' a ', paramKey: 'k', paramValue: 'v', remark: '' })).toEqual({
      paramName: 'a',
      paramKey: 'k',
      paramValue: 'v',
      remark: null,
    })
    expect(rowNameOf(param.fields, { id: '7', paramName: 'a' })).toBe('a')
  })
})

describe('list state', () => {
  const parse = (search: string) => parseListState(new URLSearchParams(search))
  it('[S9.03][S7.02] is ten rows of the first page unless the address says otherwise', () => {
    expect(parse('')).toEqual({ current: 1, size: 10, sort: null, filters: {} })
    expect(parse('?current=-3&size=11&sort=;drop')).toEqual({ current: 1, size: 10, sort: null, filters: {} })
    expect(parse('?current=3&size=200&sort=-paramName&paramKey=a')).toEqual({
      current: 3,
      size: 200,
      sort: { by: 'paramName', way: 'desc' },
      filters: { paramKey: 'a' },
    })
  })
  it('comes back out of the address it went into, and asks the server for the same', () => {
    const state = parse('?current=3&size=200&sort=-paramName&paramKey=a')
    const written = Object.entries(toSearch(state)).flatMap(([name, value]) =>
      value === null ? [] : [[name, String(value)] as [string, string]],
    )
    expect(parseListState(new URLSearchParams(written))).toEqual(state)
    expect(toQuery(state)).toEqual({ paramKey: 'a', current: 3, size: 200, descs: 'paramName' })
  })
  it('[S2.10] keeps two lists of a page apart in one address', () => {
    const search = new URLSearchParams('current=2&name=a&detail.of=7&detail.current=3&detail.code=x&test.part=lists')
    expect(parseListState(search)).toMatchObject({ current: 2, filters: { name: 'a' } })
    expect(parseListState(search, 'detail.')).toMatchObject({ current: 3, filters: { code: 'x' } })
    const detail = { ...parseListState(search, 'detail.'), current: 1, filters: {} }
    const kept = Object.entries(withListState(search, detail, 'detail.')).filter(([, value]) => value !== null)
    expect(Object.fromEntries(kept)).toEqual({ current: '2', name: 'a', 'detail.of': '7', 'test.part': 'lists' })
    const master = { ...parseListState(search), current: 1, filters: {} }
    const rest = Object.entries(withListState(search, master)).filter(([, value]) => value !== null)
    expect(Object.fromEntries(rest)).toEqual({ 'detail.of': '7', 'detail.current': '3', 'detail.code': 'x', 'test.part': 'lists' })
  })
})

describe('[20.5] what a declaration says is what a screen shows', () => {
  const named = (name: string) => ({ name, field: text(20, { label }) })
  it('a row is read under the headings of its noun; what is under none stands under the first', () => {
    const groups = [
      { key: 'a', label, fields: ['one'] },
      { key: 'b', label, fields: ['two', 'gone'] },
      { key: 'c', label, fields: ['other'] },
    ]
    const shown = groupsOf({ groups }, ['one', 'two', 'three'].map(named)).map(({ key, fields }) => [key, fields.map(({ name }) => name)])
    expect(shown).toEqual([
      ['a', ['one', 'three']],
      ['b', ['two']],
    ])
    expect(groupsOf({}, [named('one')])).toEqual([{ key: '', label: undefined, fields: [named('one')] }])
  })
  it('a number that has words is a word, which stands left', () => {
    const words = { 1: label, 0: label }
    expect([int({ label, words }), int({ label, widget: 'switch' }), int({ label })].map(isWord)).toEqual([true, true, false])
    expect([int({ label, words }), int({ label })].map(alignOf)).toEqual(['left', 'right'])
  })
  it('a noun of one examination has it above the list; one that may belong to all asks for it in the form as well', () => {
    const noun = (required: boolean) =>
      defineResource({
        name: 'note',
        basePath: '/blade-note/note',
        menuPath: '/note',
        label,
        within: 'examination',
        fields: { examId: ref('examination', { label, required, search: 'eq' }), title: text(20, { label }) },
      })
    expect(scopedTo(noun(true), '7').fields['examId']).toEqual({
      ...{ kind: 'ref', ref: 'examination', label, required: true },
      ...{ list: false, immutable: true, default: '7' },
    })
    expect(scopedTo(noun(false), '7').fields['examId']).toEqual({ kind: 'ref', ref: 'examination', label, required: false, default: '7' })
    expect(scopedTo(noun(false), null).fields['examId']).not.toHaveProperty('default')
  })
})
