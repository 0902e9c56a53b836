import { dictErrors } from './dict.errors.ts'
import { dictRoutes } from './dict.routes.ts'
import { dictImportRoutes } from './dict-import.routes.ts'
import { dictionaryRoutes } from './dictionary.routes.ts'
import { referenceImports } from './import-kinds.ts'
import { referenceMenus } from './menus.ts'
import { regionRoutes } from './region.routes.ts'
import { importRegions, regionTemplate } from './region-import.routes.ts'
import { trailWords } from './trail-words.ts'

export const referenceContext = {
  name: 'reference',
  routes: [...dictionaryRoutes, ...regionRoutes, ...dictRoutes, ...dictImportRoutes, importRegions, regionTemplate],
  imports: Object.values(referenceImports),
  menus: referenceMenus,
  words: trailWords,
  refusals: { ...dictErrors },
} as const
