import { expect, test } from 'vitest'
import { routes } from '#contract/registry.ts'
import { chinese, meaningOf } from './meanings.ts'

test('what a call means is told in both languages, for the same calls', () => {
  const told = routes.filter(route => 'means' in route && route.means !== undefined).map(route => `${route.method} ${route.path}`)
  expect(Object.keys(chinese).sort()).toEqual([...new Set(told)].sort())
  const call = 'POST /blade-system/tenant/pass'
  expect([meaningOf(call, 'zh'), meaningOf(call, 'en'), meaningOf('GET /nowhere', 'zh')]).toEqual([
    '移出回收站',
    'out of the recycle bin',
    '',
  ])
  // What comes in by its declaration needs no line.
  expect([meaningOf('POST /blade-system/param/import', 'zh'), meaningOf('POST /blade-system/param/import', 'en')]).toEqual([
    '参数键名相同的系统参数修改，没有的新增；不删除',
    'a parameter that is there under this key is changed, any other is added; none is removed',
  ])
})
