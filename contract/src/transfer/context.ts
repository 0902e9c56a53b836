import { exportErrors } from './export.errors.ts'
import { exportRoutes } from './export.routes.ts'
import { importRoutes } from './import.routes.ts'
import { trailWords } from './trail-words.ts'

export const transferContext = {
  name: 'transfer',
  routes: [...importRoutes, ...exportRoutes],
  words: trailWords,
  refusals: { ...exportErrors },
} as const
