import { expect, test } from 'vitest'
import { consolePaths } from '../e2e/support/registry.ts'
import type { MenuSeed } from '../server/seed/base/menu-seed.ts'
import { menuSeeds, roleAliases } from '../server/seed/base/menus.ts'

/** Paths of the entries that a role can press; a group without any stands for itself. */
const leavesOf = (menu: MenuSeed, role: string): readonly string[] => {
  if (!(menu.roles as readonly string[]).includes(role)) return []
  if (menu.children === undefined || menu.children.length === 0) return [menu.path]
  const inside = menu.children.flatMap(child => leavesOf(child, role))
  return inside.length > 0 ? inside : [menu.path]
}

test('every entry of the menu of every seeded role leads to a screen, and every role of the staff has its own work there', async () => {
  const screens = new Set(await consolePaths())
  const everybodys = /^\/(wel\/index|work\/)/
  const staff = roleAliases.filter(role => role !== 'candidate')
  const leading = staff.map(role => {
    const leaves = menuSeeds.flatMap(menu => leavesOf(menu, role))
    return { role, nowhere: leaves.filter(path => !screens.has(path)), hasOwn: leaves.some(path => !everybodys.test(path)) }
  })
  expect(leading).toEqual(staff.map(role => ({ role, nowhere: [], hasOwn: true })))
})
