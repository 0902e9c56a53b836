import { expect, it } from 'vitest'
import { inTurns } from './turns.ts'

it('visits every row in order and lets other work have its turn every thousand', async () => {
  const happened: (number | 'other')[] = []
  setImmediate(() => happened.push('other'))
  const rows = Array.from({ length: 1_500 }, (_, i) => i)
  await inTurns(rows, row => happened.push(row))
  expect(happened).toEqual([...rows.slice(0, 1_000), 'other', ...rows.slice(1_000)])
})
