import { expect, test } from 'vitest'
import { parseInstant } from '../exam/window.ts'
import { endText } from './end-text.ts'
import { endBeside, endOfWindow, fromWireTime, toEndMinute, toWireEnd, toWireTime } from './when.ts'

test('[19.9] 24:00 ends the day it stands with, and no other time is made up', () => {
  const read = (text: string) => {
    const instant = fromWireTime(text)
    // Both readers of the wire say the same.
    expect([text, parseInstant(text)]).toEqual([text, instant?.getTime()])
    return instant === undefined ? null : toWireTime(instant)
  }
  expect(
    [
      '2026-03-20 24:00:00',
      '2026-02-28 24:00:00',
      '2028-02-28 24:00:00',
      '2026-12-31 24:00:00',
      '2026-03-20 23:59:59',
      '2026-02-30 24:00:00',
      '2026-02-28 24:00:01',
      '2026-02-28 24:01:00',
      '2026-02-28 25:00:00',
      '2026-13-01 24:00:00',
      '24:00:00',
    ].map(read),
  ).toEqual([
    '2026-03-21 00:00:00',
    '2026-03-01 00:00:00',
    '2028-02-29 00:00:00',
    '2027-01-01 00:00:00',
    '2026-03-20 23:59:59',
    ...Array.from({ length: 6 }, () => null),
  ])
})

test('[19.9] an end that is written as the last second of a minute has that second, and is read as the end of its day', () => {
  const end = (text: string) => {
    const written = fromWireTime(text)
    if (written === undefined) throw new Error(text)
    return [toWireTime(endOfWindow(written)), toWireEnd(endOfWindow(written))]
  }
  expect(
    ['2026-03-20 23:59:59', '2026-03-20 17:00:00', '2026-03-20 16:59:59', '2026-03-20 16:59:58', '2026-02-28 24:00:00'].map(end),
  ).toEqual([
    ['2026-03-21 00:00:00', '2026-03-20 24:00:00'],
    ['2026-03-20 17:00:00', '2026-03-20 17:00:00'],
    ['2026-03-20 17:00:00', '2026-03-20 17:00:00'],
    ['2026-03-20 16:59:58', '2026-03-20 16:59:58'],
    ['2026-03-01 00:00:00', '2026-02-28 24:00:00'],
  ])
})

test('[19.9] an end reads as the end of its day in every form it is told in; what is no instant stays as it is', () => {
  expect(
    ['2026-12-02 00:00:00', '2026-01-01 00:00:00', '2026-12-01 23:59:59', '2026-12-01 24:00:00', '2026-02-30 00:00:00', ''].map(endText),
  ).toEqual(['2026-12-01 24:00:00', '2025-12-31 24:00:00', '2026-12-01 23:59:59', '2026-12-01 24:00:00', '2026-02-30 00:00:00', ''])
  expect(toEndMinute(new Date('2026-12-02T00:00:00+08:00'))).toBe('2026-12-01 24:00')
  const begin = '2026-12-01 14:00:00'
  expect(['2026-12-01 16:30:00', '2026-12-02 00:00:00', '2026-12-02 09:00:00'].map(end => endBeside(begin, end))).toEqual([
    '16:30',
    '24:00',
    '2026-12-02 09:00',
  ])
})
