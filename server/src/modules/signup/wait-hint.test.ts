import { expect, test } from 'vitest'
import type { Ctx } from '#kernel/http/context.ts'
import type { Log } from '#kernel/log.ts'
import { createReviewQueues, waitHints } from './wait-hint.ts'

test('a queue that cannot be read costs the hint and nothing else, is told in the log, and is asked for again', async () => {
  const told: unknown[] = []
  const log = { error: (...what: unknown[]) => told.push(what) } as unknown as Log
  let asked = 0
  const ctx = {
    tenantId: '000000',
    arrivedAt: new Date('2026-03-18T10:00:00+08:00'),
    asSystem: async () => {
      asked += 1
      throw new Error('canceling statement due to statement timeout')
    },
  } as unknown as Ctx
  const queues = createReviewQueues()
  const row = { signupId: '1', examId: '2', state: 'waiting', submitTime: new Date('2026-03-17T10:00:00+08:00') } as const
  for (let i = 0; i < 2; i += 1) expect(await waitHints({ queues, services: { log } }, ctx, [row])).toEqual(new Map())
  expect(asked).toBe(2)
  expect(told).toEqual(Array(2).fill([{ err: 'canceling statement due to statement timeout' }, 'the queue of a review could not be read']))
})
