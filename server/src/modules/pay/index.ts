export type { PayDeps, PayGateway } from './deps.ts'
export type { PayModule } from './module.ts'
export { WECHAT_PAY_ORIGIN, type WechatPaySettings } from './providers/wechat-channel.ts'
