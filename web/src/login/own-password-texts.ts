import { defineTexts } from '../kernel/i18n/index.ts'

export const ownPasswordTexts = defineTexts(
  {
    title: '设置自己的密码',
    lead: '您的密码是管理员发放的一次性密码。改为只有您自己知道的密码后才能继续。',
    save: '保存并进入系统',
    saving: '保存中…',
    oneTime: '一次性密码',
    back: '返回登录',
  },
  {
    title: 'Choose your own password',
    lead: 'Your password is a one-time password that an administrator gave you. Choose one that only you know to go on.',
    save: 'Save and go on',
    saving: 'Saving…',
    oneTime: 'One-time password',
    back: 'Back to log in',
  },
)
