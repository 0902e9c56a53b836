import { expect, test } from 'vitest'
import { allRoutes } from '#contract/registry.ts'
import type { MenuSeed } from './menu-seed.ts'
import { menuSeeds } from './menus.ts'

/** Asked for inside a call, or by a screen that works on what others read. */
const askedElsewhere = ['region_debug', 'log_usual_other', 'log_api_other', 'log_error_other']

const codesOf = ({ code, buttons = [], children = [] }: MenuSeed): string[] => [
  ...buttons.map(([action]) => `${code}_${action}`),
  ...children.flatMap(codesOf),
]

test('[S6.03] every seeded button opens a call, and every call asks for a seeded button', () => {
  const asked = new Set<string>(allRoutes().flatMap(({ access }) => ('staff' in access ? access.staff : [])))
  const seeded = menuSeeds.flatMap(codesOf)
  expect(seeded.filter(code => !asked.has(code))).toEqual(askedElsewhere)
  expect([...asked].filter(code => !seeded.includes(code))).toEqual([])
})

test('[19.12] whoever may do something with results has the menu that leads there', () => {
  const above = menuSeeds.find(menu => menu.code === 'results')
  const page = above?.children?.find(menu => menu.code === 'result')
  const acting = (page?.buttons ?? []).flatMap(([action, , , roles]) => (action === 'view' || action === 'export' ? [] : roles))
  expect([...new Set(acting)].sort()).toEqual(['admin', 'exam_admin'])
  expect([above?.roles, page?.roles]).toEqual([
    ['exam_admin', 'admin'],
    ['exam_admin', 'admin'],
  ])
})
