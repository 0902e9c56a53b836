import { flag, instant, int, text } from '../kernel/field.ts'
import { defineResource } from '../kernel/resource.ts'

/** Where jobs run (S2.48, S3.03): an application at a PowerJob server, or, with an empty address, the scheduler of the program itself. */
export const jobServer = defineResource({
  name: 'job-server',
  ownRules: true,
  writes: 'own',
  basePath: '/blade-job/job-server',
  menuPath: '/job/jobserver',
  menu: {
    under: 'job',
    icon: 'unit',
    roles: ['administrator', 'admin'],
    buttons: [{ right: 'sync', label: { zh: '数据同步', en: 'Synchronise' } }],
  },
  label: { zh: '任务服务', en: 'Job server' },
  nulls: 'empty',
  order: 'id',
  choice: ['jobAppName', 'jobServerName'],
  keeps: {
    field: 'state',
    values: ['3'],
    why: {
      zh: '内置调度随系统提供，不能删除',
      en: 'The built-in scheduler comes with the system: it cannot be removed',
    },
  },
  actions: [
    {
      key: 'check',
      label: { zh: '测试连接', en: 'Test' },
      call: 'POST /blade-job/job-server/check',
      right: 'edit',
      row: { id: 'id' },
      done: { zh: '{text}', en: '{text}' },
    },
  ],
  fields: {
    jobServerName: text(60, {
      label: { zh: '任务服务名称', en: 'Name' },
      required: true,
      requiredMessage: { zh: '请输入任务服务名称', en: 'Please enter the name of the job server' },
      search: 'like',
      unique: true,
    }),
    jobServerUrl: text(255, {
      label: { zh: '任务服务地址', en: 'Address' },
      required: true,
      requiredMessage: { zh: '请输入任务服务地址', en: 'Please enter the address of the job server' },
      help: {
        zh: '例如 http://10.0.0.5:7700；多个地址用逗号隔开，依次尝试。只能使用运维人员允许的地址',
        en: 'As http://10.0.0.5:7700; several with a comma between them are tried in turn. Only addresses that the operator allows',
      },
    }),
    jobAppName: text(100, {
      label: { zh: '任务应用名称', en: 'Application' },
      required: true,
      requiredMessage: { zh: '请输入任务应用名称', en: 'Please enter the name of the application' },
      search: 'like',
    }),
    jobAppPassword: text(100, {
      label: { zh: '任务应用密码', en: 'Application password' },
      required: true,
      requiredMessage: { zh: '请输入任务应用密码', en: 'Please enter the password of the application' },
      secret: true,
      list: false,
      help: { zh: '只进不出；编辑时留空表示不改', en: 'Never shown again; left empty in a change it stays as it is' },
    }),
    state: int({
      label: { zh: '连接状态', en: 'Connection' },
      form: false,
      words: {
        0: { zh: '未测试', en: 'not tried' },
        1: { zh: '已连接', en: 'connected' },
        2: { zh: '连接失败', en: 'failed' },
        3: { zh: '内置', en: 'built in' },
      },
      tones: { 0: 'waiting', 1: 'passed', 2: 'refused', 3: 'active' },
      width: 110,
    }),
    serverVersion: text(20, { label: { zh: '版本', en: 'Version' }, form: false, width: 90 }),
    isOpen: flag({
      label: { zh: '安全提醒', en: 'Warning' },
      form: false,
      words: { 1: { zh: '接口无需密码', en: 'takes calls without a password' }, 0: { zh: '无', en: 'none' } },
      tones: { 1: 'refused', 0: 'closed' },
      width: 150,
    }),
    problem: text(500, { label: { zh: '连接问题', en: 'Problem' }, form: false, list: false }),
    checkedTime: instant({ label: { zh: '最近测试', en: 'Last tried' }, form: false }),
    jobRemark: text(255, { label: { zh: '备注', en: 'Remark' }, widget: 'textarea', list: false }),
  },
})
