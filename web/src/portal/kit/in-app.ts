/**
 * The browser inside of another app: WeChat, DingTalk, Alipay, QQ, Weibo, Feishu. It opens no second window and keeps no file that a page
 * hands over, and says neither.
 */
export const isInApp: boolean = /MicroMessenger|DingTalk|AlipayClient|\bQQ\/|Weibo|Feishu|\bLark\//i.test(navigator.userAgent)
