/** Key, name, default (domain 13.6, decision 4.7). */
export const parameterSeeds: readonly (readonly [key: string, name: string, value: string])[] = [
  ['account.failCount', '登录失败锁定次数', '5'],
  ['candidate.register', '开放考生注册', '1'],
  ['candidate.autoPass', '考生注册自动通过', '1'],
  ['candidate.smsLogin', '考生短信登录', '1'],
  ['pay.autoRefundDuplicate', '重复缴费自动退费', '1'],
  ['pay.autoRefundLate', '逾期缴费自动退费', '1'],
  ['pay.manualDoubleCheckFen', '手工登记双人复核金额（分）', '100000'],
  ['avatar.maxKb', '头像上传上限（KB）', '500'],
  ['upload.imageMaxKb', '图片上传上限（KB）', '2048'],
  ['upload.pdfMaxKb', 'PDF 上传上限（KB）', '5120'],
  ['upload.photoMaxKb', '证件照上传上限（KB）', '500'],
  ['examine.lockMinutes', '审核锁定时长（分钟）', '10'],
  ['examine.undoMinutes', '审核撤回时限（分钟）', '30'],
  ['examine.slaHours', '审核时限提醒（小时）', '24'],
  ['stat.cacheSeconds', '统计缓存时长（秒）', '30'],
  ['stat.smallCell', '统计小单元格遮蔽阈值', '3'],
]
