import { defineErrors, refuserOf } from '../kernel/refusal.ts'

/** Refusals of tenant administration; the numbers are those of the kernel's refusals of the same meaning. */
export const tenantErrors = defineErrors({
  'tenant/platform-stays': {
    code: 2001,
    status: 409,
    zh: '平台租户 000000 不能停用、删除、设置到期或套餐',
    en: 'The platform’s own tenant 000000 cannot be recycled, removed, ended or bounded',
  },
  'client/own-stays': {
    code: 2001,
    status: 409,
    zh: '平台自己的客户端 kaopu-web 不能删除、停用、更换密钥或改变授权类型',
    en: 'The program’s own client kaopu-web cannot be removed, closed, given a secret or other grants',
  },
  'tenant/not-in-bin': {
    code: 2001,
    status: 409,
    zh: '只能彻底删除回收站中的租户：{names}',
    en: 'Only tenants in the recycle bin can be removed for good: {names}',
  },
})
export const refuseTenant = refuserOf(tenantErrors)
