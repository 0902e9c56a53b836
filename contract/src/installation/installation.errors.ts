import { defineErrors, refuserOf } from '../kernel/refusal.ts'

export const installationErrors = defineErrors({
  'invariant/running': {
    code: 2001,
    status: 409,
    zh: '正在核对，请等待结束或先停止',
    en: 'The data are being checked: wait for its end or stop it first',
  },
  'invariant/not-running': { code: 2001, status: 409, zh: '没有正在进行的核对', en: 'Nothing is being checked' },
  'setup/needed': { code: 2001, status: 409, zh: '“{what}”必不可少，不能标记为不需要', en: '“{what}” is needed by every installation' },
  'setup/in-use': {
    code: 2001,
    status: 409,
    zh: '“{what}”已经设置，请试一试，或先删除设置',
    en: '“{what}” is set up: try it, or remove what is set up first',
  },
  'invariant/no-healer': {
    code: 2001,
    status: 409,
    zh: '“{what}”不能自动修复，请按运维手册处理',
    en: '“{what}” is not set right by a button: the operator’s paper says what to do',
  },
})
export const refuseInstallation = refuserOf(installationErrors)
