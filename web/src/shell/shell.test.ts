import { describe, expect, it } from 'vitest'
import { matchPath } from '../console/page-entry.ts'
import * as settings from '../kernel/settings.ts'
import { pagesOf } from '../ui/pager.tsx'
import { fileProblem } from '../ui/uploader.tsx'
import { frameTarget } from './frame-page.tsx'
import { leavesOf, menuOf, roleNameOf, withOneView, withoutSections } from './menu.ts'
import { hrefOf, livePaths, maxLive, movedTab, searchOf, type Tab, withoutTab, withTab } from './tabs.ts'
import { shellTexts } from './texts.ts'

const title = { zh: 'x', en: 'x' }
const open = (paths: readonly string[]): readonly Tab[] =>
  paths.reduce<readonly Tab[]>((tabs, path, index) => withTab(tabs, { path, search: '', title }, index + 1), [])

describe('a tab with several addresses', () => {
  const path = '/exam/examination/7'
  const go = (tabs: readonly Tab[], at: string, search: string) => withTab(tabs, { path, at, search, title }, 9)
  it('shows the last one, and has the search of each as it was left', () => {
    const tabs = go(go(go([], `${path}/review`, '?examine=1'), `${path}/fees`, '?state=1'), `${path}/review`, '?examine=2')
    const [tab, ...others] = tabs
    expect([others, tab && hrefOf(tab)]).toEqual([[], `${path}/review?examine=2`])
    expect([searchOf(tab, `${path}/fees`), searchOf(tab, `${path}/review`), searchOf(tab, `${path}/tickets`)]).toEqual([
      '?state=1',
      '?examine=2',
      '',
    ])
  })
})

describe('menu', () => {
  const nodes = [
    { id: '1', code: 'wel', name: '首页', path: '/wel/index' },
    {
      id: '2',
      code: 'system',
      name: '系统管理',
      path: '/system',
      children: [
        { id: '3', code: 'param', name: '系统参数', path: '/system/param', meta: { roles: 'secadmin,admin' } },
        { id: '4', code: 'post', name: '岗位管理', path: 'system/post', meta: { roles: '' } },
        { id: '5', code: 'help', name: '帮助', path: 'https://help.example/a.html', isOpen: 2 },
      ],
    },
  ]
  it('[S6.02] shows an item that lists the role or no roles', () => {
    expect(leavesOf(menuOf(nodes, ['finance'])).map(item => item.code)).toEqual(['wel', 'post', 'help'])
    expect(leavesOf(menuOf(nodes, ['finance', 'admin'])).map(item => item.code)).toEqual(['wel', 'param', 'post', 'help'])
  })
  it('[S2.18][S3.15] opens external links in the frame route', () => {
    expect(leavesOf(menuOf(nodes, [])).map(({ path, href, newWindow }) => [path, href, newWindow])).toEqual([
      ['/wel/index', null, false],
      ['/system/post', null, false],
      ['/myiframe/help', 'https://help.example/a.html', true],
    ])
  })
  it('keeps the pages of workspaces out of the side menu of whoever has the list of examinations', () => {
    const leaf = (path: string) => ({ id: path, code: path, name: path, path })
    const group = (id: string, ...children: ReturnType<typeof leaf>[]) => ({ id, code: id, name: id, path: `/${id}`, children })
    const office = menuOf(
      [
        leaf('/wel/index'),
        group('exam', leaf('/exam/examination'), leaf('/exam/typeCode'), leaf('/exam/items')),
        group('review', leaf('/examine/list'), leaf('/examine/userappeal')),
        group('results', leaf('/result/result')),
      ],
      [],
    )
    const shown = (items: ReturnType<typeof menuOf>) =>
      withoutSections(items, new Set(['/exam/typeCode', '/examine/list', '/result/result'])).map(item => [
        item.code,
        ...item.children.map(child => child.path),
      ])
    expect(shown(office)).toEqual([['/wel/index'], ['exam', '/exam/examination', '/exam/items'], ['/examine/userappeal']])
    // A reviewer has no list of examinations: the pages stay where they were.
    const reviewer = menuOf([group('review', leaf('/examine/list'), leaf('/examine/userappeal'))], [])
    expect(shown(reviewer)).toEqual([['review', '/examine/list', '/examine/userappeal']])
  })
  it('[26.12] has one entry for the views of one thing, where somebody has the page that leads to them', () => {
    const leaf = (path: string) => ({ id: path, code: path, name: path, path })
    const system = (...paths: string[]) => menuOf([{ id: 's', code: 's', name: 's', path: '/s', children: paths.map(leaf) }], [])
    const views = new Map([['/dictbiz', { title: { zh: '字典', en: 'Dictionaries' }, others: ['/dict', '/side'] }]])
    const shown = (items: ReturnType<typeof menuOf>) =>
      leavesOf(withOneView(items, views)).map(({ path, label, views: others = [] }) => [path, label.zh, ...others])
    expect(shown(system('/user', '/dict', '/dictbiz', '/side'))).toEqual([
      ['/user', '/user'],
      ['/dictbiz', '字典', '/dict', '/side'],
    ])
    expect(shown(system('/user', '/dict'))).toEqual([
      ['/user', '/user'],
      ['/dict', '/dict'],
    ])
  })
  it('[S6.01] names the role whose alias the person has', () => {
    const roles = [
      { roleName: '财务', roleAlias: 'finance' },
      { roleName: '考务管理员', roleAlias: 'exam_admin' },
    ]
    expect([roleNameOf(roles, ['exam_admin']), roleNameOf(roles, ['admin']), roleNameOf(undefined, ['admin'])]).toEqual([
      '考务管理员',
      null,
      null,
    ])
  })
  it('[S2.05] takes https and own pages into the frame, and nothing that would give away the token', () => {
    const hole = (name: string) => ['$', '{', name, '}'].join('')
    const who = { userId: '9', userName: 'a&b', roleName: 'admin' }
    const page = { origin: 'http://own.example', hosts: ['a.example', 'b.example:8443'] }
    const target = (of: string) => frameTarget(of, who, page)
    const shown = (of: string) => ({ kind: 'show', url: new URL(of) })
    expect(target(`https://a.example/x?u=${hole('userName')}#i=${hole('userId')}`)).toEqual(shown('https://a.example/x?u=a%26b&i=9'))
    expect([target('/own.html'), target('https://b.example:8443/')]).toEqual([
      shown('http://own.example/own.html'),
      shown('https://b.example:8443/'),
    ])
    const elsewhere = ['http://a.example/', 'https://b.example/', 'https://c.example/', 'https://a.example.evil.example/']
    expect(elsewhere.map(of => target(of).kind)).toEqual(elsewhere.map(() => 'elsewhere'))
    const refused = [
      `https://a.example/?t=${hole('token')}`,
      'javascript:alert(1)',
      'data:text/html,x',
      'https://u:p@a.example/',
      '//a.example/',
      'https:\\\\a.example/',
      'https://a.example/\u0001.html',
    ]
    expect(refused.map(of => target(of).kind)).toEqual(refused.map(() => 'refused'))
  })
})

