import { describe, expect, it } from 'vitest'
import { resources } from '#contract/nouns.ts'
import { allRoutes } from '#contract/registry.ts'
import { resolvePage } from './pages.ts'

/** The groups of the specification's calls that are lists of system administration, with the screen of each. */
const groups: Readonly<Record<string, string>> = {
  'blade-system/tenant-package': '/system/tenant-package',
  'blade-system/param': '/system/param',
  'blade-system/role': '/authority/role',
  'blade-system/menu': '/system/menu',
  'blade-system/topmenu': '/system/topmenu',
  'blade-system/region': '/base/region',
  'blade-system/dict': '/system/dict',
  'blade-system/dict-biz': '/system/dictbiz',
  'blade-system/dept': '/system/dept',
  'blade-system/post': '/system/post',
  'blade-system/data-scope': '/authority/datascope',
  'blade-system/api-scope': '/authority/apiscope',
  'blade-system/tenant': '/system/tenant',
  'blade-system/client': '/system/client',
  'blade-system/user': '/system/user',
}

describe('[S2.52] lists of the resource groups', () => {
  const calls = new Set(allRoutes().map(route => `${route.method} ${route.path}`))

  it.each(Object.entries(groups))('%s has its list, detail, submit and remove, and a screen', async (group, path) => {
    expect(calls.has(`GET /${group}/list`) || calls.has(`GET /${group}/page`)).toBe(true)
    expect(['GET', 'POST', 'POST'].map((method, at) => calls.has(`${method} /${group}/${['detail', 'submit', 'remove'][at]}`))).toEqual([
      true,
      true,
      true,
    ])
    expect(await resolvePage(path)).toMatchObject({ menuPath: path, title: { zh: expect.any(String), en: expect.any(String) } })
  })

  it('every declared resource with a menu has a screen there', async () => {
    const paths = resources.flatMap(resource => (resource.menuPath ? [resource.menuPath] : []))
    const lost: string[] = []
    for (const path of paths) if ((await resolvePage(path)) === null) lost.push(path)
    expect([paths.length > 15, lost]).toEqual([true, []])
  })
})
