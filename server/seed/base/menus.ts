import { keeperRoles, type SystemRole, systemRoles } from '#contract/access/role.ts'
import { resources } from '#contract/nouns.ts'
import { withDeclared } from './declared-menus.ts'
import type { Button, MenuSeed } from './menu-seed.ts'
import { platformMenuSeeds } from './platform-menus.ts'

export const roleAliases = systemRoles
export type RoleAlias = SystemRole

export const roleNames: Record<RoleAlias, { zh: string; en: string }> = {
  administrator: { zh: '平台管理员', en: 'Platform administrator' },
  admin: { zh: '租户管理员', en: 'Tenant administrator' },
  secadmin: { zh: '安全管理员', en: 'Security administrator' },
  auditor: { zh: '审计监督', en: 'Auditor' },
  exam_admin: { zh: '考务管理员', en: 'Exam administrator' },
  unit_hr: { zh: '用人单位人事', en: 'Hiring-unit HR' },
  reviewer1: { zh: '初审员', en: 'First reviewer' },
  reviewer2: { zh: '复核员', en: 'Second reviewer' },
  recheck: { zh: '资格复审员', en: 'Re-review officer' },
  finance: { zh: '财务', en: 'Finance' },
  site: { zh: '考点管理员', en: 'Site manager' },
  school: { zh: '院校联络员', en: 'School liaison' },
  candidate: { zh: '考生', en: 'Candidate' },
}

const office: readonly RoleAlias[] = ['admin', 'exam_admin']
const system: readonly RoleAlias[] = ['administrator', 'admin']
/** Who sees what goes on in a tenant; the audit trail is the auditor's alone (domain 2.1). */
const watchers: readonly RoleAlias[] = [...system, 'secadmin', 'auditor']
const watchButtons: readonly Button[] = [
  ['view', '查看', 'View', watchers],
  ['export', '导出', 'Export', watchers],
]
const logReaders: readonly RoleAlias[] = ['administrator', 'admin', 'auditor']
/** Two kinds of people, so that there is somebody for an alert about one of them. */
const alertReaders: readonly RoleAlias[] = ['secadmin', 'auditor']
/** Whoever reads them for oversight cannot remove lines. */
const purgeButton: Button = ['purge', '清理', 'Purge', ['administrator', 'admin']]
const logButtons: readonly Button[] = [
  ['view', '查看', 'View', logReaders],
  ['export', '导出', 'Export', logReaders],
  purgeButton,
  ['other', '查看其他租户', 'Other tenants', ['administrator']],
]
const keepers = keeperRoles as readonly RoleAlias[]
const crudButtons = (roles: readonly RoleAlias[], readers: readonly RoleAlias[] = roles): Button[] => [
  ['view', '查看', 'View', [...new Set([...roles, ...readers])]],
  ['add', '新增', 'Add', roles],
  ['edit', '编辑', 'Edit', roles],
  ['delete', '删除', 'Delete', roles],
  ['export', '导出', 'Export', roles],
]

const importButton = (roles: readonly RoleAlias[]): Button => ['import', '导入', 'Import', roles]

/**
 * Menus of screens that are more than a declaration, with their buttons and the roles that hold them at first (domain 2.2, 2.3). A role sees a menu when it holds one of the
 * menu's roles; grants can be changed later, so this is a start and not a rule.
 */
