import { attachRoutes } from './attach.routes.ts'
import { fileErrors } from './file.errors.ts'
import { fileRoutes } from './file.routes.ts'
import { fileMenus } from './menus.ts'
import { storageRoutes } from './storage.routes.ts'
import { trailWords } from './trail-words.ts'

export const fileContext = {
  name: 'file',
  routes: [...fileRoutes, ...storageRoutes, ...attachRoutes],
  menus: fileMenus,
  words: trailWords,
  refusals: { ...fileErrors },
} as const
