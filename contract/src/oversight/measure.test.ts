import { expect, test } from 'vitest'
import { likePatternsOf, measureLabels, measures, measuresOf, placeOfMeasure } from './measure.ts'

test('a line of the trail is counted as everything that it is', () => {
  expect(
    Object.fromEntries(
      ['signup.read', 'file.read', 'region.exported', 'ticket.printed', 'role.removed', 'audit.read', 'watch-rule.updated', 'role'].map(
        code => [code, measuresOf(code)],
      ),
    ),
  ).toEqual({
    'signup.read': ['reads', 'work'],
    'file.read': ['downloads', 'work'],
    'region.exported': ['exports', 'exportedRows', 'work'],
    'ticket.printed': ['exports', 'exportedRows', 'work'],
    'role.removed': ['deletions', 'rightsChanges', 'work'],
    'audit.read': ['trailReads', 'work'],
    'watch-rule.updated': ['work', 'ruleChanges'],
    role: ['work'],
  })
  expect([likePatternsOf('exports'), likePatternsOf('work')]).toEqual([['%.exported', 'ticket.printed'], ['%']])
})

test('every measure has its words and a place where its lines are', () => {
  expect([...measures].sort()).toEqual(Object.keys(measureLabels).sort())
  expect(measures.filter(measure => placeOfMeasure(measure) !== 'audit')).toEqual(['failedLogins', 'refusals'])
})
