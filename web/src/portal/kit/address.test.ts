import { expect, test } from 'vitest'
import { matchPath } from './address.ts'

test('a pattern names the parts of a path, and only of a path of its own length', () => {
  expect(matchPath('/signup/exam/:examId', '/signup/exam/17')).toEqual({ examId: '17' })
  expect(matchPath('/signup/exam/:examId', '/signup/exam/a%20b/')).toEqual({ examId: 'a b' })
  expect(matchPath('/', '/')).toEqual({})
  for (const path of ['/signup/exam', '/signup/exam/', '/signup/exam/1/2', '/signup/form/1', '/signup/exam/%E0'])
    expect(matchPath('/signup/exam/:examId', path), path).toBeNull()
})
