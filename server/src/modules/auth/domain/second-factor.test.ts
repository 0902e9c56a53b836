import { describe, expect, test } from 'vitest'
import { isFactorDue, recoveryKey, recoveryText } from './second-factor.ts'

const who = (userType: number, ...roleAliases: string[]) => ({ userType, roleAliases })

describe('of whom a second factor is demanded', () => {
  const people = [
    who(1, 'finance', 'admin'),
    who(1, 'secadmin'),
    who(1, 'administrator'),
    who(1, 'finance'),
    who(2, 'candidate'),
    who(3, 'admin'),
  ]
  test.each([
    [{ admins: false, staff: false }, [false, false, false, false, false, false]],
    [{ admins: true, staff: false }, [true, true, true, false, false, false]],
    [{ admins: false, staff: true }, [true, true, true, true, false, false]],
  ])('%o', (rule, due) => {
    expect(people.map(person => isFactorDue(rule, person))).toEqual(due)
  })
})

test('a recovery code reads the same however it is typed', () => {
  expect(recoveryText('abcd2345wxyz')).toBe('abcd-2345-wxyz')
  expect([' ABCD-2345-wxyz ', 'abcd2345wxyz', 'abcd 2345–wxyz'].map(recoveryKey)).toEqual(Array(3).fill('abcd2345wxyz'))
})
