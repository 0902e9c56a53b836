import { expect, test, vi } from 'vitest'
import { type Check, createReadiness } from './probes.ts'

const own = (problem: Check['problem']): Check => ({ problem, isShared: false })
const shared = (problem: Check['problem']): Check => ({ problem, isShared: true })
const never = new Promise<undefined>(() => {})

test('every check is named with ok or its reason; one that fails is as good as one that says why', async () => {
  const readiness = createReadiness({
    database: shared(async () => {
      throw new Error('connect ECONNREFUSED 127.0.0.1:5432')
    }),
    storage: own(async () => 'the disk is full'),
    keys: own(async () => undefined),
  })

  expect(await readiness.look()).toEqual({ database: 'connect ECONNREFUSED 127.0.0.1:5432', storage: 'the disk is full', keys: 'ok' })
  expect(await readiness.look(true)).toEqual({ storage: 'the disk is full', keys: 'ok' })
})

test('one that hangs is given up after its time, is not begun again meanwhile, and holds up no other', async () => {
  vi.useFakeTimers()
  try {
    let begun = 0
    const hanging = shared(() => {
      begun += 1
      return never
    })
    const readiness = createReadiness({ database: hanging, keys: own(async () => undefined) }, 800)

    const [first, second] = [readiness.look(), readiness.look()]
    await vi.advanceTimersByTimeAsync(800)

    const found = { database: 'no answer within 0.8 s', keys: 'ok' }
    expect([await first, await second]).toEqual([found, found])
    expect(begun).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})
