import { describe, expect, test } from 'vitest'
import { authorizeAddress, type LoginProvider, offersTo, profileOf } from './provider.ts'

const provider: LoginProvider = {
  source: 'gitee',
  kind: 'social',
  name: { zh: '码云', en: 'Gitee' },
  icon: '',
  clientId: 'id',
  clientSecret: 's',
  authorizeUrl: 'https://gitee.example/authorize?tenant=1',
  tokenUrl: 'https://gitee.example/token',
  userinfoUrl: 'https://gitee.example/user',
  scope: 'user_info',
  clientAuth: 'basic',
  fields: { id: 'id', account: 'login', name: 'name' },
  matchAccounts: false,
}

describe('a provider', () => {
  test('an address that has a query keeps it', () => {
    const place = new URL(authorizeAddress(provider, { state: 's', challenge: 'c', redirectUri: 'https://k/oauth/redirect/gitee' }))
    expect([place.searchParams.get('tenant'), place.searchParams.get('state'), place.searchParams.get('redirect_uri')]).toEqual([
      '1',
      's',
      'https://k/oauth/redirect/gitee',
    ])
  })

  test.each([
    ['a number as id', { id: 42, login: 'a', name: '甲' }, { uuid: '42', account: 'a', nickName: '甲' }],
    ['no name', { id: 'x', login: 'a' }, { uuid: 'x', account: 'a', nickName: 'a' }],
    ['marks of direction and controls', { id: 'x', login: 'a\u202eb', name: 'c\u0007d' }, { uuid: 'x', account: 'ab', nickName: 'cd' }],
    ['a long name', { id: 'x', login: 'a'.repeat(99), name: '' }, { uuid: 'x', account: 'a'.repeat(60), nickName: 'a'.repeat(60) }],
    ['no id', { login: 'a' }, undefined],
    ['an object as id', { id: {}, login: 'a' }, undefined],
    ['an id beyond its column', { id: 'x'.repeat(129) }, undefined],
    ['no object', 'text', undefined],
    ['nothing', null, undefined],
  ])('%s', (_name, answer, profile) => {
    expect(profileOf(provider, answer)).toEqual(profile)
  })

  test('is offered to all tenants, or to those it names', () => {
    expect([
      offersTo(provider, 'a'),
      offersTo({ ...provider, tenants: ['b'] }, 'a'),
      offersTo({ ...provider, tenants: ['a'] }, 'a'),
    ]).toEqual([true, false, true])
  })
})
