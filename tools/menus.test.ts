import { expect, test } from 'vitest'
import { allRoutes } from '#contract/registry.ts'
import { consolePaths } from '../e2e/support/registry.ts'
import type { MenuSeed } from '../server/seed/base/menu-seed.ts'
import { menuSeeds, roleAliases } from '../server/seed/base/menus.ts'
import { firstCallsOfConsole } from '../web/src/boot/first-calls.ts'

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

/** What a screen asks first once an examination is chosen; until then it asks for the examinations alone. */
const callsOfExam: Readonly<Record<string, string>> = {
  '/examine/allot': '/blade-exam/examination/getExamAllot',
  '/examine/list': '/blade-signup/examine/getExamineList',
  '/examine/reduction': '/blade-signup/signup/getPostReductionList',
  '/examine/review': '/blade-signup/selection/recheckList',
  '/examine/signup': '/blade-signup/examine/getExamineList',
}

const withInside = (menu: MenuSeed): readonly MenuSeed[] => [menu, ...(menu.children ?? []).flatMap(withInside)]

test('whoever has an entry of the menu may make the first call of its screen', () => {
  const menus = menuSeeds.flatMap(withInside)
  const rightsOf = (role: string): ReadonlySet<string> =>
    new Set(
      menus.flatMap(({ code, buttons = [] }) =>
        buttons.flatMap(([action, , , roles]) => ((roles as readonly string[]).includes(role) ? [`${code}_${action}`] : [])),
      ),
    )
  const staffCalls = new Map(
    allRoutes().flatMap(({ method, path, access }) =>
      method === 'GET' && typeof access === 'object' && 'staff' in access ? [[path, [access.staff].flat()] as const] : [],
    ),
  )
  const callsOf = (path: string) => [...(firstCallsOfConsole[path] ?? []), callsOfExam[path]].flatMap(call => call?.split('?')[0] ?? [])
  const refused = roleAliases.flatMap(role => {
    const rights = rightsOf(role)
    return menuSeeds
      .flatMap(menu => leavesOf(menu, role))
      .flatMap(path => callsOf(path).map(call => ({ role, path, call })))
      .filter(({ call }) => staffCalls.get(call)?.some(right => rights.has(right)) === false)
  })
  expect(Object.values(callsOfExam).filter(call => !staffCalls.has(call))).toEqual([])
  expect(refused).toEqual([])
})
