import { Type } from 'typebox'
import { defineRoute } from '../kernel/route.ts'
import { strict } from '../kernel/schema.ts'

const own = { signedIn: true, because: 'everybody reads and keeps their own settings, nobody those of others' } as const
const setting = {
  name: Type.String({ pattern: '^[A-Za-z][\\w.:/-]{0,99}$', 'x-label': { zh: '设置名', en: 'Name of the setting' } }),
  /** Null: the person went back to what the program does by itself. */
  value: Type.Unknown(),
}

/** How a person wants to see the program: look, language, columns, dividers, fold of the menu. What each name means is the web's matter. */
export const ownSettings = defineRoute({
  method: 'GET',
  path: '/me/settings',
  access: own,
  input: strict({}),
  output: Type.Object({ settings: Type.Array(Type.Object(setting)) }),
  tx: 'read',
  background: true,
})
/** Keeps those that are named; the others stay. */
export const keepSettings = defineRoute({
  method: 'POST',
  path: '/me/settings',
  access: own,
  input: strict({ settings: Type.Array(strict(setting), { maxItems: 50 }) }),
  output: Type.Object({ kept: Type.Integer() }),
  background: true,
})

export const settingsRoutes = [ownSettings, keepSettings] as const
