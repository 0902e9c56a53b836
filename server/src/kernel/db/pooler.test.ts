import { describe, expect, test } from 'vitest'
import { isTransactionPooled, type Session } from './pooler.ts'

/** Connections of a pooler with so many servers; `mode` as pgbouncer names it. */
const pooler = (mode: 'session' | 'transaction' | 'statement', servers: number, isRoundRobin = false) => {
  const idle = Array.from({ length: servers }, (_, n) => 100 + n)
  let open = 0
  const take = (): number => {
    const pid = isRoundRobin ? idle.shift() : idle.pop()
    if (pid === undefined) throw new Error('no server is idle: the look would wait')
    return pid
  }
  return {
    left: () => open,
    connect: async (): Promise<Session> => {
      open += 1
      const held = mode === 'session' ? take() : undefined
      let inTransaction: number | undefined
      return {
        query: async text => {
          if (text === 'begin' && mode === 'statement') throw new Error('transaction blocks not allowed in statement pooling mode')
          if (text === 'begin' && mode === 'transaction') inTransaction = take()
          if (text === 'rollback' && inTransaction !== undefined) {
            idle.push(inTransaction)
            inTransaction = undefined
          }
          const known = held ?? inTransaction
          const pid = known ?? take()
          if (known === undefined) idle.push(pid)
          return { rows: text.startsWith('select') ? [{ pid }] : [] }
        },
        end: async () => {
          open -= 1
          if (held !== undefined) idle.push(held)
        },
      }
    },
  }
}

describe('a pooler', () => {
  test.each([
    ['transaction', 1, false, true],
    ['transaction', 4, false, true],
    ['transaction', 4, true, true],
    ['statement', 4, false, true],
    ['session', 4, false, false],
    ['session', 4, true, false],
  ] as const)('in %s mode with %i servers, in turns: %s', async (mode, servers, isRoundRobin, isPooled) => {
    const of = pooler(mode, servers, isRoundRobin)
    expect(await isTransactionPooled(of.connect)).toBe(isPooled)
    expect(of.left()).toBe(0)
  })
})
