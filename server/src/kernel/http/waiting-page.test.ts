import { describe, expect, test } from 'vitest'
import { ownAddress } from './waiting-page.ts'
import { arrivalPages } from './waiting-routes.ts'

describe('the waiting room', () => {
  test.each([
    ['/signup/examList', '/signup/examList'],
    ['/login?redirect=%2F', '/login?redirect=%2F'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/a b', '/'],
    [`/${'a'.repeat(600)}`, '/'],
    [undefined, '/'],
  ])('goes on to this site alone: %s', (to, own) => {
    expect(ownAddress(to)).toBe(own)
  })

  test('stands in front of the pages that lead to a log-in, a registration or a form, and of no other', () => {
    const paths = [
      '/login',
      '/register',
      '/register/forgot',
      '/signup/form/12',
      '/',
      '/news',
      '/signup/examList',
      '/signup/exam/12',
      '/signup/examPay',
    ]
    expect(paths.filter(path => arrivalPages.some(page => page.test(path)))).toEqual([
      '/login',
      '/register',
      '/register/forgot',
      '/signup/form/12',
    ])
  })
})
