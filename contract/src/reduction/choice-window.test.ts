import { expect, test } from 'vitest'
import { choiceWindowOf, choiceWindowProblem } from './choice-window.ts'

const now = new Date('2026-03-22T10:00:00+08:00')

test.each([
  [{}, 'choiceBegin', 'A cancellation needs a time from which people choose'],
  [{ choiceEnd: '2026-03-24 17:00:00' }, 'choiceBegin', 'A cancellation needs a time from which people choose'],
  [{ choiceBegin: '2026-03-22 18:00:00' }, 'choiceEnd', 'A cancellation needs a time until which people choose'],
  [{ choiceBegin: '2026-03-24 17:00:00', choiceEnd: '2026-03-24 17:00:00' }, 'choiceEnd', 'It must end after it begins'],
  [{ choiceBegin: '2026-03-20 18:00:00', choiceEnd: '2026-03-22 10:00:00' }, 'choiceEnd', 'It has passed already'],
] as const)('[S7.46] %o: %s', (given, field, said) => {
  const found = choiceWindowProblem(choiceWindowOf(given), now)
  expect([found?.field, found?.problem.en]).toEqual([field, said])
})

test('[S7.46] a window that is open, or will be, is taken', () => {
  for (const choiceBegin of ['2026-03-20 18:00:00', '2026-03-23 00:00:00'])
    expect(choiceWindowProblem(choiceWindowOf({ choiceBegin, choiceEnd: '2026-03-24 17:00:00' }), now)).toBeUndefined()
})
