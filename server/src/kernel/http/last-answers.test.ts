import { expect, test } from 'vitest'
import { createManualClock } from '../clock.ts'
import { createLastAnswers } from './last-answers.ts'

const start = '2026-05-11T09:00:00+08:00'

test('the last answer of an address is found with its time, an old one only where any age will do', () => {
  const clock = createManualClock(start)
  const last = createLastAnswers(clock)
  last.keep('a', { type: 'text/plain', body: 'one' })
  last.keep('a', { type: 'text/plain', body: 'two' })
  clock.advance(11_000)
  expect(last.find('a')).toEqual({ type: 'text/plain', body: 'two', atMs: Date.parse(start) })
  expect([last.find('a', 10_000), last.find('a', 11_000)?.body, last.find('b')]).toEqual([undefined, 'two', undefined])
})

test('memory has an end: the oldest go first, and an answer larger than a megabyte never comes in', () => {
  const last = createLastAnswers(createManualClock(start))
  const body = 'x'.repeat(1_048_576)
  for (let at = 0; at < 40; at += 1) last.keep(`a${at}`, { type: 'text/plain', body })
  last.keep('large', { type: 'text/plain', body: `${body}x` })
  expect([last.find('a7'), last.find('a8')?.body.length, last.find('a39')?.body.length, last.find('large')]).toEqual([
    undefined,
    1_048_576,
    1_048_576,
    undefined,
  ])
})

test('one failure speaks for two seconds, or until somebody has been answered', () => {
  const clock = createManualClock(start)
  const last = createLastAnswers(clock)
  last.noteAway()
  expect(last.isAway()).toBe(true)
  clock.advance(2_000)
  expect(last.isAway()).toBe(false)
  last.noteAway()
  last.keep('a', { type: 'text/plain', body: '' })
  expect(last.isAway()).toBe(false)
})
