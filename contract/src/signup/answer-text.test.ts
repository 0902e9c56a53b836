import { expect, test } from 'vitest'
import { type AnswerField, type AnswerWords, answerText } from './answer-text.ts'
import { fieldTypes } from './content.ts'

const names: Readonly<Record<string, string>> = { 'sex|1': '男', 'cert|a': '护士', 'cert|b': '助产士', '330106': '西湖区' }
const words: AnswerWords = {
  chosen: (field, key) => (field.fieldType === 'region' ? names[key] : names[`${field.dictCode}|${key}`]),
  between: '、',
  betweenCells: ' ',
  betweenRows: '；',
  provided: '已提供',
  sealed: '****',
}
const say = (field: AnswerField, value: unknown) => answerText(field, value, words)

test('[19.1] an answer of every type of field becomes words, and no answer at all is empty', () => {
  const given: Readonly<Record<(typeof fieldTypes)[number], readonly [AnswerField, unknown, string]>> = {
    text: [{ fieldType: 'text' }, '王·测', '王·测'],
    textarea: [{ fieldType: 'textarea' }, '一\n二', '一\n二'],
    number: [{ fieldType: 'number' }, 172.5, '172.5'],
    date: [{ fieldType: 'date' }, '2018-06-30', '2018-06-30'],
    month: [{ fieldType: 'month' }, '2018-06', '2018-06'],
    select: [{ fieldType: 'select', dictCode: 'sex' }, '1', '男'],
    radio: [{ fieldType: 'radio', dictCode: 'sex' }, 1, '男'],
    checkbox: [{ fieldType: 'checkbox', dictCode: 'cert' }, ['a', 'b', 'zz'], '护士、助产士、zz'],
    cascader: [{ fieldType: 'cascader', dictCode: 'cert' }, ['a', 'b'], '护士、助产士'],
    region: [{ fieldType: 'region' }, '330106', '西湖区'],
    school: [{ fieldType: 'school' }, '新疆医科大学', '新疆医科大学'],
    major: [{ fieldType: 'major' }, '护理学', '护理学'],
    table: [
      {
        fieldType: 'table',
        columns: [
          { key: 'unit', fieldType: 'text' },
          { key: 'sex', fieldType: 'select', dictCode: 'sex' },
          { key: 'none', fieldType: 'text' },
        ],
      },
      [
        { sex: '1', unit: '甲院' },
        { unit: '乙院', other: 7 },
      ],
      '甲院 男；乙院 7',
    ],
    image: [{ fieldType: 'image' }, '1900000000000000001', '已提供'],
    signature: [{ fieldType: 'signature' }, '1900000000000000001', '已提供'],
    idcard: [{ fieldType: 'idcard' }, '33010619950812003X', '33010619950812003X'],
    phone: [{ fieldType: 'phone' }, '13800000001', '13800000001'],
  }
  expect(fieldTypes.map(type => say(given[type][0], given[type][1]))).toEqual(fieldTypes.map(type => given[type][2]))
  for (const fieldType of fieldTypes)
    expect([undefined, null, '', ' ', []].map(value => say({ fieldType }, value))).toEqual(Array(5).fill(''))
})

test('[19.1] whatever is stored, no text is that of an object, and a sealed answer stays one', () => {
  const odd = [{ e: 'AAAA' }, { a: { b: { c: 1 } } }, [[['x']]], [{ e: 'AAAA' }], true, { e: 7 }, [null, 'a']]
  const texts = fieldTypes.flatMap(fieldType => odd.map(value => say({ fieldType }, value)))
  expect(texts.filter(text => text.includes('object'))).toEqual([])
  expect(say({ fieldType: 'text' }, { e: 'AAAA' })).toBe('****')
  expect(say({ fieldType: 'table', columns: null }, [{ a: { e: 'AAAA' } }])).toBe('****')
})

test('[19.1] a cell goes through what its reader may see', () => {
  const table: AnswerField = { fieldType: 'table', columns: [{ key: 'phone', fieldType: 'phone' }] }
  expect(answerText(table, [{ phone: '13800000001', more: 'x' }], { ...words, cell: text => `<${text}>` })).toBe('<13800000001> <x>')
})
