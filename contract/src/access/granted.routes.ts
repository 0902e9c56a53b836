import { Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { id, optional, strict } from '../kernel/schema.ts'
import { treeOf } from '../kernel/tree.ts'
import { menuLevels } from './menu.ts'
import { roleNames } from './role.routes.ts'

/**
 * Names that clients of the framework look for among the buttons, by ours: they open a drawer where this program has single buttons
 * (framework-contract 3.15, 3.16).
 */
export const frameworkButtons: Readonly<Record<string, string>> = {
  datascope_edit: 'data_scope_setting',
  apiscope_edit: 'api_scope_setting',
}

const menuFields = {
  id: Type.String(),
  parentId: Type.String(),
  code: Type.String(),
  name: Type.String(),
  alias: Type.String(),
  path: Type.String(),
  source: Type.String(),
  sort: Type.Integer(),
  category: Type.Integer(),
  action: Type.Integer(),
  isOpen: Type.Integer(),
  remark: Type.String(),
  meta: Type.Object({
    i18n: Type.Object({ zh: Type.String(), en: Type.String() }),
    /**
     * Of what is granted, the reader's roles as one text, as `role_name` of the log-in has them: clients ask whether it includes the role, or the
     * list of roles, that they hold. What only stands above something granted has none.
     */
    roles: optional(Type.String()),
  }),
}
/** A menu with its children (S3.15): menus of every level, buttons below the last. */
export const menuNode = treeOf(Type.Object(menuFields), menuLevels + 1)

const own = { signedIn: true, because: 'it answers with what the caller’s own roles hold' } as const

export const menuRoutes = defineRoute({
  method: 'GET',
  path: '/blade-system/menu/routes',
  access: own,
  input: strict({ topMenuId: optional(id()) }),
  output: Type.Array(menuNode),
  tx: 'own',
})
export const externalRoutes = defineRoute({
  method: 'GET',
  path: '/blade-system/menu/routes-ext',
  access: own,
  input: strict({}),
  output: Type.Array(menuNode),
  tx: 'read',
  means: 'of the caller’s menus those that lead to another site',
})
export const authRoutes = defineRoute({
  method: 'GET',
  path: '/blade-system/menu/auth-routes',
  access: own,
  input: strict({}),
  output: Type.Array(Type.Record(Type.String(), Type.Object({ authority: Type.Array(Type.String()) }))),
  tx: 'read',
  means: 'the caller’s menus by path, each with the aliases of the roles that hold it',
})
export const menuButtons = defineRoute({
  method: 'GET',
  path: '/blade-system/menu/buttons',
  access: own,
  input: strict({}),
  output: Type.Array(menuNode),
  tx: 'own',
})
const topMenu = {
  id: Type.String(),
  code: Type.String(),
  name: Type.String(),
  nameEn: Type.String(),
  source: Type.String(),
  sort: Type.Integer(),
  /** 1: what the home item of the bar shows. */
  isMain: Type.Integer(),
}
export const topMenus = defineRoute({
  method: 'GET',
  path: '/blade-system/menu/top-menu',
  access: own,
  input: strict({}),
  output: Type.Array(Type.Object(topMenu)),
  tx: 'read',
})
export const mainMenu = defineRoute({
  method: 'GET',
  path: '/blade-system/menu/main-menu',
  access: own,
  input: strict({}),
  output: Type.Partial(Type.Object(topMenu)),
  tx: 'read',
  means: 'the top menu that is the main one; empty where none is, or where the caller holds nothing of it',
})
export const roleList = defineRoute({
  method: 'GET',
  path: '/blade-system/role/role-list',
  access: own,
  input: strict({}),
  output: roleNames,
  tx: 'read',
})

/** What the caller's own roles hold. */
export const grantedRoutes = [menuRoutes, externalRoutes, authRoutes, menuButtons, topMenus, mainMenu, roleList] as const
