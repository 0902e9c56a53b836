export type { Notice } from './data/notify.repo.ts'
export type { MessageModule } from './module.ts'
export type { SmsTemplate } from './templates/sms.ts'
