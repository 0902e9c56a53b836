import { expect, it } from 'vitest'
import { openFirst } from './open-exams.ts'

it('what can be joined today is not pushed off the first page by what comes later', () => {
  const exams = ['notStarted', 'closed', 'notStarted', 'signing', 'examining', 'signing'].map((phase, id) => ({ id, phase }))
  expect(openFirst(exams, 3).map(({ id }) => id)).toEqual([3, 5, 0])
  expect(openFirst([], 3)).toEqual([])
})
