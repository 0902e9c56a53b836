import { expect, test } from 'vitest'
import { type Advices, unmarked, withPhotoJudged } from './advices.ts'

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

test('[26.9] a portrait that is judged bad is a remark by itself; the judgement taken back takes it along, and own words stay', () => {
  const common = { label: '证件照', advice: '请上传近期免冠正面照' }
  const judged = withPhotoJudged({}, true, common)
  expect(judged).toEqual({ 'file:photo': { kind: 'file', key: 'photo', ...common } })
  expect(withPhotoJudged(judged, false, common)).toEqual({})
  const own: Advices = { 'file:photo': { kind: 'file', key: 'photo', label: '证件照', advice: '没有人像' } }
  expect([withPhotoJudged(own, true, common), withPhotoJudged(own, false, common)]).toEqual([own, own])
})
