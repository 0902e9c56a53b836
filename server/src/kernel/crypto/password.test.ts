import { expect, test } from 'vitest'
import { randomBytes } from '#kernel/random.ts'
import { BusyError, createGate } from './gate.ts'
import { createPasswordHasher, pepperId } from './password.ts'
import { hashToken, newToken } from './token.ts'

const pepper = randomBytes(32)
const hasher = createPasswordHasher({ pepper })

test('password › a hash verifies its own password only, and only with its pepper', async () => {
  const stored = await hasher.hash('correct horse 电池')
  expect(stored).toMatch(/^\$argon2id-sm3\$v=19\$m=19456,t=2,p=1\$[^$]{22}\$[^$]{43}$/)
  expect(await hasher.verify('correct horse 电池', stored)).toBe(true)
  expect(await hasher.verify('correct horse', stored)).toBe(false)
  expect(await createPasswordHasher({ pepper: randomBytes(32) }).verify('correct horse 电池', stored)).toBe(false)
  expect(hasher.needsRehash(stored)).toBe(false)
  expect(hasher.needsRehash(stored.replace('t=2', 't=1'))).toBe(true)
})

test('password › a pepper that was replaced verifies what it made, which is due to be made again with the present one', async () => {
  const next = randomBytes(32)
  const renewed = createPasswordHasher({ pepper: { current: () => next, accepted: () => [next, pepper] } })
  const old = await hasher.hash('correct horse 电池')
  expect(await Promise.all(['correct horse 电池', 'correct horse'].map(plain => renewed.verify(plain, old)))).toEqual([true, false])
  expect(renewed.needsRehash(old)).toBe(true)
  const made = await renewed.hash('correct horse 电池')
  expect(made).toContain(`,keyid=${pepperId(next)}$`)
  expect([renewed.needsRehash(made), await renewed.verify('correct horse 电池', made)]).toEqual([false, true])
  expect(await hasher.verify('correct horse 电池', made)).toBe(false)
  // The former one is given up: what it made opens no more, what the present one made stays.
  const later = createPasswordHasher({ pepper: next })
  expect([await later.verify('correct horse 电池', old), await later.verify('correct horse 电池', made), later.needsRehash(made)]).toEqual([
    false,
    true,
    false,
  ])
})

test('password › refuses foreign, empty and greedy stored texts', async () => {
  const greedy = (await hasher.hash('a')).replace('m=19456', 'm=9999999')
  const stored = ['', 'plain', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaA', greedy]
  expect(await Promise.all(stored.map(text => hasher.verify('a', text)))).toEqual([false, false, false, false])
  await hasher.dummyVerify('a')
})

test('password › beyond the queue the call is refused as busy, and the queue drains', async () => {
  const narrow = createPasswordHasher({ pepper, places: 1, queueLength: 2 })
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => narrow.hash('a')))
  expect(outcomes.map(outcome => outcome.status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'])
  expect(outcomes[4]?.status === 'rejected' && outcomes[4].reason).toBeInstanceOf(BusyError)
  expect(await narrow.verify('a', await narrow.hash('a'))).toBe(true)
})

test('gate › never lets more than its places in, and frees the place of a failure', async () => {
  const gate = createGate(2, 100)
  let inside = 0
  let most = 0
  const work = async (fails: boolean) => {
    most = Math.max(most, ++inside)
    await new Promise(resolve => setImmediate(resolve))
    inside--
    if (fails) throw new Error('failed')
  }
  await Promise.allSettled(Array.from({ length: 40 }, (_, i) => gate.run(() => work(i % 3 === 0))))
  expect([most, inside]).toEqual([2, 0])
})

test('token › 256 bits in base64url, stored as SM3', () => {
  const token = newToken()
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(newToken()).not.toBe(token)
  expect(hashToken('abc')).toBe('66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0')
})