describe('tabs', () => {
  it('[S2.22] opens a page once and keeps its newest address', () => {
    const tabs = withTab(open(['/a', '/b']), { path: '/a', search: '?x=1', title }, 9)
    expect(tabs.map(tab => tab.path + tab.search)).toEqual(['/a?x=1', '/b'])
  })
  it('[S2.25] closes any tab but the only one, and goes to the neighbour', () => {
    const tabs = open(['/a', '/b', '/c'])
    expect(withoutTab(tabs, '/b', '/b').next?.path).toBe('/c')
    expect(withoutTab(tabs, '/c', '/c').next?.path).toBe('/b')
    expect(withoutTab(tabs, '/a', '/c').next).toBe(null)
    expect(withoutTab(open(['/a']), '/a', '/a').tabs).toHaveLength(1)
  })
  it('moves a tab to another place and no further than the ends', () => {
    const tabs = open(['/a', '/b', '/c'])
    const order = (path: string, to: number) =>
      movedTab(tabs, path, to)
        .map(tab => tab.path)
        .join('')
    expect([order('/c', 0), order('/a', 9), order('/b', -3), order('/x', 1)]).toEqual(['/c/a/b', '/b/c/a', '/b/a/c', '/a/b/c'])
  })
  it('keeps the fifteen last used pages alive', () => {
    const paths = Array.from({ length: maxLive + 2 }, (_, index) => `/${index}`)
    expect([...livePaths(open(paths))].sort()).toEqual(paths.slice(2).sort())
  })
})

it('[S2.26][S5.12][S8.11][S8.12] says it in the words of the specification', () => {
  const { zh } = shellTexts
  expect([zh['tabs.clearCache.ask'], zh['tabs.clearCache.done'], zh['lock.empty'], zh['errors.sent'], zh['errors.cleared']]).toEqual([
    '是否需要清除缓存?',
    '清除完毕',
    '锁屏密码不能为空',
    '发送成功!',
    '清空成功!',
  ])
})

it('[S9.01][S9.02][S9.15][S8.13] holds the numbers of the specification', () => {
  const { requestTimeoutMs, tokenTimeS, tokenCheckMs, lockDelayMs, maxBadge, chunkTimeoutMs } = settings
  expect([requestTimeoutMs, tokenTimeS, tokenCheckMs, lockDelayMs, maxBadge, chunkTimeoutMs]).toEqual([
    60_000, 3000, 10_000, 100, 99, 120_000,
  ])
})

describe('small parts', () => {
  it('matches paths with parts that vary', () => {
    expect(matchPath('/exam/detail/:id', '/exam/detail/7')).toEqual({ id: '7' })
    expect([matchPath('/exam/detail/:id', '/exam/detail'), matchPath('/exam/detail/:id', '/exam/detail/')]).toEqual([null, null])
  })
  it('shows the first, the last and the neighbouring pages', () => {
    expect(pagesOf(1, 3)).toEqual([1, 2, 3])
    expect(pagesOf(1, 14)).toEqual([1, 2, 3, 4, 5, null, 14])
    expect(pagesOf(7, 14)).toEqual([1, null, 6, 7, 8, null, 14])
    expect(pagesOf(14, 14)).toEqual([1, null, 10, 11, 12, 13, 14])
  })
  it('refuses files by ending and size before they are sent', () => {
    const limits = { types: ['jpg', 'png'], maxBytes: 512_000 }
    expect([
      fileProblem({ name: 'a.JPEG', size: 512_000 }, limits),
      fileProblem({ name: 'a.png', size: 512_001 }, limits),
      fileProblem({ name: 'a.pdf', size: 1 }, limits),
    ]).toEqual([null, 'size', 'type'])
  })
})
