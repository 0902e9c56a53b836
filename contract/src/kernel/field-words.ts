import type { Label } from './label.ts'

/**
 * What people call a field whose schema does not say it: the same word in every call that has it. A name that means different things in
 * different calls (`type`, `status`, `name`) is labelled where it is declared.
 */
const words: Readonly<Record<string, Label>> = {
  account: { zh: '账号', en: 'Account' },
  address: { zh: '联系地址', en: 'Address' },
  adminAccount: { zh: '管理员账号', en: 'Administrator’s account' },
  adminName: { zh: '管理员姓名', en: 'Administrator’s name' },
  avatar: { zh: '头像', en: 'Picture' },
  before: { zh: '截止日期', en: 'Before' },
  birthday: { zh: '出生日期', en: 'Birth date' },
  contactNumber: { zh: '联系电话', en: 'Telephone' },
  dictValueEn: { zh: '英文名称', en: 'Name in English' },
  email: { zh: '邮箱', en: 'E-mail' },
  expireTime: { zh: '到期时间', en: 'Until' },
  idCard: { zh: '证件号码', en: 'Id number' },
  keyword: { zh: '关键词', en: 'Keyword' },
  lockBeginTime: { zh: '锁定开始时间', en: 'Locked from' },
  lockEndTime: { zh: '锁定结束时间', en: 'Locked until' },
  newPassword: { zh: '新密码', en: 'New password' },
  newPassword1: { zh: '确认密码', en: 'Repeated password' },
  oldPassword: { zh: '原密码', en: 'Old password' },
  paramKey: { zh: '参数键名', en: 'Key' },
  paramValue: { zh: '参数键值', en: 'Value' },
  password: { zh: '密码', en: 'Password' },
  password2: { zh: '确认密码', en: 'Repeated password' },
  phone: { zh: '手机号码', en: 'Mobile number' },
  realName: { zh: '姓名', en: 'Name' },
  reason: { zh: '原因', en: 'Reason' },
  remark: { zh: '备注', en: 'Remark' },
  remoteIp: { zh: 'IP 地址', en: 'IP address' },
  smsCode: { zh: '短信验证码', en: 'SMS code' },
  titleEn: { zh: '英文标题', en: 'English title' },
  titleZh: { zh: '登录页标题', en: 'Chinese title' },
  userExt: { zh: '平台扩展信息', en: 'Platform data' },
  username: { zh: '账号', en: 'Account' },
}

export const fieldWords = (field: string): Label | undefined => (Object.hasOwn(words, field) ? words[field] : undefined)
