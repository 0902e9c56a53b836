import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import {
  type FieldMark,
  type FieldRules,
  keywordOf,
  markOf,
  marksOf,
  type RuledNoun,
  searches,
  shows,
  showsAbout,
  showsAll,
  showsByKey,
  showsWhole,
  sorts,
  writes,
} from '#contract/kernel/field-rule.ts'
import { nullable, optional } from '#contract/kernel/schema.ts'
import type { SheetColumn } from '../sheet/write-sheet.ts'
import { fieldGate, refuseUntold, roomFor, ruledBook, ruledRecord } from './field-rule.ts'

const noun = {
  code: 'thing',
  label: { zh: '东西', en: 'Things' },
  views: ['thing_view'],
  entities: ['thing'],
  fields: {
    name: { label: { zh: '姓名', en: 'Name' }, mask: 'name' },
    phone: { label: { zh: '手机', en: 'Phone' }, mask: 'phone' },
    age: { label: { zh: '年龄', en: 'Age' }, mask: 'none' },
  },
} as const satisfies RuledNoun
const say = (label: { zh: string; en: string }): string => label.en
const reader = (fieldRules: FieldRules, userType: 1 | 2 = 1) => ({ userType, fieldRules }) as const
const gateOf = (output: object, input: object = Type.Object({}), tells?: readonly FieldMark[]) =>
  fieldGate({ output, input, ...(tells ? { tells } : {}) } as never)

const row = Type.Object({
  ...showsAll(noun, { id: Type.String(), name: Type.String(), mobile: nullable(Type.String()), age: Type.Integer() }, { mobile: 'phone' }),
  picture: showsWhole(noun, 'name', Type.String()),
})
const page = Type.Object({ records: Type.Array(row), total: Type.Integer() })
const full = { id: '1', name: '张三丰', mobile: '13800001234', age: 41, picture: '/file/1' }
const shown = (rules: FieldRules, value: unknown = { records: [full], total: 1 }, schema: object = page) =>
  gateOf(schema).show(reader(rules), value)

describe('[S6.03] field rules › answers', () => {
  test('each field by its own mask or not at all; what has no half is hidden; the rest stays', () => {
    expect(shown({ 'thing.name': 'masked', 'thing.phone': 'masked' })).toEqual({
      records: [{ ...full, name: '张**', mobile: '138****1234', picture: '' }],
      total: 1,
    })
    expect(shown({ 'thing.phone': 'hidden', 'thing.age': 'masked' })).toEqual({ records: [{ ...full, mobile: null, age: null }], total: 1 })
    expect(shown({ 'other.name': 'hidden' })).toEqual({ records: [full], total: 1 })
  })

  test('no rule, a candidate or nobody: the very same value, and the handler’s own is never written to', () => {
    const value = { records: [full], total: 1 }
    expect(shown({}, value)).toBe(value)
    expect(gateOf(page).show(reader({ 'thing.name': 'hidden' }, 2), value)).toBe(value)
    expect(gateOf(page).show(undefined, value)).toBe(value)
    shown({ 'thing.name': 'hidden' }, value)
    expect(value).toEqual({ records: [full], total: 1 })
  })

  test('answers by their keys, values about a named field, lists and tables in them', () => {
    const marks = { ...marksOf(noun), '*': markOf(noun, 'name') }
    const schema = Type.Object({
      content: showsByKey(marks, Type.Record(Type.String(), Type.Unknown())),
      changes: Type.Array(
        showsAbout(
          'key',
          ['before', 'after'],
          marks,
          Type.Object({ key: Type.String(), before: Type.Unknown(), after: nullable(Type.String()) }),
        ),
      ),
    })
    const value = {
      content: { phone: '13800001234', age: 3, other: [{ who: '李四光' }, '王五'], empty: null },
      changes: [
        { key: 'phone', before: '13800001234', after: '13900001234' },
        { key: 'constructor', before: '赵六', after: null },
      ],
    }
    expect(shown({ 'thing.phone': 'masked', 'thing.age': 'hidden', 'thing.name': 'masked' }, value, schema)).toEqual({
      content: { phone: '138****1234', age: null, other: [{ who: '李**' }, '王*'], empty: null },
      changes: [
        { key: 'phone', before: '138****1234', after: '139****1234' },
        { key: 'constructor', before: '赵*', after: null },
      ],
    })
    expect(shown({ 'thing.phone': 'hidden' }, value, schema)).toMatchObject({ changes: [{ key: 'phone', before: null, after: null }, {}] })
  })

  test('one of several shapes, and nothing where there is nothing', () => {
    const schema = Type.Union([Type.Object({ inner: nullable(row) }), Type.Null()])
    expect(shown({ 'thing.name': 'masked' }, { inner: full }, schema)).toEqual({ inner: { ...full, name: '张**', picture: '' } })
    expect(shown({ 'thing.name': 'masked' }, { inner: null }, schema)).toEqual({ inner: null })
    expect(shown({ 'thing.name': 'masked' }, null, schema)).toBeNull()
  })

  test('an answer has room for hidden numbers that were always there', () => {
    expect(roomFor(Type.Object({ name: Type.String() }) as never)).toBeUndefined()
    expect(roomFor(page as never)).toMatchObject({
      properties: {
        records: { items: { properties: { age: { anyOf: [{ type: 'integer' }, { type: 'null' }] }, name: { type: 'string' } } } },
      },
    })
  })
})

