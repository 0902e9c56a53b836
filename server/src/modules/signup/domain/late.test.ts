import { expect, it } from 'vitest'
import { lateFor } from './late.ts'

const at = (wire: string) => new Date(`2026-03-${wire}:00+08:00`)

it('names the windows that are over, payment only where there is a fee, and nothing before or without a window', () => {
  const windows = { feeMode: 1, examineEnd: at('21T17:00'), payEnd: at('22T17:00'), ticketEnd: at('28T09:00') }
  const said = (now: string, more = {}) => lateFor({ ...windows, ...more }, at(now)).map(({ zh }) => zh)
  expect(said('21T16:59')).toEqual([])
  expect(said('21T17:00')).toEqual(['审核已于 2026-03-21 17:00 截止'])
  expect(said('28T09:00')).toEqual([
    '审核已于 2026-03-21 17:00 截止',
    '缴费已于 2026-03-22 17:00 截止，通过后不能缴费',
    '准考证下载已于 2026-03-28 09:00 截止',
  ])
  expect(said('28T09:00', { feeMode: 0, ticketEnd: null })).toEqual(['审核已于 2026-03-21 17:00 截止'])
})
