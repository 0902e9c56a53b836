import { defineErrors, refuserOf } from '../kernel/refusal.ts'

/** Logs and their purge (S7.29). */
export const logErrors = defineErrors({
  'log/too-young': {
    code: 2001,
    status: 409,
    zh: '{before} 之后的记录仍须保留：该日志至少保存 {days} 天，请选择更早的日期',
    en: 'Lines after {before} must be kept: this log is kept for at least {days} days. Choose an earlier day',
  },
  'log/count-changed': {
    code: 2002,
    status: 409,
    zh: '将删除的记录已由 {expected} 条变为 {found} 条，请重新确认',
    en: 'Not {expected} but {found} lines would be removed now; confirm again',
  },
})
export const refuseLog = refuserOf(logErrors)
