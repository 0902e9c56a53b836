import { defineErrors, refuserOf } from '../kernel/refusal.ts'

/** Token failures: 2911 invalid_request … 2922 social_failed in the order of framework-contract 2.3 (decision 3.3), account numbers of domain 13.2. */
export const authErrors = defineErrors({
  'auth/invalid-request': { code: 2911, status: 400, zh: '登录参数不完整', en: 'The login request is incomplete' },
  'auth/invalid-client': { code: 2912, status: 400, zh: '客户端认证失败', en: 'The client is not known' },
  'auth/unsupported-grant': { code: 2913, status: 400, zh: '不支持的登录方式', en: 'This way of logging in is not offered' },
  'auth/invalid-grant': { code: 2914, status: 400, zh: '用户名或密码错误', en: 'Wrong account or password' },
  'auth/one-time-expired': {
    code: 2914,
    status: 400,
    zh: '一次性密码已过期，请联系管理员重置',
    en: 'The one-time password has expired; ask your administrator for another',
  },
  'auth/invalid-captcha': { code: 2915, status: 400, zh: '验证码错误或已过期', en: 'The captcha is wrong or has expired' },
  'auth/account-locked': {
    code: 2916,
    status: 400,
    zh: '登录失败次数过多，请 {minutes} 分钟后再试',
    en: 'Too many failures; try again in {minutes} minutes',
  },
  'auth/account-pending': { code: 2917, status: 400, zh: '账号待审核', en: 'The account is waiting for approval' },
  'auth/account-disabled': { code: 2918, status: 400, zh: '账号已停用', en: 'The account is disabled' },
  'auth/tenant-expired': { code: 2919, status: 400, zh: '机构服务已停用或到期', en: 'The organisation is not active' },
  'auth/over-quota': {
    code: 2919,
    status: 400,
    zh: '机构的账号数超出额度，请联系平台管理员',
    en: 'The organisation has more accounts than allowed; ask the platform administrator',
  },
  'auth/invalid-refresh': { code: 2920, status: 400, zh: '登录已过期，请重新登录', en: 'The login has expired; please log in again' },
  'auth/invalid-sms-code': { code: 2921, status: 400, zh: '短信验证码错误或已过期', en: 'The SMS code is wrong or has expired' },
  'auth/social-failed': { code: 2922, status: 400, zh: '第三方登录失败', en: 'The third-party login failed' },
  'auth/bad-cipher': { code: 400, status: 400, zh: '加密内容无效，请重试', en: 'The encrypted value is not valid; please try again' },
  'auth/sms-frequency': {
    code: 2703,
    status: 429,
    zh: '短信发送过于频繁，请稍后再试',
    en: 'Messages are sent too often; please try again later',
  },
  'auth/captcha-frequency': { code: 429, status: 429, zh: '验证码获取过于频繁', en: 'Too many captchas were asked for' },
  'auth/report-frequency': {
    code: 429,
    status: 429,
    zh: '错误日志上传过于频繁，请稍后再试',
    en: 'Too many errors were reported; please try again later',
  },
  'auth/wrong-password': { code: 400, status: 400, zh: '密码不正确', en: 'The password is not right' },
  'auth/password-mismatch': { code: 400, status: 400, zh: '两次密码输入不一致', en: 'The two passwords entered are inconsistent' },
  'auth/password-weak': { code: 400, status: 400, zh: '{detail}', en: '{detail}' },
  'auth/id-card-taken': { code: 2901, status: 409, zh: '该证件号已注册', en: 'This id number is registered already' },
  'auth/phone-taken': { code: 2902, status: 409, zh: '该手机号已注册', en: 'This mobile number is registered already' },
  'auth/verified-field': {
    code: 2001,
    status: 409,
    zh: '姓名和手机号已核验，请通过信息变更申请修改',
    en: 'Name and mobile number were verified; ask for a change of your data instead',
  },
  'auth/account-taken': { code: 400, status: 400, zh: '该账号已被使用', en: 'This account name is taken' },
  'auth/tenant-mismatch': { code: 400, status: 400, zh: '租户信息有误', en: 'The tenant number is not right' },
  'auth/tenant-full': {
    code: 400,
    status: 400,
    zh: '账号数已达上限 {limit}，请联系平台管理员',
    en: 'The limit of {limit} accounts is reached; ask the platform administrator',
  },
  'auth/not-pending': {
    code: 2201,
    status: 409,
    zh: '有账号不在待审核状态，请刷新',
    en: 'An account is not waiting for approval; please refresh',
  },
  'auth/registration-off': { code: 403, status: 403, zh: '当前未开放注册', en: 'Registration is closed' },
})
export const refuseAuth = refuserOf(authErrors)

/** OAuth's word for each token failure. */
export const oauthError: Partial<Record<keyof typeof authErrors, string>> = {
  'auth/invalid-request': 'invalid_request',
  'auth/invalid-client': 'invalid_client',
  'auth/unsupported-grant': 'unsupported_grant_type',
  'auth/invalid-grant': 'invalid_grant',
  'auth/one-time-expired': 'invalid_grant',
  'auth/invalid-captcha': 'invalid_captcha',
  'auth/account-locked': 'account_locked',
  'auth/account-pending': 'account_pending',
  'auth/account-disabled': 'account_disabled',
  'auth/tenant-expired': 'tenant_expired',
  'auth/over-quota': 'tenant_expired',
  'auth/invalid-refresh': 'invalid_refresh_token',
  'auth/invalid-sms-code': 'invalid_sms_code',
  'auth/social-failed': 'social_failed',
}
