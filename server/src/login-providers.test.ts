import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { neverHeld } from '#kernel/hold.ts'
import type { OutboundError } from '#kernel/outbound.ts'
import { loadLoginProviders } from './login-providers.ts'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kaopu-providers-'))
  path = join(folder, 'providers.json')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const entry = {
  source: 'gitee',
  kind: 'social',
  name: { zh: '码云', en: 'Gitee' },
  clientId: 'id',
  clientSecret: 'secret',
  authorizeUrl: 'https://gitee.example/oauth/authorize',
  tokenUrl: 'https://gitee.example/oauth/token',
  userinfoUrl: 'https://api.gitee.example/user',
}
const load = async (json: unknown, mode = 0o600) => {
  await writeFile(path, typeof json === 'string' ? json : JSON.stringify(json))
  await chmod(path, mode)
  return loadLoginProviders(path, neverHeld)
}

describe('the file of login providers', () => {
  test('what is left out has the values of OpenID Connect; only an sso may match accounts', async () => {
    const { providers } = await load([{ ...entry, matchAccounts: true }])
    expect(await providers()).toEqual([
      {
        ...entry,
        icon: '',
        scope: 'openid profile',
        clientAuth: 'basic',
        fields: { id: 'sub', account: 'preferred_username', name: 'name' },
        matchAccounts: false,
      },
    ])
    const sso = await load([{ ...entry, kind: 'sso', matchAccounts: true, tenants: ['000000'], fields: { id: 'uid' } }])
    expect((await sso.providers())[0]).toMatchObject({
      matchAccounts: true,
      tenants: ['000000'],
      fields: { id: 'uid', account: 'preferred_username' },
    })
  })

  test('the way out leads to the providers and nowhere else', async () => {
    const { outbound } = await load([entry])
    for (const url of ['https://elsewhere.example/', 'http://gitee.example/oauth/token', 'https://gitee.example:8443/'])
      await expect(outbound({ method: 'GET', url })).rejects.toMatchObject({ failure: 'refused' } satisfies Partial<OutboundError>)
  })

  test.each([
    ['readable by others', [entry], 0o644, /can be read by others/],
    ['not JSON', 'nonsense', 0o600, /is no JSON/],
    ['with a plain address', [{ ...entry, tokenUrl: 'http://gitee.example/token' }], 0o600, /is not as/],
    ['with an unknown member', [{ ...entry, extra: 1 }], 0o600, /is not as/],
    ['with a source twice', [entry, entry], 0o600, /names the source gitee twice/],
  ])('%s stops the start', async (_name, json, mode, message) => {
    await expect(load(json, mode)).rejects.toThrow(message)
  })

  test('a missing one stops the start', async () => {
    await expect(loadLoginProviders(path, neverHeld)).rejects.toThrow(/cannot be read/)
  })
})
