import { expect, test } from 'vitest'
import { examItem } from '#contract/exam/exam.resources.ts'
import { chargedFor } from './scoped.tsx'

test('[19.16] lists and forms have an amount only where the examination charges by the noun, and then no free default', () => {
  expect(chargedFor(examItem, false).fields['feeFen']).toBeUndefined()
  expect(Object.keys(chargedFor(examItem, false).fields)).toEqual(Object.keys(examItem.fields).filter(name => name !== 'feeFen'))
  expect(chargedFor(examItem, true).fields['feeFen']).toMatchObject({ kind: 'money', required: true })
  expect(chargedFor(examItem, true).fields['feeFen']).not.toHaveProperty('default')
})
