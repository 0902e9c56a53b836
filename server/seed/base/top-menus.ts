/** A tab of the top bar (S2.39) and the groups of the side bar that it shows. */
export interface TopMenuSeed {
  readonly code: string
  readonly zh: string
  readonly en: string
  readonly icon: string
  /** Codes of menus; what stands below them belongs to it too. */
  readonly roots: readonly string[]
}

export const topMenuSeeds: readonly TopMenuSeed[] = [
  {
    code: 'recruit',
    zh: '招聘业务',
    en: 'Recruitment',
    icon: 'exam',
    roots: ['dashboard', 'exam', 'review', 'tickets', 'results', 'stat', 'sending', 'desk'],
  },
  { code: 'finance', zh: '缴费财务', en: 'Finance', icon: 'pay', roots: ['dashboard', 'pay', 'stat', 'sending'] },
  { code: 'manage', zh: '系统管理', en: 'Administration', icon: 'system', roots: ['system', 'flow', 'monitor', 'job', 'resource'] },
]