describe('[S6.03][PF 49] field rules › input', () => {
  const input = Type.Object({
    id: optional(Type.String()),
    name_like: optional(searches([markOf(noun, 'name')], Type.String())),
    keyword: optional(keywordOf([markOf(noun, 'name'), markOf(noun, 'phone')], Type.String())),
    ascs: optional(sorts(marksOf(noun), Type.String())),
    phone: writes(noun, 'phone', optional(nullable(Type.String()))),
    list: optional(Type.Array(Type.Object({ id: Type.String(), name: writes(noun, 'name', Type.String()) }))),
  })
  const gate = gateOf(page, input)
  const refused = (given: object, rules: FieldRules = { 'thing.name': 'masked', 'thing.phone': 'hidden' }) =>
    gate.refuse({ session: reader(rules) as never, say }, given)

  test.each([
    [{ name_like: '张' }, 'name_like', 'Name'],
    [{ name_like: '1' }, 'name_like', 'Name'],
    [{ keyword: '张' }, 'keyword', 'Name'],
    [{ keyword: '+86 138 0000 1234' }, 'keyword', 'Name, Phone'],
    [{ keyword: '0086-138-0000-1234' }, 'keyword', 'Phone'],
    [{ keyword: '１３８ ００００ １２３４' }, 'keyword', 'Phone'],
    [{ ascs: 'id, name' }, 'ascs', 'Name'],
    [{ ascs: 'phone' }, 'ascs', 'Phone'],
  ])('no search and no order by what is not seen in full: %j', (given, field, names) => {
    const msg = `Your role does not see this in full, so it cannot be searched or sorted by: ${names}`
    expect(refused(given)).toMatchObject({ reason: 'kernel/field-unsearchable', status: 403, data: { fields: [{ field, msg }] } })
  })

  test.each([[{ keyword: '26031700000012' }], [{ ascs: 'id' }], [{ name_like: '' }], [{ ascs: 'constructor' }]])(
    'what is about other fields passes: %j',
    given => expect(refused(given)).toBeUndefined(),
  )

  test('a field that is not seen in full is not changed, in a part of a form neither; an addition takes it', () => {
    expect(refused({ id: '1', phone: '138****1234' })).toMatchObject({
      reason: 'kernel/field-closed',
      data: {
        fields: [{ field: 'phone', msg: 'Your role does not see this in full, so it cannot change it; leave it out and try again: Phone' }],
      },
    })
    expect(refused({ id: '1', phone: null })).toMatchObject({ reason: 'kernel/field-closed' })
    expect(refused({ list: [{ id: '2', name: '张**' }] })).toMatchObject({
      reason: 'kernel/field-closed',
      data: { fields: [{ field: 'name' }] },
    })
    expect(refused({ id: '1' })).toBeUndefined()
    expect(refused({ phone: '13800001234' })).toBeUndefined()
    expect(refused({ id: '1', phone: 'x' }, { 'thing.name': 'hidden' })).toBeUndefined()
  })

  test('what cannot be masked is closed as a whole', () => {
    const printed = gateOf(page, input, [markOf(noun, 'name')])
    expect(printed.refuse({ session: reader({ 'thing.name': 'masked' }) as never, say }, {})).toMatchObject({
      reason: 'kernel/field-told',
      status: 403,
    })
    expect(printed.refuse({ session: reader({ 'thing.phone': 'masked' }) as never, say }, {})).toBeUndefined()
    expect(refuseUntold({ session: reader({ 'thing.age': 'masked' }) as never, say }, [markOf(noun, 'age')])).toMatchObject({
      reason: 'kernel/field-told',
    })
    expect(refuseUntold({ session: reader({}, 2) as never, say }, [markOf(noun, 'age')])).toBeUndefined()
  })
})

