import { developErrors } from './develop.errors.ts'
import { developRoutes } from './develop.routes.ts'
import { trailWords } from './trail-words.ts'

export const developContext = {
  name: 'develop',
  routes: developRoutes,
  words: trailWords,
  refusals: { ...developErrors },
} as const
