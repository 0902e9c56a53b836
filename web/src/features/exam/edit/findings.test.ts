import { expect, it } from 'vitest'
import { newDraft } from './draft.ts'
import { lacksOf } from './findings.tsx'

it('no longer asks for what was filled in since the check, and leaves other steps out', () => {
  const saved = { ...newDraft(2026), id: '5', values: { ...newDraft(2026).values, examName: '公开招聘' } }
  const missing = ['signBegin', 'signEnd', 'examName'].map(path => ({ path, msg: path }))
  const typed = { ...saved, values: { ...saved.values, signBegin: '2026-03-16 09:00:00', signEnd: '' } }
  expect(lacksOf(saved, saved, missing, 1).map(({ path }) => path)).toEqual(['signBegin', 'signEnd'])
  expect(lacksOf(typed, saved, missing, 1).map(({ path }) => path)).toEqual(['signEnd'])
})
