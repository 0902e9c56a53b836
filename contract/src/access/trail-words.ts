import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    access: { zh: '访问权限', en: 'Rights' },
    menu: { zh: '菜单', en: 'Menu' },
    role: { zh: '角色', en: 'Role' },
  },
  entities: ['menu', 'role'],
}
