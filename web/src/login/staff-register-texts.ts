import { defineTexts } from '../kernel/i18n/index.ts'

export const staffRegisterTexts = defineTexts(
  {
    title: '工作人员注册',
    lead: '提交后由管理员审核并分配角色，通过后才能登录。考生请勿在此注册。',
    account: '账号',
    'account.wrong': '账号为 4 至 60 位字母、数字或 _ . @ -',
    name: '姓名',
    phone: '手机号',
    password: '密码',
    submit: '提交注册申请',
    submitting: '提交中…',
    done: '申请已提交',
    'done.lead': '账号 {account} 的注册申请已提交，请耐心等待管理员通过。通过之前不能登录。',
    back: '返回登录',
  },
  {
    title: 'Staff registration',
    lead: 'An administrator looks at your request and gives you your roles; you can log in after that. This is not for candidates.',
    account: 'Account',
    'account.wrong': 'An account has 4 to 60 letters, digits or _ . @ -',
    name: 'Name',
    phone: 'Mobile number',
    password: 'Password',
    submit: 'Send the request',
    submitting: 'Sending…',
    done: 'Your request has been sent',
    'done.lead': 'The account {account} waits for an administrator to approve it. Until then you cannot log in.',
    back: 'Back to log in',
  },
)
