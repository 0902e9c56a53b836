import { appealRoutes } from './appeal.routes.ts'
import { courseRoutes } from './course.routes.ts'
import { findRoutes } from './find.routes.ts'
import { homeRoutes } from './home.routes.ts'
import { personMenus } from './menus.ts'
import { objectionRoutes } from './objection.routes.ts'
import { personErrors } from './person.errors.ts'
import { personRoutes } from './person.routes.ts'
import { settingsRoutes } from './settings.routes.ts'
import { trailWords } from './trail-words.ts'
import { verifiedChangeRoutes } from './verified-change.routes.ts'

export const personContext = {
  name: 'person',
  routes: [
    ...homeRoutes,
    ...personRoutes,
    ...settingsRoutes,
    ...verifiedChangeRoutes,
    ...appealRoutes,
    ...objectionRoutes,
    ...findRoutes,
    ...courseRoutes,
  ],
  menus: personMenus,
  words: trailWords,
  refusals: { ...personErrors },
} as const
