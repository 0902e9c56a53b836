import { crudButtons, office } from '../access/menu-roles.ts'
import type { MenuEntry } from '../kernel/menu-entry.ts'

/** The menus of this context with their buttons, and the roles of a new tenant that hold them. */
export const examMenus: readonly MenuEntry[] = [
  {
    code: 'exam',
    after: 'dashboard',
    zh: '考试管理',
    en: 'Examinations',
    path: '/exam',
    icon: 'exam',
    roles: [...office, 'unit_hr', 'school'],
  },
  {
    code: 'examination',
    under: 'exam',
    zh: '考试列表',
    en: 'Examinations',
    path: '/exam/examination',
    icon: 'list',
    roles: office,
    buttons: [
      ...crudButtons(office, ['unit_hr', 'reviewer1', 'reviewer2', 'recheck', 'finance', 'auditor', 'site', 'school']),
      ['release', '发布', 'Release', office],
      ['close', '关闭', 'Close', office],
    ],
  },
  {
    code: 'typecode',
    under: 'exam',
    after: 'examination',
    zh: '岗位代码',
    en: 'Posts',
    path: '/exam/typeCode',
    icon: 'post',
    roles: [...office, 'unit_hr'],
    buttons: [
      ['view', '查看', 'View', [...office, 'unit_hr', 'reviewer1', 'reviewer2', 'recheck', 'finance', 'auditor']],
      ['add', '新增', 'Add', office],
      ['edit', '编辑', 'Edit', [...office, 'unit_hr']],
      ['delete', '删除', 'Delete', office],
      ['export', '导出', 'Export', office],
      ['import', '导入', 'Import', office],
    ],
  },
]
