import { expect, test } from 'vitest'
import { createManualClock } from './clock.ts'
import { type ClockReading, clockProblem, createClockWatch, isOff } from './clock-watch.ts'
import { createLog } from './log.ts'

const world = (tripMs = 0) => {
  const own = createManualClock('2026-03-17T10:00:00Z')
  let monotonic = 5_000
  let there = own.now().getTime()
  const pass = (ms: number): void => {
    own.advance(ms)
    monotonic += ms
    there += ms
  }
  const ask = async (): Promise<Date> => {
    pass(tripMs / 2)
    const answer = new Date(there)
    pass(tripMs / 2)
    return answer
  }
  const watch = createClockWatch(ask, createLog('silent'), { own, monotonicMs: () => monotonic })
  return { own, watch, pass, there: () => there }
}

test('[19.20] more than a second for certain is off; what a slow link leaves open is not', () => {
  const cases: readonly (readonly [aheadMs: number, uncertainMs: number, expected: boolean])[] = [
    [0, 0, false],
    [1_000, 0, false],
    [1_001, 0, true],
    [-1_001, 0, true],
    [1_500, 600, false],
    [1_700, 600, true],
  ]
  for (const [aheadMs, uncertainMs, expected] of cases) expect([aheadMs, isOff({ aheadMs, uncertainMs })]).toEqual([aheadMs, expected])
})

test('[19.20] a clock that is set while the program runs is noticed at the next look, and so is its coming back', async () => {
  const { own, watch, pass } = world(40)
  const turns: [number, boolean][] = []
  watch.start((reading, off) => turns.push([reading.aheadMs, off]))
  expect((await watch.look()).aheadMs).toBe(0)
  expect(watch.offBy()).toBeUndefined()
  own.advance(1_200)
  pass(5_000)
  await watch.look()
  expect(watch.offBy()).toBe(1_200)
  await watch.look()
  own.advance(-1_200)
  await watch.look()
  expect([watch.offBy(), turns]).toEqual([
    undefined,
    [
      [1_200, true],
      [0, false],
    ],
  ])
  watch.stop()
})

test('[19.20] the common clock is the database’s, whatever is done to the machine’s', async () => {
  const { own, watch, pass, there } = world(40)
  own.advance(-900)
  await watch.look()
  expect(watch.clock.now().getTime()).toBe(there())
  own.advance(-3_600_000)
  pass(2_500)
  expect(watch.clock.now().getTime()).toBe(there())
})

test('[19.20] who starts it reads by how much and which way', () => {
  const said = (reading: ClockReading): string => clockProblem(reading)
  expect(said({ aheadMs: 2_340, uncertainMs: 1 })).toContain('is 2.3 s ahead of the database')
  expect(said({ aheadMs: -61_000, uncertainMs: 1 })).toContain('is 61.0 s behind the database')
})
