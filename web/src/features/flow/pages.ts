import { definePages } from '#web/console/page-entry.ts'

const handle = { under: '/work/todo' } as const
const detail = { under: '/work/send' } as const
const start = { under: '/work/start' } as const

export const pages = definePages([
  { path: '/work/start', title: { zh: '发起事务', en: 'Start' }, load: () => import('./work/start-page.tsx') },
  { path: '/work/claim', title: { zh: '待签事务', en: 'To claim' }, load: () => import('./work/claim-page.tsx') },
  { path: '/work/todo', title: { zh: '待办事务', en: 'To do' }, load: () => import('./work/todo-page.tsx') },
  { path: '/work/send', title: { zh: '已发事务', en: 'Sent' }, load: () => import('./work/send-page.tsx') },
  { path: '/work/done', title: { zh: '办结事务', en: 'Done' }, load: () => import('./work/done-page.tsx') },
  {
    path: '/work/process/leave/form/:processDefinitionId',
    title: { zh: '请假申请', en: 'Request leave' },
    load: () => import('./leave/form-page.tsx'),
    access: start,
  },
  {
    path: '/work/process/leave/handle/:taskId/:processInstanceId/:businessId',
    title: { zh: '办理请假', en: 'Decide on leave' },
    load: () => import('./leave/handle-page.tsx'),
    access: handle,
  },
  {
    path: '/work/process/leave/detail/:processInstanceId/:businessId',
    title: { zh: '请假详情', en: 'Leave' },
    load: () => import('./leave/detail-page.tsx'),
    access: detail,
  },
  {
    path: '/work/process/general/form/:processDefinitionId',
    title: { zh: '发起流程', en: 'Start a process' },
    load: () => import('./work/form-page.tsx'),
    access: start,
  },
  {
    path: '/work/process/general/handle/:taskId/:processInstanceId',
    title: { zh: '办理事务', en: 'Deal with a task' },
    load: () => import('./work/handle-page.tsx'),
    access: handle,
  },
  {
    path: '/work/process/general/detail/:processInstanceId',
    title: { zh: '流程详情', en: 'Process' },
    load: () => import('./work/detail-page.tsx'),
    access: detail,
  },
  { path: '/flow/model', title: { zh: '模型管理', en: 'Models' }, load: () => import('./model/page.tsx') },
  {
    path: '/flow/design/:id',
    title: { zh: '设计流程', en: 'Draw a process' },
    load: () => import('./model/design-page.tsx'),
    access: { under: '/flow/model' },
  },
  { path: '/flow/deploy', title: { zh: '流程部署', en: 'Deploy a file' }, load: () => import('./manage/deploy-page.tsx') },
  { path: '/flow/manager', title: { zh: '流程定义', en: 'Definitions' }, load: () => import('./manage/definitions-page.tsx') },
  {
    path: '/flow/compare/:from/:to',
    title: { zh: '比较版本', en: 'Compare versions' },
    load: () => import('./manage/compare-page.tsx'),
    access: { under: '/flow/manager' },
  },
  { path: '/flow/follow', title: { zh: '流程跟踪', en: 'Running processes' }, load: () => import('./manage/follow-page.tsx') },
])
