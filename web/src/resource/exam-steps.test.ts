import { expect, it } from 'vitest'
import { stepOfPath, steps } from './exam-steps.ts'

it('leads every problem of the release check to the step that mends it', () => {
  const led = {
    organizer: 'basic',
    promise: 'basic',
    signEnd: 'times',
    payBegin: 'times',
    msTicketEnd: 'times',
    posts: 'posts',
    'posts.A001': 'posts',
    'signitems.idCard': 'fields',
    'signfiles.photo': 'files',
    feeFen: 'papers',
    'examitems.01': 'papers',
    writtenWeight: 'review',
  }
  expect(Object.fromEntries(Object.keys(led).map(path => [path, steps[stepOfPath(path) ?? -1]?.key]))).toEqual(led)
  expect(stepOfPath('')).toBeNull()
})
