import { expect, test } from 'vitest'
import { type ExportField, type SignupExportRow, signupSheet } from './signup-sheet.ts'

const row: SignupExportRow = {
  signNo: '20260300000001',
  candidateNo: 'K0000000001',
  name: '张䶮',
  idCardMask: '3301**********1023',
  sex: 2,
  birthday: '1998-06-30',
  nation: null,
  education: null,
  degree: null,
  school: null,
  major: null,
  phoneMask: '138****0001',
  province: null,
  city: null,
  area: null,
  unitName: null,
  typeName: null,
  code: 'A001',
  codeName: null,
  secondUnitName: null,
  secondCode: null,
  secondCodeName: null,
  adjust: false,
  examine: 'passed',
  examineRemark: null,
  reviewer1: null,
  reviewer1Time: null,
  reviewer2: null,
  reviewer2Time: null,
  payState: 'none',
  submitTime: null,
  content: {},
}
const field = (key: string, fieldType: string, more: Partial<ExportField> = {}): ExportField => ({
  key,
  label: key,
  labelEn: null,
  fieldType,
  dictCode: null,
  columns: null,
  sensitive: 0,
  ...more,
})
/** What one answer looks like in the workbook: the first column behind the 25 fixed ones. */
const shown = (of: ExportField, value: unknown) => {
  const sheet = signupSheet([of], {
    language: 'zh',
    dictionary: (code, key) => `${code}:${key}`,
    region: code => `地区${code}`,
  })
  return sheet.line({ ...row, content: { [of.key]: value } }, 1)[25]
}

test.each([
  ['a sensitive answer is hidden', field('certNo', 'text', { sensitive: 2 }), '123', '****'],
  ['a sealed answer is hidden, whatever the field says', field('certNo', 'text'), { e: 'c2VhbGVk' }, '****'],
  ['a picture is hidden', field('signature', 'signature'), '1900', '****'],
  ['a phone', field('emergencyPhone', 'phone'), '13800000001', '138****0001'],
  ['an id number of somebody else', field('spouse', 'idcard'), '330106199806301023', '3301**********1023'],
  ['an e-mail', field('email', 'text'), 'zhang@x.cn', 'z***@x.cn'],
  ['an address', field('hukouAddress', 'text'), '浙江省杭州市西湖区文三路1号', '浙江省杭州市西湖区****'],
  ['a choice', field('title', 'select', { dictCode: 'title' }), '2', 'title:2'],
  ['several choices', field('certName', 'checkbox', { dictCode: 'cert' }), ['a', 'b'], 'cert:a; cert:b'],
  ['a region', field('hukou', 'region'), ['330000', '330106'], '地区330000; 地区330106'],
  ['a table', field('resume', 'table'), [{ begin: '2019-08', unit: '某院' }], '2019-08 某院'],
  [
    'a table in the order of its columns, whatever the store made of it',
    field('resume', 'table', { columns: ['begin', 'end', 'unit', 'post'].map(key => ({ key, fieldType: 'text' })) }),
    [{ end: '2024-02', post: '内科医师', unit: '某县医院', begin: '2019-08' }],
    '2019-08 2024-02 某县医院 内科医师',
  ],
  ['a phone in a table', field('family', 'table'), [{ name: '王甲', phone: '13800000001' }], '王甲 138****0001'],
  ['nothing', field('remark', 'text'), null, ''],
  ['what looks like a formula stays text', field('remark', 'text'), '=1+1', '=1+1'],
])('%s', (_, of, value, expected) => expect(shown(of, value)).toBe(expected))

test('a field that has a fixed column is not repeated', () => {
  const sheet = signupSheet([field('name', 'text'), field('certNo', 'text')], {
    language: 'en',
    dictionary: (_, key) => key,
    region: code => code,
  })
  expect(sheet.headers.slice(24, 27).map(({ header }) => header)).toEqual(['Accepts adjustment', 'certNo', 'Review state'])
})
