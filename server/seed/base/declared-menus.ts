import type { SystemRole } from '#contract/access/role.ts'
import { isSystemRole } from '#contract/access/role.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { MenuEntry } from '#contract/kernel/menu-entry.ts'
import type { Resource } from '#contract/kernel/resource.ts'
import type { Button, MenuSeed } from './menu-seed.ts'

const words = {
  view: { zh: '查看', en: 'View' },
  add: { zh: '新增', en: 'Add' },
  edit: { zh: '编辑', en: 'Edit' },
  delete: { zh: '删除', en: 'Delete' },
  export: { zh: '导出', en: 'Export' },
  import: { zh: '导入', en: 'Import' },
} as const satisfies Readonly<Record<string, Label>>

const rolesOf = (name: string, roles: readonly string[]): readonly SystemRole[] =>
  roles.map(role => {
    if (!isSystemRole(role)) throw new Error(`${name}: there is no role ${role}`)
    return role
  })

/** The buttons that the calls of a noun ask for, and those of its own actions. */
const buttonsOf = ({ name, verbs, workbook, actions = [], menu }: Resource): readonly Button[] => {
  const roles = rolesOf(name, menu?.roles ?? [])
  const readers = rolesOf(name, [...new Set([...roles, ...(menu?.readers ?? [])])])
  const has = (verb: Resource['verbs'][number]): boolean => verbs.includes(verb)
  const plain = [
    'view' as const,
    ...(has('submit') ? (['add', 'edit'] as const) : []),
    ...(has('remove') ? (['delete'] as const) : []),
    ...(has('export') ? (['export'] as const) : []),
    ...(workbook === undefined ? [] : (['import'] as const)),
  ]
  const named = menu?.buttons ?? []
  const own = actions.filter(({ right }) => !Object.hasOwn(words, right) && !named.some(button => button.right === right))
  return [
    ...plain.map((action): Button => [action, words[action].zh, words[action].en, action === 'view' ? readers : roles]),
    ...named.map(({ right, label, roles: others }): Button => [right, label.zh, label.en, others ? rolesOf(name, others) : roles]),
    ...own.map(({ right, label }): Button => [right, label.zh, label.en, roles]),
  ]
}

const menuOf = (resource: Resource): MenuSeed => {
  const { zh, en } = resource.menu?.label ?? resource.label
  return {
    code: resource.permission,
    zh,
    en,
    path: resource.menuPath,
    icon: resource.menu?.icon ?? 'list',
    roles: rolesOf(resource.name, [...(resource.menu?.roles ?? []), ...(resource.menu?.seenBy ?? [])]),
    buttons: buttonsOf(resource),
  }
}

const codesOf = (menus: readonly MenuSeed[]): readonly string[] => menus.flatMap(({ code, children = [] }) => [code, ...codesOf(children)])

/** The same menus with one more, after its neighbour or at the end. */
const place = (menus: readonly MenuSeed[], under: string | undefined, after: string | undefined, menu: MenuSeed): readonly MenuSeed[] => {
  if (under === undefined) {
    const at = after === undefined ? menus.length : menus.findIndex(({ code }) => code === after) + 1
    return [...menus.slice(0, at), menu, ...menus.slice(at)]
  }
  return menus.map(each => {
    const { children = [] } = each
    if (each.code === under) return { ...each, children: place(children, undefined, after, menu) }
    return children.length === 0 ? each : { ...each, children: place(children, under, after, menu) }
  })
}

interface Placed {
  readonly name: string
  readonly under: string | undefined
  readonly after: string | undefined
  readonly menu: MenuSeed
}
/** Puts each into its menu behind its neighbour, in whatever order they come. */
const placeAll = (start: readonly MenuSeed[], all: readonly Placed[]): readonly MenuSeed[] => {
  let menus = start
  let waiting = all
  while (waiting.length > 0) {
    const known = codesOf(menus)
    const placed = waiting.filter(
      ({ under, after }) => (under === undefined || known.includes(under)) && (after === undefined || known.includes(after)),
    )
    if (placed.length === 0)
      throw new Error(
        `no menu to stand in or after: ${waiting.map(({ name, under, after }) => `${name} (under ${under}${after ? `, after ${after}` : ''})`).join('; ')}`,
      )
    for (const { under, after, menu } of placed) menus = place(menus, under, after, menu)
    waiting = waiting.filter(one => !placed.includes(one))
  }
  return menus
}

/** The menus of the contexts as a tree. */
export const placeEntries = (entries: readonly MenuEntry[]): readonly MenuSeed[] =>
  placeAll(
    [],
    entries.map(({ under, after, roles, buttons, ...menu }) => ({
      name: menu.code,
      under,
      after,
      menu: {
        ...menu,
        roles: rolesOf(menu.code, roles),
        ...(buttons === undefined
          ? {}
          : { buttons: buttons.map(([action, zh, en, holders]): Button => [action, zh, en, rolesOf(menu.code, holders)]) }),
      },
    })),
  )

/** Menus that are written by hand, with those of the nouns that say where theirs stands. */
export const withDeclared = (byHand: readonly MenuSeed[], resources: readonly Resource[]): readonly MenuSeed[] =>
  placeAll(
    byHand,
    resources.flatMap(resource =>
      resource.menu === undefined
        ? []
        : [{ name: resource.name, under: resource.menu.under, after: resource.menu.after, menu: menuOf(resource) }],
    ),
  )
