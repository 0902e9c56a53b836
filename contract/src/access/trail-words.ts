import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    'two-persons': { zh: '双人复核', en: 'Act of two persons' },
    'two-person-act': { zh: '双人复核', en: 'Act of two persons' },
    access: { zh: '访问权限', en: 'Rights' },
    menu: { zh: '菜单', en: 'Menu' },
    role: { zh: '角色', en: 'Role' },
  },
  verbs: { begun: { zh: '发起', en: 'begun' }, agreed: { zh: '同意', en: 'agreed' }, ended: { zh: '结束', en: 'ended' } },
  entities: ['menu', 'role', 'two_person_act'],
}
