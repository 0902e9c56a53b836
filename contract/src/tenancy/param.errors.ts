import { defineErrors, refuserOf } from '../kernel/refusal.ts'

/** Parameters of the program (S2.50). */
export const paramErrors = defineErrors({
  'param/platform-only': {
    code: 403,
    status: 403,
    zh: '参数 {key} 由平台统一设置，租户不能修改',
    en: 'The parameter {key} is set by the platform for all tenants',
  },
  'param/built-in': {
    code: 2004,
    status: 409,
    zh: '参数 {key} 由程序使用，不能删除或改名；可以“恢复平台值”',
    en: 'The program uses the parameter {key}: it cannot be removed or renamed, but reset to the platform’s value',
  },
  'param/own-only': {
    code: 2001,
    status: 409,
    zh: '参数 {key} 是本租户自建的，没有平台值可以恢复',
    en: 'The parameter {key} is this tenant’s own, so there is no value of the platform',
  },
})
export const refuseParam = refuserOf(paramErrors)
