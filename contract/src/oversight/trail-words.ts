import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    alert: { zh: '异常告警', en: 'Alert' },
    audit: { zh: '审计日志', en: 'Audit trail' },
    authlock: { zh: '锁定名单', en: 'List of locks' },
    authlog: { zh: '登录日志', en: 'Log of log-ins' },
    'watch-rule': { zh: '告警规则', en: 'Rule of alerts' },
  },
  rows: {
    'auth-lock': 'authlock',
    'watch-alert': 'alert',
    'watch-office': 'watch-rule',
  },
  entities: ['audit', 'watch_alert', 'watch_office', 'watch_rule'],
}
