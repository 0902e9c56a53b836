import { expect, test } from 'vitest'
import { type Advices, unmarked } from './advices.ts'

const parts = [
  { kind: 'item', key: 'degree', label: '学位' },
  { kind: 'item', key: 'fresh', label: '应届情况' },
  { kind: 'file', key: 'degreeCert', label: '学位证书' },
] as const
const marking = (...keys: readonly string[]): Advices =>
  Object.fromEntries(
    keys.map(key => [key, { kind: key.startsWith('file') ? 'file' : 'item', key: key.split(':')[1] ?? '', advice: '请改' }]),
  )

test('a remark that asks for what no advice opens is found, a name within a longer one is not', () => {
  const remark = '学位证书没有上传，请补传'
  expect([
    unmarked(remark, parts, marking('item:fresh')),
    unmarked(remark, parts, marking('file:degreeCert')),
    unmarked('请核对应届情况', parts, marking('item:fresh')),
    unmarked('请修改', parts, {}),
  ]).toEqual([['学位证书'], [], [], []])
})
