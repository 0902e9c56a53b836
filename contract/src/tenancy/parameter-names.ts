import { type Label, type Language, label } from '../kernel/label.ts'

/** What the parameters of the program are called. */
export const parameterNames = {
  'account.failCount': label('登录失败锁定次数', 'Failed log-ins until an account is locked'),
  'account.changeWaitHours': label(
    '他人变更账号登录信息的等待时长（小时）',
    'How long a change of somebody’s log-in by others waits (hours)',
  ),
  'account.oneTimeHours': label('一次性密码有效时长（小时）', 'Life of a one-time password (hours)'),
  'address.captchaMinute': label(
    '同一网络地址每分钟图形验证码数（超出后浏览器先做验证）',
    'Captchas a minute of one address before its browsers do work',
  ),
  'address.smsHour': label(
    '同一网络地址每小时短信验证码数（超出后浏览器先做验证）',
    'SMS codes an hour of one address before its browsers do work',
  ),
  'address.flowMinute': label('同一网络地址每分钟第三方登录次数', 'Log-ins by a provider a minute of one address'),
  'account.totpAdmin': label('管理员必须两步验证', 'Administrators must use a second factor'),
  'account.totpStaff': label('全体工作人员必须两步验证', 'All staff must use a second factor'),
  'candidate.register': label('开放考生注册', 'Candidates may register'),
  'candidate.autoPass': label('考生注册自动通过', 'Registrations of candidates pass by themselves'),
  'candidate.smsLogin': label('考生短信登录', 'Candidates may log in by SMS'),
  'staff.smsLogin': label('工作人员短信登录', 'Staff may log in by SMS'),
  'staff.register': label('开放工作人员自行注册', 'Staff may register themselves'),
  'pay.autoRefundDuplicate': label('重复缴费自动退费', 'Refund double payments at once'),
  'pay.autoRefundLate': label('逾期缴费自动退费', 'Refund late payments at once'),
  'pay.manualDoubleCheckFen': label('手工登记双人复核金额（分）', 'Payments by hand: second person from (fen)'),
  'avatar.maxKb': label('头像上传上限（KB）', 'Largest avatar (KB)'),
  'upload.imageMaxKb': label('图片上传上限（KB）', 'Largest image (KB)'),
  'upload.pdfMaxKb': label('PDF 上传上限（KB）', 'Largest PDF (KB)'),
  'upload.photoMaxKb': label('证件照上传上限（KB）', 'Largest ID photo (KB)'),
  'examine.lockMinutes': label('审核锁定时长（分钟）', 'How long a review is held (minutes)'),
  'examine.undoMinutes': label('审核撤回时限（分钟）', 'How long a decision may be undone (minutes)'),
  'integrity.answerDays': label('取消资格、记入诚信档案前的陈述申辩天数', 'Days to answer before a disqualification or integrity record'),
  'examine.slaHours': label('审核时限提醒（小时）', 'Reviews are called late after (hours)'),
  'sms.dailyBudget': label('短信每日额度（条）', 'Text messages a day'),
  'notice.announceDays': label('公告发布至报名截止工作日数', 'Working days from an announcement to the end of sign-up'),
  'notice.signDays': label('报名时间工作日数', 'Working days of sign-up'),
  'notice.publicityDays': label('公示工作日数', 'Working days of a publicity list'),
  'sms.payee': label('短信套餐转账收款账户（0 未设置）', 'Account for transfers for text messages (0: not set)'),
  'sms.quiet': label('短信免打扰时段', 'Quiet hours of text messages'),
  'export.asyncRows': label('后台导出行数', 'Exports in the background from (rows)'),
  'stat.cacheSeconds': label('统计缓存时长（秒）', 'Statistics are kept for (seconds)'),
  'flow.verifiedChange': label('信息变更审核流程（流程编号，0 不走流程）', 'Process of verified data changes (id; 0: none)'),
  'flow.ownRequests': label('允许申请人审批自己的申请', 'Applicants may decide on their own requests'),
  'reveal.perHour': label('每小时查看完整证件号与手机号次数', 'Full ID and phone numbers seen per hour'),
  'log.apiScope': label('接口日志范围（off 不记录、changes 变更与被拒、all 全部）', 'Call log: off, changes (and refusals), or all'),
  'log.usualLevel': label(
    '通用日志最低级别（1 调试、2 信息、3 警告、4 错误、99 关闭）',
    'Program log from (1 debug, 2 info, 3 warning, 4 error, 99 off)',
  ),
  'log.usualDays': label('通用日志保存天数（至少 7）', 'Program log kept for (days, 7 or more)'),
  'log.apiDays': label('接口日志保存天数（至少 180）', 'Call log kept for (days, 180 or more)'),
  'log.loginDays': label('登录日志保存天数（至少 180）', 'Log of log-ins kept for (days, 180 or more)'),
  'log.errorDays': label('错误日志保存天数（至少 7）', 'Error log kept for (days, 7 or more)'),
} as const satisfies Readonly<Record<string, Label>>

export type ParameterKey = keyof typeof parameterNames

const namesOf = (key: string): Label | undefined => (Object.hasOwn(parameterNames, key) ? parameterNames[key as ParameterKey] : undefined)

/** A name that the program gave is stored in Chinese and read in the reader's language; others are as they were typed. */
export const parameterNameIn = (key: string, name: string, language: Language): string => {
  const names = namesOf(key)
  return names?.zh === name ? names[language] : name
}

/** The name to store: what a reader of English was shown, and sends back, is no new one. */
export const storedParameterName = (key: string, name: string): string => {
  const names = namesOf(key)
  return names?.en === name ? names.zh : name
}

/** Keys of the parameters whose English name has this part; the database knows the Chinese names only. */
export const keysNamedLike = (part: string): readonly string[] =>
  Object.entries(parameterNames).flatMap(([key, { en }]) => (en.toLowerCase().includes(part.trim().toLowerCase()) ? [key] : []))