const byHand: readonly MenuSeed[] = [
  { code: 'wel', zh: '首页', en: 'Home', path: '/wel/index', icon: 'home', roles: roleAliases.filter(alias => alias !== 'candidate') },
  {
    code: 'dashboard',
    zh: '数据看板',
    en: 'Dashboard',
    path: '/wel/dashboard',
    icon: 'dashboard',
    roles: ['admin', 'exam_admin', 'unit_hr', 'finance', 'auditor'],
    buttons: [
      ['view', '查看', 'View', ['admin', 'exam_admin', 'unit_hr', 'finance', 'auditor']],
      ['signup', '报名统计', 'Sign-up figures', ['admin', 'exam_admin', 'unit_hr', 'auditor']],
      ['pay', '缴费统计', 'Payment figures', ['admin', 'exam_admin', 'unit_hr', 'finance', 'auditor']],
    ],
  },
  {
    code: 'exam',
    zh: '考试管理',
    en: 'Examinations',
    path: '/exam',
    icon: 'exam',
    roles: [...office, 'unit_hr'],
    children: [
      {
        code: 'examination',
        zh: '考试列表',
        en: 'Examinations',
        path: '/exam/examination',
        icon: 'list',
        roles: office,
        buttons: [
          ...crudButtons(office, ['unit_hr', 'reviewer1', 'reviewer2', 'recheck', 'finance', 'auditor', 'site']),
          ['release', '发布', 'Release', office],
          ['close', '关闭', 'Close', office],
        ],
      },
      {
        code: 'typecode',
        zh: '岗位代码',
        en: 'Posts',
        path: '/exam/typeCode',
        icon: 'post',
        roles: [...office, 'unit_hr'],
        buttons: [
          ...crudButtons(office, ['unit_hr', 'reviewer1', 'reviewer2', 'recheck', 'finance', 'auditor']).map(
            ([action, zh, en, roles]): Button => [action, zh, en, action === 'edit' ? [...roles, 'unit_hr'] : roles],
          ),
          importButton(office),
        ],
      },
    ],
  },
  {
    code: 'review',
    zh: '报名审核',
    en: 'Review',
    path: '/examine',
    icon: 'review',
    roles: ['exam_admin', 'unit_hr', 'reviewer1', 'reviewer2'],
    children: [
      {
        code: 'examine',
        zh: '资格审核',
        en: 'Eligibility review',
        path: '/examine/list',
        icon: 'check',
        roles: ['exam_admin', 'unit_hr', 'reviewer1', 'reviewer2'],
        buttons: [
          ['view', '查看', 'View', ['admin', 'exam_admin', 'unit_hr', 'reviewer1', 'reviewer2', 'auditor']],
          ['first', '初审', 'First review', ['exam_admin', 'reviewer1']],
          ['second', '复核', 'Second review', ['exam_admin', 'reviewer2']],
          ['allotview', '查看审核分配', 'See the allotment', ['admin', 'exam_admin', 'auditor']],
          ['allot', '审核分配', 'Allot sign-ups', office],
        ],
      },
      {
        code: 'signup',
        zh: '报名信息',
        en: 'Sign-ups',
        path: '/examine/signup',
        icon: 'people',
        roles: [...office, 'unit_hr'],
        buttons: [
          ['view', '查看', 'View', ['admin', 'exam_admin', 'unit_hr', 'reviewer1', 'reviewer2', 'recheck', 'auditor']],
          ['export', '导出', 'Export', ['admin', 'exam_admin', 'unit_hr']],
          ['reveal', '查看完整证件号', 'Reveal id number', ['admin', 'exam_admin', 'unit_hr', 'reviewer1', 'reviewer2']],
        ],
      },
      {
        code: 'userappeal',
        zh: '身份申诉',
        en: 'Appeals about numbers',
        path: '/examine/userappeal',
        icon: 'edit',
        roles: office,
        buttons: [
          ['view', '查看', 'View', [...office, 'auditor']],
          ['edit', '审核', 'Decide', office],
        ],
      },
      {
        code: 'userupdateinfo',
        zh: '信息变更申请',
        en: 'Verified data changes',
        path: '/examine/userupdate',
        icon: 'edit',
        roles: office,
        buttons: [
          ['view', '查看', 'View', [...office, 'auditor']],
          ['edit', '审核', 'Decide', office],
        ],
      },
    ],
  },
  {
    code: 'tickets',
    zh: '准考证',
    en: 'Tickets',
    path: '/ticket',
    icon: 'ticket',
    roles: ['exam_admin', 'site'],
    children: [
      {
        code: 'ticket',
        zh: '编排与发布',
        en: 'Seating and release',
        path: '/ticket/ticket',
        icon: 'seat',
        roles: ['exam_admin'],
        buttons: [
          ['view', '查看', 'View', ['admin', 'exam_admin', 'unit_hr', 'auditor', 'site']],
          ['generate', '编排', 'Allocate', ['exam_admin']],
          ['edit', '调整', 'Adjust', ['exam_admin']],
          ['delete', '作废', 'Void', ['exam_admin']],
          ['release', '发布', 'Release', ['exam_admin']],
          ['print', '打印', 'Print', ['exam_admin', 'site']],
        ],
      },
    ],
  },
  {
    code: 'results',
    zh: '成绩',
    en: 'Results',
    path: '/result',
    icon: 'score',
    // Whoever may take a release back needs the way there.
    roles: ['exam_admin', 'admin'],
    children: [
      {
        code: 'result',
        zh: '成绩管理',
        en: 'Results',
        path: '/result/result',
        icon: 'score',
        roles: ['exam_admin', 'admin'],
        buttons: [
          ['view', '查看', 'View', ['admin', 'exam_admin', 'unit_hr', 'recheck', 'auditor']],
          importButton(['exam_admin']),
          ['edit', '更正', 'Correct', ['exam_admin']],
          ['release', '发布', 'Release', ['exam_admin']],
          ['withdraw', '撤回发布', 'Withdraw', ['admin']],
          ['delete', '清空', 'Clear', ['exam_admin']],
          ['export', '导出', 'Export', ['admin', 'exam_admin', 'unit_hr', 'recheck']],
        ],
      },
    ],
  },
  {
    code: 'pay',
    zh: '缴费',
    en: 'Payments',
    path: '/pay',
    icon: 'pay',
    roles: ['finance', 'admin', 'exam_admin'],
    children: [
      {
        code: 'exampay',
        zh: '应缴',
        en: 'Dues',
        path: '/pay/examPay',
        icon: 'pay',
        roles: ['finance', 'admin', 'exam_admin'],
        buttons: [
          ['view', '查看', 'View', ['admin', 'exam_admin', 'finance', 'auditor']],
          ['add', '新增', 'Add', ['finance']],
          ['delete', '作废', 'Void', ['finance']],
          ['handleup', '手工登记', 'Post by hand', ['finance']],
          ['refund', '申请退费', 'Apply for refund', ['finance', 'exam_admin']],
          ['approve', '审批退费', 'Approve refund', ['finance']],
          ['qrcode', '收款码', 'Payment code', ['finance']],
          ['invoice', '开票', 'Issue receipt', ['finance']],
          ['export', '导出', 'Export', ['finance', 'exam_admin']],
          importButton(['finance']),
        ],
      },
      {
        code: 'payaccount',
        zh: '收款账户',
        en: 'Merchant account',
        path: '/pay/payAccount',
        icon: 'key',
        roles: ['admin', 'finance'],
        buttons: [
          ['view', '查看', 'View', ['admin', 'finance', 'auditor']],
          ['edit', '修改', 'Edit', ['admin']],
        ],
      },
    ],
  },
  {
    code: 'system',
    zh: '系统管理',
    en: 'System',
    path: '/system',
    icon: 'system',
    roles: [...system, 'auditor'],
    children: [
      {
        code: 'user',
        zh: '用户管理',
        en: 'Users',
        path: '/system/user',
        icon: 'people',
        roles: [...system, 'auditor'],
        buttons: [
          ...crudButtons(system, ['auditor']),
          ['audit', '审核', 'Decide registrations', system],
          ['role', '角色配置', 'Set roles', system],
          ['reset', '重置密码', 'Reset passwords', system],
          ['totp', '重置两步验证', 'Reset second factors', system],
          ['lock', '锁定与解锁', 'Lock and unlock', system],
          importButton(system),
        ],
      },
      {
        code: 'dict',
        zh: '系统字典',
        en: 'System dictionary',
        path: '/system/dict',
        icon: 'dict',
        roles: system,
        buttons: [...crudButtons(['administrator'], ['administrator', 'admin']), importButton(['administrator'])],
      },
      {
        code: 'dictbiz',
        zh: '业务字典',
        en: 'Business dictionary',
        path: '/system/dictbiz',
        icon: 'dict',
        roles: system,
        buttons: [...crudButtons(system), importButton(system)],
      },
      {
        code: 'dept',
        zh: '部门管理',
        en: 'Departments',
        path: '/system/dept',
        icon: 'unit',
        roles: [...system, 'auditor'],
        buttons: [...crudButtons(system, ['auditor']), importButton(system)],
      },
      {
        code: 'dicthorizontal',
        zh: '字典（左右）',
        en: 'Dictionaries, columns',
        path: '/dict-horizontal/index',
        icon: 'dict',
        roles: system,
      },
      { code: 'dictvertical', zh: '字典（上下）', en: 'Dictionaries, stacked', path: '/dict-vertical/index', icon: 'dict', roles: system },
      {
        code: 'role',
        zh: '角色管理',
        en: 'Roles',
        path: '/system/role',
        icon: 'people',
        roles: keepers,
        buttons: [
          ...crudButtons(keepers, ['auditor']),
          ['setting', '权限设置', 'Set rights', keepers],
          ['back', '撤回权限', 'Right to pull back', keepers],
          ['viewas', '查看用户权限', 'See a person’s rights', [...keepers, 'auditor']],
        ],
      },
      {
        code: 'viewas',
        zh: '查看用户权限',
        en: 'Rights of a person',
        path: '/system/viewAs',
        icon: 'people',
        roles: [...keepers, 'auditor'],
      },
      {
        code: 'fieldrule',
        zh: '字段权限',
        en: 'Fields by role',
        path: '/system/fieldRule',
        icon: 'field',
        roles: keepers,
        buttons: crudButtons(keepers, ['auditor']).filter(([action]) => action === 'view' || action === 'edit'),
      },
      {
        code: 'menu',
        zh: '菜单管理',
        en: 'Menus',
        path: '/system/menu',
        icon: 'menu',
        roles: [...system, 'secadmin'],
        buttons: crudButtons(system, [...keepers, 'auditor']),
      },
      ...platformMenuSeeds,
      { code: 'test', zh: '组件示例', en: 'Components', path: '/test/index', icon: 'field', roles: system },
    ],
  },
  {
    code: 'monitor',
    zh: '安全审计',
    en: 'Security and audit',
    path: '/monitor',
    icon: 'monitor',
    roles: watchers,
    children: [
      {
        code: 'online',
        zh: '在线用户',
        en: 'Online users',
        path: '/monitor/online',
        icon: 'people',
        roles: watchers,
        buttons: [
          ['view', '查看', 'View', watchers],
          ['kick', '强制下线', 'End sessions', ['administrator', 'admin', 'secadmin']],
        ],
      },
      {
        code: 'authlog',
        zh: '登录日志',
        en: 'Log-ins',
        path: '/monitor/authLog',
        icon: 'list',
        roles: watchers,
        buttons: [...watchButtons, purgeButton],
      },
      {
        code: 'authlock',
        zh: '锁定名单',
        en: 'Locks',
        path: '/monitor/authLock',
        icon: 'key',
        roles: watchers,
        buttons: watchButtons,
      },
      {
        code: 'auditlog',
        zh: '审计日志',
        en: 'Audit trail',
        path: '/monitor/audit',
        icon: 'check',
        roles: ['auditor'],
        buttons: [
          ['view', '查看', 'View', ['auditor']],
          ['export', '导出', 'Export', ['auditor']],
        ],
      },
      {
        code: 'alert',
        zh: '异常告警',
        en: 'Alerts',
        path: '/monitor/alert',
        icon: 'alert',
        roles: alertReaders,
        buttons: [
          ['view', '查看', 'View', alertReaders],
          ['handle', '处理', 'Handle', alertReaders],
        ],
      },
      {
        code: 'watchrule',
        zh: '告警规则',
        en: 'Rules of alerts',
        path: '/monitor/watchRule',
        icon: 'param',
        roles: alertReaders,
        buttons: [
          ['view', '查看', 'View', alertReaders],
          ['edit', '修改', 'Edit', ['secadmin']],
        ],
      },
      {
        code: 'log_usual',
        zh: '通用日志',
        en: 'Program log',
        path: '/monitor/log/usual',
        icon: 'list',
        roles: logReaders,
        buttons: logButtons,
      },
      {
        code: 'log_api',
        zh: '接口日志',
        en: 'Calls',
        path: '/monitor/log/api',
        icon: 'list',
        roles: logReaders,
        buttons: logButtons,
      },
      {
        code: 'log_error',
        zh: '错误日志',
        en: 'Errors',
        path: '/monitor/log/error',
        icon: 'alert',
        roles: logReaders,
        buttons: logButtons,
      },
    ],
  },
]

/** All menus: plain nouns say themselves where theirs stand. */
export const menuSeeds: readonly MenuSeed[] = withDeclared(byHand, resources)
