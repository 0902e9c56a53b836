import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { create } from 'zustand'
import { examinationsPath, type PageViews } from '../console/page-entry.ts'
import { api } from '../kernel/api.ts'
import { isApiError } from '../kernel/api-error.ts'
import type { Label, Lang } from '../kernel/i18n/index.ts'
import { onForget, useSession } from '../kernel/session.ts'
import { writeStored } from '../kernel/storage.ts'

export const homePath = '/wel/index'

/** A node of GET menu/routes (S3.15). */
export interface MenuNode {
  readonly id: string
  readonly code?: string | null
  readonly name: string
  readonly path?: string | null
  readonly source?: string | null
  /** 2: opens in a window of its own. */
  readonly isOpen?: number | null
  /** `roles`: aliases, comma-joined. */
  readonly meta?: { readonly roles?: string | null; readonly i18n?: Label | null } | null
  readonly children?: readonly MenuNode[] | null
}

export interface MenuItem {
  readonly key: string
  readonly code: string
  readonly label: Label
  /** The sign that an administrator chose, or a word the program knows no sign for. */
  readonly source?: string
  /** Path in the console; null for a group. External pages have the path of their frame. */
  readonly path: string | null
  /** Address of an external page. */
  readonly href: string | null
  readonly newWindow: boolean
  /** Paths of other views of the same. */
  readonly views?: readonly string[]
  readonly children: readonly MenuItem[]
}

/** S6.02: an item shows when it lists no roles or one of the person's. */
const isShown = (node: MenuNode, roles: readonly string[]): boolean => {
  const wanted = (node.meta?.roles ?? '').split(',').filter(Boolean)
  return wanted.length === 0 || wanted.some(role => roles.includes(role))
}

const isExternal = (path: string) => /^https?:\/\//i.test(path) || /\.html?([?#]|$)/i.test(path)

/** A menu that an administrator made has one name for both languages. */
const labelOf = (node: MenuNode): Label => ({ zh: node.meta?.i18n?.zh || node.name, en: node.meta?.i18n?.en || node.name })

const itemOf = (node: MenuNode, roles: readonly string[]): MenuItem | null => {
  const children = (node.children ?? []).flatMap(child => (isShown(child, roles) ? (itemOf(child, roles) ?? []) : []))
  const path = node.path ?? ''
  const external = isExternal(path)
  const code = node.code ?? node.id
  if (children.length === 0 && path === '') return null
  return {
    key: node.id,
    code,
    label: labelOf(node),
    source: node.source ?? '',
    path: children.length > 0 ? null : external ? `/myiframe/${encodeURIComponent(code)}` : path.startsWith('/') ? path : `/${path}`,
    href: external ? path : null,
    newWindow: node.isOpen === 2,
    children,
  }
}

/** The side menu out of the server's tree (S2.18, S6.02). */
export const menuOf = (nodes: readonly MenuNode[], roles: readonly string[]): readonly MenuItem[] =>
  nodes.flatMap(node => (isShown(node, roles) ? (itemOf(node, roles) ?? []) : []))

export const leavesOf = (items: readonly MenuItem[]): readonly MenuItem[] =>
  items.flatMap(item => (item.children.length > 0 ? leavesOf(item.children) : [item]))

/**
 * The menu without the pages that stand in the workspaces of examinations, for whoever has the list of these. A group of which one page is left is
 * that page.
 */
export const withoutSections = (items: readonly MenuItem[], inWorkspaces: ReadonlySet<string>): readonly MenuItem[] => {
  if (!leavesOf(items).some(item => item.path === examinationsPath)) return items
  const rest = (of: readonly MenuItem[]): readonly MenuItem[] =>
    of.flatMap((item): readonly MenuItem[] => {
      if (item.children.length === 0) return item.path !== null && inWorkspaces.has(item.path) ? [] : [item]
      const children = rest(item.children)
      if (children.length === item.children.length) return [{ ...item, children }]
      const [only] = children
      return children.length > 1 ? [{ ...item, children }] : only === undefined ? [] : [only]
    })
  return rest(items)
}

