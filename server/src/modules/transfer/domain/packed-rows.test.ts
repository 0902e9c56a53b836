import { expect, test } from 'vitest'
import { PackedRows } from './packed-rows.ts'

test('packed rows come back in their order as often as somebody walks them, empty ones among them', () => {
  const rows = Array.from({ length: 1_203 }, (_, i) => (i % 7 === 3 ? [] : [String(i), `姓名${i}\n"𠮷"`, '']))
  const packed = new PackedRows()
  for (const row of rows) packed.push(row)
  expect(packed.length).toBe(1_203)
  expect([...packed]).toEqual(rows)
  expect([...packed]).toEqual(rows)
  expect([...new PackedRows()]).toEqual([])
})
