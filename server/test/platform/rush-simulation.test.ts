import { expect, test } from 'vitest'
import { percentile, type RushPlan, simulateRush } from '../support/rush.ts'

const isLong = process.env['KAOPU_LONG'] === '1'

/** Processor time of each call on one core, milliseconds: estimates on the high side, a third of a second for a person in all. */
const steps: RushPlan['steps'] = [
  { name: 'captcha', workMs: 6, thinkMs: 2_000 },
  { name: 'code', workMs: 12, thinkMs: 5_000 },
  { name: 'register', workMs: 60, thinkMs: 15_000 },
  { name: 'log in', workMs: 60, thinkMs: 1_000 },
  { name: 'form', workMs: 25, thinkMs: 3_000 },
  ...Array.from({ length: 4 }, () => ({ name: 'save', workMs: 15, thinkMs: 20_000 })),
  { name: 'upload', workMs: 30, thinkMs: 10_000 },
  { name: 'hand in', workMs: 40, thinkMs: 20_000 },
]
const plan: RushPlan = {
  ...(isLong
    ? { arrivals: 100_000, withinMs: 600_000, killAtMs: 200_000, backAtMs: 260_000 }
    : { arrivals: 4_000, withinMs: 240_000, killAtMs: 100_000, backAtMs: 160_000 }),
  ...{ seed: 11, steps, askMs: 0.4, leaving: 0.1 },
}

test(`${plan.arrivals} arrivals on two instances of one core, half of them in the first minute, one instance killed: nobody is lost, doubled, overtaken or told wrong`, {
  timeout: 900_000,
}, async () => {
  const outcome = await simulateRush(plan)
  const late = outcome.promises.filter(({ atMs, promised }) => promised >= 60 && atMs > plan.backAtMs + 120_000)
  const wrong = late.map(({ promised, took }) => Math.abs(took - promised) / Math.max(took, promised))
  console.log(
    JSON.stringify({
      ...{ arrived: outcome.arrived, left: outcome.left, handedIn: outcome.handedIn.size, minutes: Math.round(outcome.endMs / 60_000) },
      stepMs: [0.5, 0.95, 0.99, 1].map(share => Math.round(percentile(outcome.stepMs, share))),
      askMs: Math.round(percentile(outcome.askMs, 0.99)),
      asks: outcome.asks,
      mostAsksPerSecond: outcome.mostAsksPerSecond,
      promises: late.length,
      wrongBy: [0.5, 0.9].map(share => Math.round(percentile(wrong, share) * 100)),
      longestWaitMinutes: Math.round(outcome.longestWaitMs / 60_000),
      overtaken: outcome.overtaken,
    }),
  )
  expect([
    outcome.arrived - outcome.left - outcome.handedIn.size,
    [...outcome.handedIn.values()].filter(times => times > 1).length,
  ]).toEqual([0, 0])
  expect(outcome.left).toBeGreaterThan(0)
  expect(percentile(outcome.stepMs, 0.99)).toBeLessThan(2_000)
  // A promise is right to a fifth for half of them; the rest of it is how many of those before them went away.
  expect(late.length).toBeGreaterThan(100)
  expect(percentile(wrong, 0.5)).toBeLessThan(0.25)
  // Nobody who came later went in more than a quarter of a minute earlier, but for the few whose instance died with their number.
  expect(outcome.overtaken / outcome.arrived).toBeLessThan(0.005)
})

test('without the waiting room the same people break the same machines', async () => {
  const { stepMs } = await simulateRush({
    ...plan,
    arrivals: 4_000,
    withinMs: 240_000,
    killAtMs: 100_000,
    backAtMs: 160_000,
    withoutRoom: true,
  })
  expect(percentile(stepMs, 0.5)).toBeGreaterThan(10_000)
})
