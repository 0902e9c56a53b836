import { expect, test } from 'vitest'
import { menuPathProblem } from './menu.ts'

const placeholder = (name: string): string => `\${${name}}`

test.each([
  '/system/menu',
  '/exam/detail/:id',
  '/stat/report?kind=1',
  `https://example.org/a?user=${placeholder('userId')}`,
  'http://10.0.0.8:8080/x.html',
])('[S2.18] %s may be the path of a menu', path => expect(menuPathProblem(path)).toBeNull())
test.each([
  '',
  'system/menu',
  '//evil.example',
  '/a//b',
  '/a/../b',
  '/a b',
  '/a\\b',
  'javascript:alert(1)',
  'data:text/html,x',
  'https:///x',
  'http:',
  'ftp://example.org',
])('[S2.18] %o is no path', path => expect(menuPathProblem(path)?.zh).toContain('路由地址须以 / 开头'))
test('[S2.18] an address of another site is not given the token', () => {
  expect(menuPathProblem(`https://example.org/?t=${placeholder('token')}`)?.en).toContain('must not carry the token placeholder')
})
