import { expect, test } from 'vitest'
import { jsonFaultOf } from './json-fault.ts'

test.each([
  ['{"a":1,}', 1, 7, '最后一项后面多了逗号'],
  ['[1, 2, ]', 1, 6, '最后一项后面多了逗号'],
  ["{'a':1}", 1, 2, '文本和名称要用双引号 " 括起来'],
  ['{a:1}', 1, 2, '文本和名称要用双引号 " 括起来'],
  ['{"a":“是”}', 1, 6, '文本和名称要用双引号 " 括起来'],
  ['{"a":undefined}', 1, 6, '文本和名称要用双引号 " 括起来'],
  ['{"a" 1}', 1, 6, '名称后面应为冒号 :'],
  ['{"a":1 "b":2}', 1, 8, '这里应为逗号 , 或 }'],
  ['{\n  "a": [1,\n 2}', 3, 3, '这里应为逗号 , 或 ]'],
  ['{"a":1', 1, 7, '内容在这里中断，缺少后面的部分'],
  ['{"a":"x', 1, 6, '文本缺少结尾的双引号 "'],
  ['{"a":"x\ny"}', 1, 8, '文本中不能直接换行或含控制字符，请写成 \\n 等'],
  ['{"a":"C:\\dir"}', 1, 9, '反斜线 \\ 后的写法不正确；反斜线本身写成 \\\\'],
  ['{"a":01}', 1, 7, '这里应为逗号 , 或 }'],
  ['{"a":.5}', 1, 6, '这里应为一个值'],
  ['{"a":1}}', 1, 8, 'JSON 在这之前已经结束，后面多了内容'],
  ['', 1, 1, '内容在这里中断，缺少后面的部分'],
  ['<a/>', 1, 1, '这里应为一个值'],
])('[21.11] %j: line %i, column %i, %s', (text, line, column, zh) => {
  expect(() => JSON.parse(text)).toThrow()
  expect(jsonFaultOf(text)).toMatchObject({ line, column, what: { zh } })
})

test.each(['{}', ' [1, -2.5e+3, true, null, "\\u4e2d\\n\\"", {"a":{"b":[]}}] ', '"x"', '0', '{"__proto__":1}'])('%s is JSON', text => {
  expect(() => JSON.parse(text)).not.toThrow()
  expect(jsonFaultOf(text)).toBeUndefined()
})

test('what is nested without end is said, not a crash', () =>
  expect(jsonFaultOf('['.repeat(400_000))).toMatchObject({ what: { en: 'it is nested too deeply' } }))
