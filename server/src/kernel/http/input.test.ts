import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { menu } from '#contract/access/menu.routes.ts'
import { examItem, item, typeCode } from '#contract/exam/exam.resources.ts'
import { submitExam } from '#contract/exam/exam.routes.ts'
import { uploadFile } from '#contract/file/file.routes.ts'
import { crudRoutes, submitSchema } from '#contract/kernel/crud-routes.ts'
import { fieldWords } from '#contract/kernel/field-words.ts'
import { strict } from '#contract/kernel/schema.ts'
import { user } from '#contract/organisation/user.routes.ts'
import { tenant } from '#contract/tenancy/tenant.routes.ts'
import { checkerOf, fieldsWithoutWords, gather } from './input.ts'

const messages = (resource: { readonly fields: Parameters<typeof submitSchema>[0] }, input: object): readonly string[] =>
  (['zh', 'en'] as const).flatMap(language =>
    checkerOf(submitSchema(resource.fields, 'edit') as never)({ id: '1', ...input }, language).map(({ field, msg }) => `${field} ${msg}`),
  )

test('a refused value is told with the field, what is allowed and how it is written', () => {
  expect(messages(examItem, { fullScore: '-5', passScore: '99999', weight: '33.333', feeFen: 100_000_000_000 })).toEqual([
    'fullScore 满分不能小于 1',
    'passScore 合格线不能大于 9999.99',
    'weight 权重(%)格式不正确：请填数字，最多 2 位小数',
    'feeFen 费用不能大于 10000000 元',
    'fullScore Full score must not be less than 1',
    'passScore Pass line must not be greater than 9999.99',
    'weight Weight (%) has the wrong format: enter a number with at most 2 decimals',
    'feeFen Fee must not be greater than 10000000 yuan',
  ])
  expect(messages(item, { itemKey: '工作年限' })).toEqual([
    'itemKey 标识格式不正确：小写字母开头，只用字母和数字，最多 40 个，如 workYears；不能是 constructor、toString 等保留名',
    'itemKey Key has the wrong format: Begins with a small letter, then letters and digits, at most 40, as in workYears; no reserved name such as constructor or toString',
  ])
  expect(messages(examItem, { fullScore: '120.5', passScore: null, weight: '100', feeFen: 1_000_000_000 })).toEqual([])
})

test('a value that is none of the choices is told by the name of its field', () => {
  const purpose = checkerOf(uploadFile.input as never)
  expect([purpose({ purpose: 'avatar' }, 'zh'), purpose({ purpose: 'avatar' }, 'en')]).toEqual([
    [{ field: 'purpose', msg: '文件用途取值不正确' }],
    [{ field: 'purpose', msg: 'Purpose has a value that is not accepted' }],
  ])
  const optional = checkerOf(menu.submit.input as never)
  const filled = { code: 'a', name: '甲', nameEn: 'A', sort: 1, category: 3, id: 'x' }
  expect(optional(filled, 'zh')).toEqual([
    { field: 'id', msg: '编号格式不正确' },
    { field: 'category', msg: '菜单类型取值不正确' },
  ])
})

test('a field that its schema does not name is called by the word that people know it by', () => {
  const setting = checkerOf(tenant.setting.input as never)
  expect([
    setting({ ids: '1', expireTime: '2027-02-31 00:00:00' }, 'zh'),
    setting({ ids: '1', expireTime: '2027-02-31 00:00:00' }, 'en'),
  ]).toEqual([
    [{ field: 'expireTime', msg: '到期时间不是存在的日期或时间' }],
    [{ field: 'expireTime', msg: 'Until is no date or time that exists' }],
  ])
  const lock = checkerOf(user.lock.input as never)
  const long = { userIds: '1', reason: '长'.repeat(201), lockEndTime: 'soon' }
  expect(lock(long, 'zh')).toEqual([
    { field: 'reason', msg: '锁定原因长度不能超过 200' },
    { field: 'lockEndTime', msg: '锁定结束时间格式不正确' },
  ])
  expect(fieldWords('constructor')).toBe(undefined)
})

test('[S5.01] conditions, chosen rows and entries of lists are told in words too, in the caller’s language; what is not known is quoted', () => {
  const said = (route: { readonly input: unknown }, input: object) =>
    (['zh', 'en'] as const).map(language => checkerOf(route.input as never)(input, language).map(({ msg }) => msg))
  expect(said(menu.remove, { ids: 'x' })).toEqual([['所选记录格式不正确'], ['Selected rows has the wrong format']])
  const conditions = { current: 0, size: 500, codeName_like: 'x'.repeat(201) }
  expect(said(crudRoutes(typeCode).list as never, conditions)).toEqual([
    ['页码不能小于 1', '每页条数不能大于 200', '岗位名称长度不能超过 200'],
    ['Page must not be less than 1', 'Rows per page must not be greater than 200', 'Post must not be longer than 200'],
  ])
  expect(said(submitExam, { signBegin: 'soon', signitems: [{ itemLabel: 'x'.repeat(41) }] })).toEqual([
    ['报名开始时间格式不正确', '名称长度不能超过 40'],
    ['Sign-up begins has the wrong format', 'Label must not be longer than 40'],
  ])
  expect(said(menu.remove, { ids: '1', unheardOf: 1 })[0]).toEqual(['“unheardOf”不是允许的字段'])
})

test('[21.11] fields that nobody could be told of in words are found wherever they stand', () => {
  const words = { 'x-label': { zh: '名称', en: 'Name' } }
  const entry = Type.Object({ named: Type.String(words), inner: Type.String() })
  const input = strict({
    remark: Type.String(),
    unheardOf: Type.String(),
    maybe: Type.Union([Type.String(words), Type.Null()]),
    rows: Type.Array(entry, words),
    byKey: Type.Record(Type.String(), Type.Object({ deep: Type.Integer() }), words),
  })
  expect(fieldsWithoutWords(input as never)).toEqual(['unheardOf', 'rows.inner', 'byKey.deep'])
})

test('[S7.16][S8.07] marks that turn text round or hide in it are left out wherever they stand, so that no name looks like another', () => {
  const json = { tenantName: '\u202E区卫\u200B生局\uFEFF', list: [{ name: 'a\u2066b' }], emoji: '👩‍⚕️' }
  expect(gather(tenant.submit.input as never, { query: {}, form: undefined, json, writes: true })).toEqual({
    tenantName: '区卫生局',
    list: [{ name: 'ab' }],
    // A joiner is part of what is seen.
    emoji: '👩‍⚕️',
  })
  const query = { tenantName: '区\u202D卫' }
  expect(gather(tenant.list.input as never, { query, form: undefined, json: undefined, writes: false })).toEqual({ tenantName: '区卫' })
})
