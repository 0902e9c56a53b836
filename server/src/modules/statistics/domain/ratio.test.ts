import { expect, test } from 'vitest'
import { opensWith, ratioText } from './ratio.ts'

test.each([
  [12, 4, '3:1'],
  [10, 4, '2.5:1'],
  [1, 3, '0.3:1'],
  [0, 2, '0:1'],
  [5, 0, null],
])('%d people for %d places: %s', (people, places, text) => expect(ratioText(people, places)).toBe(text))

test.each([
  [12, 4, 3, true],
  [11, 4, 3, false],
  [0, 4, 0, true],
])('%d people for %d places at 1:%d', (people, places, ratio, opens) => expect(opensWith(people, places, ratio)).toBe(opens))
