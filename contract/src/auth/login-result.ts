import { type Label, label } from '../kernel/label.ts'

/**
 * How a try to log in ended, for whoever reads the log: the texts of the refusals speak to the one who logs in. By what the log holds: `ok`,
 * `guest`, `refresh-replayed`, or the reason of a refusal.
 */
const results: Readonly<Record<string, Label>> = {
  ok: label('成功', 'Succeeded'),
  guest: label('以访客身份进入', 'Came in as a guest'),
  'refresh-replayed': label('登录凭证被重复使用，会话已结束', 'A login token was used again; the session was ended'),
  'auth/second-factor': label('密码正确，等待两步验证', 'The password was right; the second step is due'),
  'auth/invalid-request': label('登录参数不完整', 'Incomplete request'),
  'auth/foreign-choice': label('所选角色或部门不属于本人', 'Asked for a role or department that is not theirs'),
  'auth/invalid-client': label('客户端未知', 'Unknown client'),
  'auth/unsupported-grant': label('不支持的登录方式', 'A way that is not offered'),
  'auth/staff-registration-off': label('未开放自行注册', 'Registration of staff is off'),
  'auth/registration-waits': label('注册申请待审核', 'Registration waits for approval'),
  'auth/invalid-grant': label('账号或密码错误', 'Wrong account or password'),
  'auth/wrong-password': label('密码错误', 'Wrong password'),
  'auth/one-time-expired': label('一次性密码已过期', 'The one-time password has expired'),
  'auth/invalid-captcha': label('图形验证码错误', 'Wrong captcha'),
  'auth/account-locked': label('失败次数过多，暂时锁定', 'Locked for a while by too many failures'),
  'auth/account-pending': label('账号待审核', 'The account waits for approval'),
  'auth/account-held': label('账号被管理员锁定', 'Locked by an administrator'),
  'auth/account-disabled': label('账号已停用', 'The account is disabled'),
  'auth/account-refused': label('注册申请未通过', 'The registration was refused'),
  'auth/tenant-expired': label('机构已停用或到期', 'The organisation is not active'),
  'auth/over-quota': label('机构账号数超出额度', 'More accounts than the organisation may have'),
  'auth/invalid-refresh': label('登录已过期', 'The login has expired'),
  'auth/invalid-sms-code': label('短信验证码错误', 'Wrong SMS code'),
  'auth/sms-code-over': label('短信验证码已失效或不是在此获取', 'The SMS code was used up, or asked for elsewhere'),
  'auth/unclaimed': label('账号由他人代报，本人尚未注册', 'Signed up by a school or an office, not registered yet'),
  'auth/social-failed': label('第三方登录失败', 'The third-party login failed'),
  'auth/wrong-code': label('两步验证码错误', 'Wrong code of the second step'),
  'auth/ticket-over': label('两步验证超时', 'The second step took too long'),
  'auth/bad-cipher': label('密码密文无法解开', 'The encrypted password could not be opened'),
}
/** A result that has no words is shown as it is. */
export const loginResult = (result: string): Label =>
  (Object.hasOwn(results, result) ? results[result] : undefined) ?? label(result, result)

/** What is no failure: a session, a guest, or a first step that was right. */
export const loginTone = (result: string): 'done' | 'halfway' | 'failed' =>
  result === 'ok' ? 'done' : result === 'guest' || result === 'auth/second-factor' ? 'halfway' : 'failed'
