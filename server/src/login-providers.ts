import { readFile, stat } from 'node:fs/promises'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { StartRefusal } from '#kernel/db/embedded-binaries.ts'
import { type Hold, neverHeld } from '#kernel/hold.ts'
import { createOutbound, type Outbound } from '#kernel/outbound.ts'
import type { LoginProvider } from '#modules/auth/index.ts'

const https = Type.String({ pattern: '^https://[^\\s]+$', maxLength: 500 })
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const file = Type.Array(
  Type.Object(
    {
      source: Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }),
      kind: Type.Enum(['social', 'sso']),
      name: Type.Object({ zh: text(30), en: text(60) }, { additionalProperties: false }),
      icon: Type.Optional(Type.String({ maxLength: 30 })),
      clientId: text(200),
      clientSecret: text(500),
      authorizeUrl: https,
      tokenUrl: https,
      userinfoUrl: https,
      scope: Type.Optional(Type.String({ maxLength: 200 })),
      clientAuth: Type.Optional(Type.Enum(['basic', 'post'])),
      fields: Type.Optional(
        Type.Object(
          { id: Type.Optional(text(60)), account: Type.Optional(text(60)), name: Type.Optional(text(60)) },
          { additionalProperties: false },
        ),
      ),
      matchAccounts: Type.Optional(Type.Boolean()),
      tenants: Type.Optional(Type.Array(text(12))),
    },
    { additionalProperties: false },
  ),
)

/** The members of a userinfo answer by OpenID Connect Core 5.1. */
const standardFields = { id: 'sub', account: 'preferred_username', name: 'name' } as const
const foreignBits = 0o077

/** The way to the providers of this installation: nothing but their own addresses can be reached. */
export interface ThirdParty {
  readonly providers: () => Promise<readonly LoginProvider[]>
  readonly outbound: Outbound
}
export const noThirdParty: ThirdParty = { providers: async () => [], outbound: createOutbound({ hold: neverHeld, allowedOrigins: [] }) }

/**
 * Reads the providers of an installation.
 *
 * @throws StartRefusal when others can read the file, or it is not what it should be
 */
export const loadLoginProviders = async (path: string, hold: Hold): Promise<ThirdParty> => {
  const refuse = (why: string): StartRefusal => new StartRefusal(`${path} (KAOPU_LOGIN_PROVIDERS) ${why}`)
  const found = await stat(path).catch(() => undefined)
  if (!found) throw refuse('cannot be read.')
  if (process.platform !== 'win32' && (found.mode & foreignBits) !== 0)
    throw refuse('holds secrets and can be read by others. Set its mode to 0600.')
  let json: unknown
  try {
    json = JSON.parse(await readFile(path, 'utf8'))
  } catch {
    throw refuse('is no JSON.')
  }
  if (!Value.Check(file, json)) {
    const [first] = Value.Errors(file, json)
    throw refuse(`is not as docs/howto/login-provider.md says: ${first?.instancePath ?? ''} ${first?.message ?? ''}`)
  }
  const sources = json.map(one => one.source)
  const twice = sources.find((source, at) => sources.indexOf(source) !== at)
  if (twice) throw refuse(`names the source ${twice} twice.`)
  const providers = json.map(
    (one): LoginProvider => ({
      source: one.source,
      kind: one.kind,
      name: one.name,
      icon: one.icon ?? '',
      clientId: one.clientId,
      clientSecret: one.clientSecret,
      authorizeUrl: one.authorizeUrl,
      tokenUrl: one.tokenUrl,
      userinfoUrl: one.userinfoUrl,
      scope: one.scope ?? 'openid profile',
      clientAuth: one.clientAuth ?? 'basic',
      fields: { ...standardFields, ...one.fields },
      matchAccounts: one.kind === 'sso' && one.matchAccounts === true,
      ...(one.tenants ? { tenants: one.tenants } : {}),
    }),
  )
  const origins = providers.flatMap(one => [new URL(one.tokenUrl).origin, new URL(one.userinfoUrl).origin])
  return { providers: async () => providers, outbound: createOutbound({ hold, purpose: 'login', allowedOrigins: [...new Set(origins)] }) }
}
