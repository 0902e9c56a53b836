/** Somebody whom the emulated providers know. Names are made up. */
export interface OauthPerson {
  readonly sub: string
  readonly account: string
  readonly name: string
}

/** Strangers to the product: each can ask for an account. */
const strangers: readonly OauthPerson[] = [
  { sub: 'p-1001', account: 'linxiaoyun', name: '林晓芸' },
  { sub: 'p-1002', account: 'heyanqing', name: '何砚青' },
  { sub: 'p-1003', account: 'maimaiti', name: '买买提·艾力' },
  { sub: 'p-1004', account: 'songzhixing', name: '宋知行' },
]
/** The bureau's own directory knows people of the demo's staff by their accounts, and one who has none. */
const directory: readonly OauthPerson[] = [
  { sub: 'd-2001', account: 'reviewer1a', name: '褚初审' },
  { sub: 'd-2002', account: 'finance1', name: '韩财务' },
  { sub: 'd-2003', account: 'newcolleague', name: '新同事' },
]

export interface OauthClient {
  readonly clientId: string
  readonly source: string
  readonly kind: 'social' | 'sso'
  readonly name: { readonly zh: string; readonly en: string }
  readonly icon: string
  readonly people: readonly OauthPerson[]
}

export const oauthClients: readonly OauthClient[] = [
  {
    clientId: 'kaopu-demo-social',
    source: 'demo_social',
    kind: 'social',
    name: { zh: '演示社交账号', en: 'Demo social account' },
    icon: 'social',
    people: strangers,
  },
  {
    clientId: 'kaopu-demo-sso',
    source: 'demo_sso',
    kind: 'sso',
    name: { zh: '演示统一身份认证', en: 'Demo single sign-on' },
    icon: 'sso',
    people: directory,
  },
]
