import { type ParameterKey, parameterNames } from '#contract/tenancy/parameter-names.ts'

/** Domain 13.6, decision 4.7. */
const defaults: Readonly<Record<ParameterKey, string>> = {
  'account.failCount': '5',
  'account.oneTimeHours': '72',
  'account.totpAdmin': '0',
  'account.totpStaff': '0',
  'candidate.register': '1',
  'candidate.autoPass': '1',
  'candidate.smsLogin': '1',
  'staff.smsLogin': '0',
  'staff.register': '0',
  'pay.autoRefundDuplicate': '1',
  'pay.autoRefundLate': '1',
  'pay.manualDoubleCheckFen': '100000',
  'avatar.maxKb': '500',
  'upload.imageMaxKb': '2048',
  'upload.pdfMaxKb': '5120',
  'upload.photoMaxKb': '500',
  'examine.lockMinutes': '10',
  'examine.undoMinutes': '30',
  'integrity.answerDays': '5',
  'examine.slaHours': '24',
  'sms.dailyBudget': '5000',
  'notice.announceDays': '7',
  'notice.signDays': '5',
  'notice.publicityDays': '5',
  'sms.payee': '0',
  'sms.quiet': '22:00-08:00',
  'export.asyncRows': '5000',
  'stat.cacheSeconds': '30',
  'flow.verifiedChange': '0',
  'flow.ownRequests': '0',
  'reveal.perHour': '50',
  'log.apiScope': 'changes',
  'log.usualLevel': '2',
  'log.usualDays': '90',
  'log.apiDays': '180',
  'log.loginDays': '180',
  'log.errorDays': '180',
}

/** Key, name, default. */
export const parameterSeeds: readonly (readonly [key: string, name: string, value: string])[] = Object.entries(defaults).map(
  ([key, value]) => [key, parameterNames[key as ParameterKey].zh, value],
)
