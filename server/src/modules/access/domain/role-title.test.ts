import { expect, test } from 'vitest'
import { roleTitle } from './role-title.ts'

test('a role is named in the language of the sentence, in English by its alias where it has no English name', () => {
  const role = { roleName: '考务', roleNameEn: 'Examination office', roleAlias: 'exam_office' }
  expect(roleTitle(role)).toEqual({ zh: '考务', en: 'Examination office' })
  expect(roleTitle({ ...role, roleNameEn: '' })).toEqual({ zh: '考务', en: 'exam_office' })
})
