import { defineErrors, refuserOf } from '../kernel/refusal.ts'

export const exportErrors = defineErrors({
  'export/too-many-open': {
    code: 2503,
    status: 409,
    zh: '您有 {count} 个导出尚未完成，请稍候或取消后再试',
    en: '{count} of your exports are not finished; wait for them or cancel one',
  },
  'export/not-ready': { code: 2201, status: 409, zh: '导出尚未完成', en: 'The export is not finished' },
  'export/rules-changed': {
    code: 403,
    status: 403,
    zh: '导出后您的权限、数据范围或字段规则有变，此文件不能再下载，请重新导出',
    en: 'Your rights, data scope or field rules have changed since this was exported, so it cannot be downloaded any more; export it again',
  },
  'export/own-approval': {
    code: 403,
    status: 403,
    zh: '不能审批自己申请的导出，请由他人审批',
    en: 'You cannot approve your own export; somebody else does',
  },
  'export/decided': { code: 2201, status: 409, zh: '该导出已审批或已取消', en: 'This export has been decided on or cancelled' },
  'export/refuse-remark': { code: 400, status: 400, zh: '不同意时请填写原因', en: 'Say why you do not agree' },
  'export/ended': { code: 2201, status: 409, zh: '导出已结束，不能取消', en: 'The export has ended; it cannot be cancelled' },
})
export const refuseExport = refuserOf(exportErrors)
