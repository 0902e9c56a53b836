import { newsMenus } from './menus.ts'
import { newsErrors } from './news.errors.ts'
import { newsRoutes } from './news.routes.ts'
import { trailWords } from './trail-words.ts'

export const newsContext = {
  name: 'news',
  routes: newsRoutes,
  menus: newsMenus,
  words: trailWords,
  refusals: { ...newsErrors },
} as const
