import { defineTexts } from './i18n/index.ts'

export const toasterTexts = defineTexts({ 'app.messages': '提示消息' }, { 'app.messages': 'Messages' })
