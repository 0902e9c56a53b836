const agent = navigator.userAgent

/** A browser that WeChat itself has opened. */
export const isWechat: boolean = /MicroMessenger/i.test(agent)
/** A phone in the hand: no other device is there to scan a code with. */
export const isPhone: boolean = isWechat || /Android|iPhone|iPod|Mobile|HarmonyOS/i.test(agent)

const stateKey = 'kaopu-pay-state'
/** Remembers which question WeChat's answer belongs to, for this window. */
export const keepState = (state: string): void => {
  try {
    sessionStorage.setItem(stateKey, state)
  } catch {
    // Without storage the answer cannot be told from a stranger's, and the person presses once more.
  }
}

/** What the provider has sent the person back with; the address is cleaned, and an answer to another question is dropped. */
export const takeBack = (): { readonly payId: string; readonly code: string | null } | null => {
  const query = new URLSearchParams(location.search)
  const payId = query.get('payId')
  if (payId === null) return null
  let kept: string | null = null
  try {
    kept = sessionStorage.getItem(stateKey)
    sessionStorage.removeItem(stateKey)
  } catch {
    // As above.
  }
  history.replaceState(history.state, '', location.pathname)
  const isOurs = kept !== null && query.get('state') === kept
  return { payId, code: isOurs ? query.get('code') : null }
}

export type Bridge = Readonly<Record<'appId' | 'timeStamp' | 'nonceStr' | 'package' | 'signType' | 'paySign', string>>
interface WechatBridge {
  invoke(call: 'getBrandWCPayRequest', request: Bridge, done: (answer: { readonly err_msg?: string }) => void): void
}
declare global {
  interface Window {
    WeixinJSBridge?: WechatBridge
  }
}
const readyMs = 3_000

/** Opens WeChat's own cashier. @returns what WeChat says; it proves nothing. `none`: this is no browser of WeChat's */
export const payInWechat = (bridge: Bridge): Promise<'ok' | 'cancel' | 'failed' | 'none'> =>
  new Promise(resolve => {
    const run = () =>
      window.WeixinJSBridge?.invoke('getBrandWCPayRequest', bridge, ({ err_msg = '' }) =>
        resolve(err_msg.endsWith(':ok') ? 'ok' : err_msg.endsWith(':cancel') ? 'cancel' : 'failed'),
      )
    if (window.WeixinJSBridge !== undefined) return run()
    if (!isWechat) return resolve('none')
    document.addEventListener('WeixinJSBridgeReady', run, { once: true })
    setTimeout(() => window.WeixinJSBridge === undefined && resolve('none'), readyMs)
  })
