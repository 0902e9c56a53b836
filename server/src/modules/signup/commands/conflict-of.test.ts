import { expect, test } from 'vitest'
import type { Clock } from '#kernel/clock.ts'
import type { Actor, TenantDb } from '#kernel/db/scope.ts'
import { createKeptConflicts } from './conflict-of.ts'

test('what is kept is kept for whom the database would answer the same', async () => {
  const clock = { now: () => new Date('2026-03-17T02:00:00Z') } as Clock
  const kept = createKeptConflicts(clock)
  const whole: Actor = { kind: 'staff', tenantId: '000001', userId: '7', departments: null }
  const actors: readonly Actor[] = [
    whole,
    { ...whole, departments: [] },
    { ...whole, departments: ['12'] },
    { ...whole, units: { signup: ['H01'] } },
    { ...whole, tenantId: '000002' },
  ]
  const read: Actor[] = []
  const ask = async (actor: Actor, examId = '1'): Promise<void> => {
    const db = { actor, maybe: async () => void read.push(actor) } as unknown as TenantDb
    await kept.of(db, examId, '7')
  }
  for (const actor of [...actors, ...actors]) await ask(actor)
  expect(read).toEqual(actors)
  await ask(whole, '2')
  kept.forget()
  await ask(whole)
  expect(read.slice(actors.length)).toEqual([whole, whole])
})
