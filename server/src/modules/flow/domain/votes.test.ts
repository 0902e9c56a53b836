import { expect, test } from 'vitest'
import { decide } from './votes.ts'

test.each([
  ['all', 100, 3, 2, 0, 'open'],
  ['all', 100, 3, 3, 0, 'agreed'],
  ['all', 100, 3, 0, 1, 'refused'],
  ['any', 100, 3, 0, 2, 'open'],
  ['any', 100, 3, 1, 2, 'agreed'],
  ['any', 100, 3, 0, 3, 'refused'],
  ['share', 60, 5, 2, 0, 'open'],
  ['share', 60, 5, 3, 2, 'agreed'],
  ['share', 60, 5, 2, 2, 'open'],
  ['share', 60, 5, 2, 3, 'refused'],
  ['share', 1, 50, 1, 0, 'agreed'],
] as const)('%s (%i %%) of %i with %i for and %i against: %s', (rule, share, members, agreed, refused, expected) =>
  expect(decide(rule, share, { members, agreed, refused })).toBe(expected),
)
