import { expect, it } from 'vitest'
import { guestProblem } from './guest-problem.ts'
import { loginTexts } from './texts.ts'

const right = { tenantId: '000000', name: '林', account: 'lin', password: 'a', password2: 'a' }

it('[S5.14][S5.15][S5.16][S5.17][S5.18] finds the first fault in the order of the specification', () => {
  const empty = { tenantId: '', name: '', account: '', password: '', password2: '' }
  const steps = [
    empty,
    { ...empty, tenantId: '000000' },
    { ...empty, tenantId: '000000', account: 'lin' },
    { ...right, password2: '' },
    { ...right, password2: 'b' },
    right,
  ]
  expect(steps.map(step => guestProblem(step)?.problem ?? null)).toEqual(['tenant', 'account', 'password', 'password', 'mismatch', null])
})

it('[S2.43][S2.46][S5.15][S5.16][S5.17][S5.18][S8.07] says it in the words of the specification', () => {
  const texts = (lang: 'zh' | 'en') =>
    (['guest.title', 'guest.tenant', 'guest.account', 'guest.password', 'guest.mismatch', 'guest.done', 'guest.failed'] as const).map(
      key => loginTexts[lang][key],
    )
  expect(texts('zh')).toEqual([
    '账号注册',
    '请先输入租户编号',
    '请先输入账号名称',
    '请先输入密码',
    '两次密码输入不一致',
    '注册申请已提交，请耐心等待管理员通过',
    '提交失败',
  ])
  expect(texts('en').slice(1, 5)).toEqual([
    'Please enter tenant number first',
    'Please enter account name first',
    'Please enter password first',
    'The two passwords entered are inconsistent',
  ])
})
