import { installationErrors } from './installation.errors.ts'
import { invariantRoutes } from './invariant.routes.ts'
import { installationMenus } from './menus.ts'
import { setupRoutes } from './setup.routes.ts'
import { trailWords } from './trail-words.ts'

export const installationContext = {
  name: 'installation',
  routes: [...invariantRoutes, ...setupRoutes],
  menus: installationMenus,
  words: trailWords,
  refusals: { ...installationErrors },
} as const