describe('[S6.03] field rules › workbooks and records', () => {
  test('a workbook without hidden columns and with the others masked, marked cells too', async () => {
    const columns = [{ header: 'No.' }, { header: 'Name', field: markOf(noun, 'name') }, { header: 'Phone', field: markOf(noun, 'phone') }]
    const rows = [
      [1, '张三丰', '13800001234'],
      [2, { value: '李四', fill: 'red' as const }, null],
    ]
    const rules = { 'thing.name': 'masked', 'thing.phone': 'hidden' } as const
    const [sheet] = ruledBook(reader(rules), { sheets: [{ name: 's', columns, rows }] }).sheets
    const lines: unknown[] = []
    for await (const line of sheet?.rows ?? []) lines.push(line)
    expect([sheet?.columns.map(column => column.header), lines]).toEqual([
      ['No.', 'Name'],
      [
        [1, '张**'],
        [2, { value: '李*', fill: 'red' }],
      ],
    ])
    const book = { sheets: [{ name: 's', columns, rows }] }
    expect(ruledBook(reader({}), book)).toBe(book)
  })

  test('a workbook whose column seems to hold a fact and does not say which field it is is not made, whoever reads it', () => {
    const of =
      (column: SheetColumn, rows: string[][] = [['张三']]) =>
      () =>
        ruledBook(reader({}), { sheets: [{ name: 's', columns: [column], rows }] })
    expect(of({ header: '姓名' })).toThrow(/^sheet s: 姓名 seems to hold a fact about a person/)
    expect(of({ header: '准考证号' })).toThrow()
    for (const fine of [
      { header: '姓名', field: markOf(noun, 'name') },
      { header: '姓名', field: 'none' },
      { header: '岗位名称' },
    ] as const)
      expect(of(fine)).not.toThrow()
    expect(of({ header: '姓名' }, [])).not.toThrow()
  })

  test('a record by the names of its keys, as columns or as stored masks; of two fields of one name the strictest', () => {
    const other = { ...noun, code: 'other' } as const
    const of: Readonly<Record<string, readonly FieldMark[]>> = {
      phone: [markOf(noun, 'phone'), markOf(other, 'phone')],
      name: [markOf(noun, 'name')],
    }
    const marks = (key: string) => of[key] ?? []
    const record = { phone_mask: '138****1234', phone: '13800001234', inner: [{ name: '张三' }], size: 3 }
    expect(ruledRecord(reader({ 'thing.phone': 'masked', 'thing.name': 'masked' }), marks, record)).toEqual({
      ...record,
      phone: '138****1234',
      inner: [{ name: '张*' }],
    })
    expect(ruledRecord(reader({ 'thing.phone': 'masked', 'other.phone': 'hidden' }), marks, record)).toMatchObject({
      phone_mask: null,
      phone: null,
    })
    expect(ruledRecord(reader({}), marks, record)).toBe(record)
  })
})

test('[S6.03] a mark keeps what TypeBox knows of a schema', () => {
  const schema = Type.Object({ name: shows(noun, 'name', Type.Optional(Type.String())) })
  expect([schema.required, (schema.properties.name as unknown as Record<string, unknown>)['x-field']]).toEqual([
    undefined,
    { at: 'thing.name', label: { zh: '姓名', en: 'Name' }, mask: 'name' },
  ])
})
