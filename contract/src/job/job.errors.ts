import { defineErrors, refuserOf } from '../kernel/refusal.ts'

/** Scheduled jobs, their servers and their runs. */
export const jobErrors = defineErrors({
  'job/address-not-allowed': {
    code: 400,
    status: 400,
    zh: '地址 {address} 不在允许之列，请联系运维人员在服务器设置 KAOPU_JOB_SERVERS 中加入后重试',
    en: 'The address {address} is not on the allow list; ask the operator to add it to the setting KAOPU_JOB_SERVERS',
  },
  'job/app-taken': {
    code: 2001,
    status: 409,
    zh: '该地址上的应用“{app}”已由其他机构使用',
    en: 'The application “{app}” at this address is used by another organisation',
  },
  'job/built-in-server': {
    code: 2001,
    status: 409,
    zh: '内置调度随系统提供，不能修改或删除',
    en: 'The built-in scheduler comes with the system: it cannot be changed or removed',
  },
  'job/server-in-use': {
    code: 2001,
    status: 409,
    zh: '“{server}”还有 {jobs} 个任务，请先删除或移走这些任务',
    en: '“{server}” still has {jobs} jobs: remove them first',
  },
  'job/server-failed': {
    code: 2001,
    status: 409,
    zh: '任务服务“{server}”未能完成操作：{reason}',
    en: 'The job server “{server}” did not do it: {reason}',
  },
  'job/unknown-processor': {
    code: 400,
    status: 400,
    zh: '没有名为“{processor}”的处理器，只能使用已登记的处理器',
    en: 'There is no processor “{processor}”: only registered ones can be used',
  },
  'job/no-map': {
    code: 400,
    status: 400,
    zh: '处理器“{processor}”不能拆分执行，请改选单机或广播',
    en: 'The processor “{processor}” does not split its work: choose single or broadcast',
  },
  'job/too-many-jobs': {
    code: 2001,
    status: 409,
    zh: '定时任务最多 {limit} 个',
    en: 'At most {limit} scheduled jobs',
  },
  'job/own-job': {
    code: 2001,
    status: 409,
    zh: '“{job}”是系统自身的任务，不能删除或复制，处理器也不能改',
    en: '“{job}” is the system’s own work: it cannot be removed or copied, and its processor stays',
  },
  'job/not-paused': {
    code: 2001,
    status: 409,
    zh: '“{job}”暂停后会影响业务正确性，不能暂停',
    en: '“{job}” cannot be paused: what people rely on would go wrong without it',
  },
  'job/too-many-runs': {
    code: 2001,
    status: 409,
    zh: '“{job}”已有 {limit} 次执行在等待或进行，请等其结束后再试',
    en: '{limit} runs of “{job}” wait or go on already: try again when they have ended',
  },
  'job/run-over': {
    code: 2201,
    status: 409,
    zh: '该次执行已经结束，请刷新后查看',
    en: 'This run has ended already; load the page again',
  },
  'job/run-not-over': {
    code: 2201,
    status: 409,
    zh: '该次执行尚未结束，不能重试',
    en: 'This run has not ended yet: it cannot be repeated',
  },
  'job/run-of-parts': {
    code: 2001,
    status: 409,
    zh: '这是一次执行的一部分，请对整次执行操作',
    en: 'This is a part of a run: act on the run itself',
  },
})
export const refuseJob = refuserOf(jobErrors)
