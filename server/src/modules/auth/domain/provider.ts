/** A provider of identities that speaks OAuth 2 with a userinfo call. Platform configuration, never typed in the web (security 3.9). */
export interface LoginProvider {
  /** Name in addresses and rows, as `gitee`. */
  readonly source: string
  /** `social`: strangers ask for an account. `sso`: the organisation's own directory. */
  readonly kind: 'social' | 'sso'
  readonly name: { readonly zh: string; readonly en: string }
  readonly icon: string
  readonly clientId: string
  readonly clientSecret: string
  /** May be a path of this server in demo and test. */
  readonly authorizeUrl: string
  readonly tokenUrl: string
  readonly userinfoUrl: string
  readonly scope: string
  readonly clientAuth: 'basic' | 'post'
  /** Members of the userinfo answer. */
  readonly fields: { readonly id: string; readonly account: string; readonly name: string }
  /** The provider's account names are ours: a first login is bound to the member of staff of that name. For sso only. */
  readonly matchAccounts: boolean
  /** Tenants that offer it; all when absent. */
  readonly tenants?: readonly string[]
}

export interface Profile {
  readonly uuid: string
  readonly account: string
  readonly nickName: string
}

export const offersTo = (provider: LoginProvider, tenantId: string): boolean =>
  provider.tenants === undefined || provider.tenants.includes(tenantId)

export const authorizeAddress = (
  provider: LoginProvider,
  flow: { readonly state: string; readonly challenge: string; readonly redirectUri: string },
): string => {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: provider.clientId,
    redirect_uri: flow.redirectUri,
    scope: provider.scope,
    state: flow.state,
    code_challenge: flow.challenge,
    code_challenge_method: 'S256',
  })
  return `${provider.authorizeUrl}${provider.authorizeUrl.includes('?') ? '&' : '?'}${query}`
}

const textOf = (json: object, name: string): string => {
  const value = (json as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : ''
}
/** What a stranger's provider says is shown to others: no controls, no marks of direction. */
const shown = (text: string): string =>
  [
    ...text
      .normalize('NFC')
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
      .trim(),
  ]
    .slice(0, 60)
    .join('')

/** The person a userinfo answer is about; undefined when it names nobody. */
export const profileOf = (provider: LoginProvider, answer: unknown): Profile | undefined => {
  if (typeof answer !== 'object' || answer === null) return undefined
  const uuid = textOf(answer, provider.fields.id)
  if (uuid === '' || uuid.length > 128 || /\p{Cc}/u.test(uuid)) return undefined
  const account = shown(textOf(answer, provider.fields.account))
  return { uuid, account, nickName: shown(textOf(answer, provider.fields.name)) || account }
}
