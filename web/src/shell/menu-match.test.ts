import { describe, expect, it } from 'vitest'
import { readAt } from '#contract/kernel/pinyin.ts'
import { pinyinInitials } from '#contract/kernel/pinyin-initials.ts'
import type { MenuItem } from './menu.ts'
import { matchMenu } from './menu-match.ts'

const item = (code: string, zh: string, en: string, children: readonly MenuItem[] = []): MenuItem => ({
  key: code,
  code,
  label: { zh, en },
  path: children.length > 0 ? null : `/${code}`,
  href: null,
  newWindow: false,
  children,
})
const items = [
  item('wel', '首页', 'Home'),
  item('system', '系统管理', 'System', [
    item('param', '参数管理', 'Parameters'),
    item('post', '职务管理', 'Duty posts'),
    item('oss', 'OSS 存储', 'OSS storage'),
  ]),
]
const found = (text: string, lang: 'zh' | 'en' = 'zh') => matchMenu(items, text, lang, readAt).map(({ item: { code } }) => code)

describe('menu search', () => {
  it('[S2.40] matches the beginning of a name first, then any part of it, then the name of its group', () => {
    expect([found('参'), found('务管'), found(''), found('  '), found('职务管理员')]).toEqual([['param'], ['post'], [], [], []])
    expect([found('p', 'en'), found('posts', 'en'), found('参', 'en')]).toEqual([['param', 'post'], ['post'], []])
    expect([found('系统'), found('xtgl'), found('wgl')]).toEqual([['param', 'post', 'oss'], ['param', 'post', 'oss'], ['post']])
    expect(matchMenu(items, 'o', 'en').map(({ item: { code }, rank }) => [code, rank])).toEqual([
      ['oss', 0],
      ['wel', 1],
      ['post', 1],
    ])
  })
  it('[S2.40] matches pinyin initials, in either case, and names the group', () => {
    expect([found('csgl'), found('CSG'), found('oss'), found('OSSC')]).toEqual([['param'], ['param'], ['oss'], ['oss']])
    expect(matchMenu(items, 'sy', 'zh').map(({ group }) => group)).toEqual([null])
    expect(matchMenu(items, 'zw', 'zh').map(({ group }) => group)).toEqual([{ zh: '系统管理', en: 'System' }])
  })
  it('[26.6] matches pinyin, whole or begun, from any character on, mixed with initials', () => {
    expect([found('canshu'), found('CanS'), found('guanli'), found('zwguan'), found('shouy'), found('canli')]).toEqual([
      ['param'],
      ['param'],
      ['param', 'post', 'oss'],
      ['post'],
      ['wel'],
      [],
    ])
  })
  it.each([
    ['首页', 'sy'],
    ['数据看板', 'sjkb'],
    ['考试列表', 'kslb'],
    ['岗位代码', 'gwdm'],
    ['资格审核', 'zgsh'],
    ['编排与发布', 'bpyfb'],
    ['用户管理', 'yhgl'],
    ['应缴', 'yj'],
    ['订单', 'dd'],
    ['租户产品包', 'zhcpb'],
    ['数据权限', 'sjqx'],
    ['短信配置', 'dxpz'],
    ['日志', 'rz'],
    ['院校', 'yx'],
    ['A栋301', 'ad301'],
  ])('reads %s as %s', (name, initials) => {
    expect(pinyinInitials(name)).toContain(initials)
  })
})
