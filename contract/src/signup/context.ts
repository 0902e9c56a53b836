import { allotRoutes } from './allot.routes.ts'
import { examineRoutes } from './examine.routes.ts'
import { examineTipRoutes } from './examine-tip.routes.ts'
import { groupRoutes } from './group.routes.ts'
import { signupImports } from './import-kinds.ts'
import { integrityRoutes } from './integrity.routes.ts'
import { signupMenus } from './menus.ts'
import { paperRoutes } from './papers.routes.ts'
import { photoWallRoutes } from './photo-wall.routes.ts'
import { signupErrors } from './signup.errors.ts'
import { signupRoutes } from './signup.routes.ts'
import { trailWords } from './trail-words.ts'

export const signupContext = {
  name: 'signup',
  routes: [
    ...signupRoutes,
    ...examineRoutes,
    ...allotRoutes,
    ...examineTipRoutes,
    ...paperRoutes,
    ...photoWallRoutes,
    ...groupRoutes,
    ...integrityRoutes,
  ],
  imports: Object.values(signupImports),
  menus: signupMenus,
  words: trailWords,
  refusals: { ...signupErrors },
} as const
