import { expect, test } from 'vitest'
import { missingDuty } from './missing-duty.ts'

const roles = [
  { id: '1', roleName: '考点', roleAlias: 'site' },
  { id: '2', roleName: '院校', roleAlias: 'school' },
  { id: '3', roleName: '财务', roleAlias: 'finance' },
]

test('[26.12] an account without a role, or of a site or school without its code, is asked about', () => {
  expect(missingDuty({}, roles)).toEqual({ kind: 'noRole' })
  expect(missingDuty({ userType: '1', roleId: '' }, roles)).toEqual({ kind: 'noRole' })
  expect(missingDuty({ roleId: '1' }, roles)).toEqual({ kind: 'noCode', role: '考点' })
  expect(missingDuty({ roleId: '1,2', userCode: '' }, roles)).toEqual({ kind: 'noCode', role: '考点、院校' })
})

test('[26.12] nothing is asked where the account will see something, or is a service', () => {
  expect(missingDuty({ roleId: '1', userCode: '0101' }, roles)).toBeNull()
  expect(missingDuty({ roleId: '1,3' }, roles)).toBeNull()
  expect(missingDuty({ roleId: '9' }, roles)).toBeNull()
  expect(missingDuty({ userType: '3' }, roles)).toBeNull()
})
