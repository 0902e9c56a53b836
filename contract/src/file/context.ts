import { fileRoutes } from './file.routes.ts'
import { trailWords } from './trail-words.ts'

export const fileContext = {
  name: 'file',
  routes: [...fileRoutes],
  words: trailWords,
  refusals: {},
} as const
