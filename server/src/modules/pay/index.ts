export { findPayers, readPayer } from './imports/sheet.ts'
export type { PayModule } from './module.ts'
export type { PayGateway } from './providers/gateway.ts'
export { WECHAT_PAY_ORIGIN, type WechatPaySettings } from './providers/wechat-channel.ts'
