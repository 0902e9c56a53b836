import { describe, expect, test } from 'vitest'
import { allRoutes } from '../registry.ts'
import { rankOf } from './rank.ts'

const listed = (rank: string, input: unknown = {}) =>
  allRoutes()
    .filter(route => !('staff' in route.access && !('candidate' in route.access)) && rankOf(route, input) === rank)
    .map(({ method, path }) => `${method} ${path}`)
    .sort()

describe('what a call is worth in a rush', () => {
  test('what everybody may read is looked at, and costs no database while an answer is known', () => {
    expect(listed('look')).toEqual([
      'GET /blade-auth/oauth/doors',
      'GET /blade-auth/oauth/public-key',
      'GET /blade-auth/oauth/render/:source',
      'GET /blade-exam/examination/getIndexNotice',
      'GET /blade-exam/examination/getNoticeInfo',
      'GET /blade-exam/examination/getNoticeList',
      'GET /blade-exam/examination/scoreRoots',
      'GET /blade-signup/signup/examList',
      'GET /blade-system/dict-biz/dictionary',
      'GET /blade-system/dict/dictionary',
      'GET /blade-system/region/select',
      'GET /blade-system/tenant/info',
      'GET /blade-system/tenant/picture',
      'GET /file/:id',
      'GET /news/file/:id',
      'GET /news/info',
      'GET /news/list',
      'GET /rich-text/picture/:id',
      'POST /blade-exam/examination/fitPosts',
    ])
  })

  test('the first steps wait', () => {
    expect(listed('arrive')).toEqual([
      'GET /blade-auth/captcha',
      'GET /blade-auth/oauth/captcha',
      'GET /blade-auth/oauth/captcha-work',
      'GET /blade-signup/signup/getExamInfoOrSignUpInfo',
      'POST /blade-auth/oauth/sms/send-validate',
      'POST /blade-auth/oauth/token',
      'POST /blade-auth/token',
      'POST /blade-system/user/register',
      'POST /blade-system/user/register-guest',
      'POST /blade-system/user/reset-by-sms',
      'POST /blade-userappeal/userappeal/lostPhone',
      'POST /blade-userappeal/userappeal/object',
      'POST /blade-userappeal/userappeal/send',
    ])
  })

  test('saves, uploads, hand-ins and payments never wait', () => {
    const all = listed('submit')
    expect(all).toEqual(
      expect.arrayContaining([
        ...['POST /blade-signup/signup/submit', 'POST /blade-signup/signup/intend', 'POST /file/upload', 'POST /pay/wxpay/prepay'],
        ...['POST /pay/wxpay/notify/:tenantId', 'POST /pay/alipay/notify/:tenantId', 'POST /pay/nontax/notify/:tenantId'],
        ...['POST /blade-auth/oauth/second-factor', 'POST /blade-ticketNotice/ticketnotice/savePicAndDownInfo'],
      ]),
    )
    const changing = allRoutes().filter(
      ({ access, method, tx }) => method === 'POST' && tx !== 'read' && ('candidate' in access || 'signedIn' in access),
    )
    expect(changing.filter(route => rankOf(route) !== 'submit').map(({ path }) => path)).toEqual([])
  })

  test('a place is good for another while by filling in, uploading and paying, and by nothing that anybody can do outside of these', () => {
    expect(
      allRoutes()
        .filter(route => route.keepsPlace)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    ).toEqual([
      'GET /blade-exam/examination/checkOrder',
      'GET /blade-exam/examination/getPayQrcode',
      'GET /pay/wxpay/ways',
      'POST /blade-auth/oauth/second-factor',
      'POST /blade-signup/signup/intend',
      'POST /blade-signup/signup/submit',
      'POST /file/upload',
      'POST /pay/wxpay/prepay',
      'POST /pay/wxpay/queryOrder',
    ])
  })

  test('who renews a token has a session', () => {
    const before = listed('arrive')
    expect(before.filter(route => !listed('arrive', { grant_type: 'refresh_token', grantType: 'refresh_token' }).includes(route))).toEqual([
      'POST /blade-auth/oauth/token',
      'POST /blade-auth/token',
    ])
    expect(listed('arrive', { grant_type: 'constructor' })).toEqual(before)
  })

  test('a route that says nothing takes part by its access and its method', () => {
    const open = { public: true, because: '' } as const
    const own = { candidate: 'own' } as const
    expect([
      rankOf({ access: open, method: 'GET' }),
      rankOf({ access: open, method: 'POST' }),
      rankOf({ access: { guest: true, because: '' }, method: 'POST' }),
      rankOf({ access: own, method: 'GET' }),
      rankOf({ access: own, method: 'POST', tx: 'read' }),
      rankOf({ access: own, method: 'POST' }),
      rankOf({ access: { staff: 'a_b' }, method: 'POST' }),
    ]).toEqual(['look', 'arrive', 'arrive', 'within', 'within', 'submit', 'submit'])
  })
})
