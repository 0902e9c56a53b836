import { defineTexts } from './i18n/index.ts'

/** What every form says that changes a password. */
export const passwordTexts = defineTexts(
  {
    'password.old': '原密码',
    'password.old.need': '请输入原密码',
    'password.new': '新密码',
    'password.again': '确认新密码',
    'password.again.need': '请再次输入新密码',
    'password.mismatch': '两次密码输入不一致',
    'password.same': '新密码不能与原密码相同',
    'password.help': '{min}–{max} 个字符，不能包含账号或手机号；建议用几个不相关的词。',
    'password.strength': '密码强度：{level}',
    'password.level.1': '弱',
    'password.level.2': '中',
    'password.level.3': '强',
    'password.note': '修改后，本设备保持登录，其他设备上的登录全部失效。',
    'password.show': '显示密码',
    'password.hide': '隐藏密码',
  },
  {
    'password.old': 'Current password',
    'password.old.need': 'Please enter the current password',
    'password.new': 'New password',
    'password.again': 'Repeat the new password',
    'password.again.need': 'Please enter the new password again',
    'password.mismatch': 'The two passwords entered are inconsistent',
    'password.same': 'The new password must differ from the current one',
    'password.help': '{min}–{max} characters, without your account or phone number; a few unrelated words are good.',
    'password.strength': 'Password strength: {level}',
    'password.level.1': 'weak',
    'password.level.2': 'fair',
    'password.level.3': 'strong',
    'password.note': 'You stay logged in here; logins on all other devices end.',
    'password.show': 'Show password',
    'password.hide': 'Hide password',
  },
)
