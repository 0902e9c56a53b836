import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ownSteps } from '../../../../test/support/own-steps.ts'

const outcomes = JSON.parse(readFileSync(new URL('flowable-outcomes.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, readonly string[]>
>

/** `server/test/flows/flow/flowable.test.ts` asks a running Flowable for more of them. */
test('[S7.32] 200 random processes take the steps that a real Flowable 7.2.0 took', async () => {
  const own: Record<string, readonly string[]> = {}
  for (const seed of Object.keys(outcomes)) own[seed] = await ownSteps(Number(seed))
  expect(Object.keys(outcomes)).toHaveLength(200)
  expect(own).toEqual(outcomes)
})
