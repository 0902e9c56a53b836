import { expect, it } from 'vitest'
import { evaluateConditions, type PostConditions, usualPolicy } from '#contract/signup/conditions.ts'
import { judgingOf } from './judging.ts'

const open: PostConditions = {
  ...{ bornFrom: null, bornTo: null, sex: 0, educations: null, degrees: null, majors: [], majorText: '', fresh: 0 },
  ...{ political: [], hukou: { text: '330109', prefixes: ['330109'] }, cert: [], title: null, minWorkYears: null },
}

it('names the places of a condition about the household in words, not by their codes', () => {
  const context = judgingOf({ ...usualPolicy, year: 2026, signBegin: null }, new Date('2026-03-16T01:00:00Z'))
  const checks = evaluateConditions(open, {}, { ...context, hukouRegion: '330106' })
  expect(checks.filter(check => check.rule === 'hukou').map(({ need, got, result }) => [need.zh, got.zh, result])).toEqual([
    ['萧山区', '西湖区', 'no'],
  ])
})
