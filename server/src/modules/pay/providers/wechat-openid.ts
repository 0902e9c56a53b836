import type { Outbound } from '#kernel/outbound.ts'

/** Where WeChat asks its user, and where it says who that is. */
export const WECHAT_OPEN_ORIGIN = 'https://open.weixin.qq.com'
export const WECHAT_API_ORIGIN = 'https://api.weixin.qq.com'

/**
 * The page inside WeChat that says who its user is, without a question (`snsapi_base`), and comes back.
 *
 * @see https://developers.weixin.qq.com/doc/offiaccount/OA_Web_Apps/Wechat_webpage_authorization.html
 */
export const authorizeUrl = (page: string, of: { readonly appid: string; readonly redirect: string; readonly state: string }): string => {
  const query = new URLSearchParams({
    appid: of.appid,
    redirect_uri: of.redirect,
    response_type: 'code',
    scope: 'snsapi_base',
    state: of.state,
  })
  return `${page}?${query}#wechat_redirect`
}

export type OpenidAnswer =
  | { readonly ok: true; readonly openid: string }
  /** `refused`: the code is used, old or of another account, and a new one helps; `busy`: WeChat does not answer. */
  | { readonly ok: false; readonly problem: 'refused' | 'busy' }

/** Who the user is that WeChat gave this code for. It answers 200 also when it refuses; only an openid is a yes. */
export const askOpenid = async (
  outbound: Outbound,
  origin: string,
  of: { readonly appid: string; readonly appSecret: string; readonly code: string },
): Promise<OpenidAnswer> => {
  const query = new URLSearchParams({ appid: of.appid, secret: of.appSecret, code: of.code, grant_type: 'authorization_code' })
  try {
    const { status, body } = await outbound({ method: 'GET', url: `${origin}/sns/oauth2/access_token?${query}` })
    if (status >= 500) return { ok: false, problem: 'busy' }
    const said: unknown = JSON.parse(body.toString('utf8'))
    const openid = typeof said === 'object' && said !== null && 'openid' in said ? said.openid : undefined
    return typeof openid === 'string' && /^[\w-]{1,128}$/.test(openid) ? { ok: true, openid } : { ok: false, problem: 'refused' }
  } catch {
    return { ok: false, problem: 'busy' }
  }
}