/** The menu with one entry for the views of one thing, for whoever has the page that they are led from. */
export const withOneView = (items: readonly MenuItem[], views: ReadonlyMap<string, PageViews>): readonly MenuItem[] => {
  const own = [...views].filter(([path]) => leavesOf(items).some(item => item.path === path))
  const others = new Set(own.flatMap(([, of]) => of.others))
  const rest = (of: readonly MenuItem[]): readonly MenuItem[] =>
    of.flatMap(item => {
      if (item.path !== null && others.has(item.path)) return []
      const found = item.path === null ? undefined : own.find(([path]) => path === item.path)?.[1]
      return [{ ...item, ...(found && { label: found.title, views: found.others }), children: rest(item.children) }]
    })
  return own.length === 0 ? items : rest(items)
}

const pathsOf = (nodes: readonly MenuNode[]): readonly string[] => nodes.flatMap(node => [node.path ?? '', ...pathsOf(node.children ?? [])])

/** What the boot script (web/boot.js) may ask for before the menu is here. */
const writePaths = (nodes: readonly MenuNode[]): void =>
  writeStored(
    'paths',
    pathsOf(nodes).filter(path => path.startsWith('/')),
  )
onForget(() => writeStored('paths', null))

const againMs = 5_000
/** All menus of the person, or those of one top menu. */
const menuQueryOf = (topMenuId: string | null) =>
  queryOptions({
    queryKey: ['shell', 'menu', topMenuId],
    queryFn: async (): Promise<readonly MenuNode[]> => {
      // The place of the menu says that it failed.
      if (topMenuId !== null) return api.call('GET /blade-system/menu/routes', { topMenuId }, { quiet: true })
      const nodes = await api.call('GET /blade-system/menu/routes', {}, { quiet: true })
      writePaths(nodes)
      return nodes
    },
    staleTime: Number.POSITIVE_INFINITY,
    // A server that is away for a moment, as while it starts anew: the console comes back by itself.
    refetchInterval: ({ state: { error } }) => (isApiError(error) && (error.isOffline || error.status >= 500) ? againMs : false),
  })
export const menuQuery = menuQueryOf(null)

const nobodysRoles: readonly string[] = []
/** Worked out once for a menu: everything that shows it is drawn at every switch of tabs. */
const useItems = (nodes: readonly MenuNode[] | undefined, roles: readonly string[]) =>
  useMemo(() => (nodes === undefined ? null : menuOf(nodes, roles)), [nodes, roles])

export const useMenu = () => {
  const roles = useSession(session => session.user?.roles) ?? nobodysRoles
  const query = useQuery(menuQuery)
  return { ...query, items: useItems(query.data, roles) }
}

/** The items of the top bar (S2.39). */
export const useTopMenus = () =>
  useQuery({
    queryKey: ['shell', 'top-menu'],
    queryFn: () => api.call('GET /blade-system/menu/top-menu', {}, { quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
  })
/** The side menu of a top menu; null is the home item, which shows the main one, or everything where none is. */
export const useTopMenu = create<{ chosen: string | null }>(() => ({ chosen: null }))
onForget(() => useTopMenu.setState({ chosen: null }))

export const useSideMenu = () => {
  const roles = useSession(session => session.user?.roles) ?? nobodysRoles
  const { data: tops = [] } = useTopMenus()
  const chosen = useTopMenu(state => state.chosen) ?? tops.find(top => top.isMain === 1)?.id ?? null
  const query = useQuery(menuQueryOf(chosen))
  return { ...query, items: useItems(query.data, roles) }
}

export interface RoleName {
  readonly roleName: string
  readonly roleAlias: string
}
/** S6.01. The names come in the reader's language. */
export const roleQuery = (lang: Lang) =>
  queryOptions({
    queryKey: ['shell', 'roles', lang],
    queryFn: (): Promise<readonly RoleName[]> => api.call('GET /blade-system/role/role-list', {}, { quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const roleNameOf = (roles: readonly RoleName[] | undefined, aliases: readonly string[]): string | null =>
  roles?.find(role => aliases.includes(role.roleAlias))?.roleName ?? null
