import { jobErrors } from './job.errors.ts'
import { jobRoutes } from './job.routes.ts'
import { jobMenus } from './menus.ts'
import { trailWords } from './trail-words.ts'

export const jobContext = {
  name: 'job',
  routes: jobRoutes,
  menus: jobMenus,
  words: trailWords,
  refusals: { ...jobErrors },
} as const
