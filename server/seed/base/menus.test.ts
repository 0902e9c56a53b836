import { describe, expect, test } from 'vitest'
import { type MenuSeed, menuSeeds, type RoleAlias, roleAliases } from './menus.ts'

const flat = (seeds: readonly MenuSeed[]): MenuSeed[] => seeds.flatMap(seed => [seed, ...flat(seed.children ?? [])])
const screens = flat(menuSeeds).filter(seed => !seed.children)

/** Who has which screen at first. The specification leaves it open; the design paper on the domain settles it. */
const holders: Readonly<Record<string, string>> = {
  '/wel/index': 'administrator admin secadmin auditor exam_admin unit_hr reviewer1 reviewer2 recheck finance site school',
  '/wel/dashboard': 'admin exam_admin unit_hr finance auditor',
  '/exam/examination': 'admin exam_admin',
  '/exam/typeCode': 'admin exam_admin unit_hr',
  '/exam/userCode': 'admin exam_admin',
  '/exam/examitem': 'admin exam_admin',
  '/exam/items': 'admin exam_admin',
  '/exam/files': 'admin exam_admin',
  '/examine/list': 'exam_admin unit_hr reviewer1 reviewer2',
  '/examine/userupdate': 'admin exam_admin',
  '/ticket/ticket': 'exam_admin',
  '/result/result': 'exam_admin',
  '/system/tenant': 'administrator',
  '/system/tenant-package': 'administrator',
  '/system/client': 'administrator',
  '/base/region': 'administrator',
  '/system/role': 'administrator admin secadmin',
  '/system/menu': 'administrator admin secadmin',
  '/system/dataScope': 'administrator admin secadmin',
  '/system/apiScope': 'administrator admin secadmin',
  '/monitor/online': 'administrator admin secadmin auditor',
  '/monitor/authLog': 'administrator admin secadmin auditor',
  '/monitor/audit': 'auditor',
  '/monitor/alert': 'secadmin auditor',
  '/monitor/watchRule': 'secadmin auditor',
}

describe('[S6.09] roles of each screen', () => {
  test('are those of the design paper', () => {
    const held = Object.fromEntries(screens.filter(seed => seed.path in holders).map(seed => [seed.path, [...seed.roles].sort().join(' ')]))
    expect(held).toEqual(Object.fromEntries(Object.entries(holders).map(([path, roles]) => [path, roles.split(' ').sort().join(' ')])))
  })

  test('every screen has somebody, none is a candidate’s, and each member of staff has one beyond the first page', () => {
    expect(screens.filter(seed => seed.roles.length === 0 || seed.roles.includes('candidate')).map(seed => seed.path)).toEqual([])
    const screensOf = (alias: RoleAlias): number => screens.filter(seed => seed.roles.includes(alias)).length
    // Whose screens are not built yet has the first page alone.
    const waiting: readonly RoleAlias[] = ['recheck', 'site', 'school', 'candidate']
    expect(roleAliases.filter(alias => !waiting.includes(alias) && screensOf(alias) < 2)).toEqual([])
  })
})
