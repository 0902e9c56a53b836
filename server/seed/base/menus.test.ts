import { expect, test } from 'vitest'
import { text } from '#contract/kernel/field.ts'
import { defineResource, type MenuPlace } from '#contract/kernel/resource.ts'
import { allRoutes } from '#contract/registry.ts'
import { withDeclared } from './declared-menus.ts'
import type { MenuSeed } from './menu-seed.ts'
import { menuSeeds } from './menus.ts'

/** Asked for inside a call, or by a screen that works on what others read. */
const askedElsewhere = [
  'signup_approve',
  'examinetip_share',
  'report_messages',
  'region_view',
  'region_debug',
  'log_usual_other',
  'log_api_other',
  'log_error_other',
  'attach_download',
]

const codesOf = ({ code, buttons = [], children = [] }: MenuSeed): string[] => [
  ...buttons.map(([action]) => `${code}_${action}`),
  ...children.flatMap(codesOf),
]

test('[S6.03] every seeded button opens a call, and every call asks for a seeded button', () => {
  const asked = new Set<string>(allRoutes().flatMap(({ access }) => ('staff' in access ? access.staff : [])))
  const seeded = menuSeeds.flatMap(codesOf)
  expect(seeded.filter(code => !asked.has(code))).toEqual(askedElsewhere)
  expect([...asked].filter(code => !seeded.includes(code))).toEqual([])
})

test('[19.12] whoever may do something with results has the menu that leads there', () => {
  const above = menuSeeds.find(menu => menu.code === 'results')
  const page = above?.children?.find(menu => menu.code === 'result')
  const acting = (page?.buttons ?? []).flatMap(([action, , , roles]) => (action === 'view' || action === 'export' ? [] : roles))
  expect([...new Set(acting)].sort()).toEqual(['admin', 'exam_admin'])
  expect([above?.roles, page?.roles]).toEqual([
    // Units and auditors come for the stages behind the results.
    ['exam_admin', 'admin', 'unit_hr', 'auditor'],
    ['exam_admin', 'admin'],
  ])
})

const note = (name: string, menu: MenuPlace) =>
  defineResource({
    name,
    basePath: `/blade-note/${name}`,
    menuPath: `/note/${name}`,
    label: { zh: '便签', en: 'Note' },
    menu,
    verbs: ['list', 'submit'],
    actions: [{ key: 'pin', label: { zh: '置顶', en: 'Pin' }, call: 'POST /blade-note/pin', right: 'pin' }],
    fields: { title: text(50, { label: { zh: '标题', en: 'Title' } }) },
  })
const desk: MenuSeed = { code: 'desk', zh: '桌面', en: 'Desk', path: '/desk', icon: 'desk', roles: ['admin'] }

test('[20.5] a noun that says where its menu stands has it there, with a button for each of its calls and actions', () => {
  const [made] = withDeclared(
    [{ ...desk, children: [desk, { ...desk, code: 'last' }] }],
    [
      note('one', { under: 'desk', roles: ['admin'], readers: ['auditor'] }),
      note('two', { under: 'desk', after: 'desk', roles: ['admin'] }),
    ],
  )
  expect(made?.children?.map(({ code }) => code)).toEqual(['desk', 'two', 'last', 'one'])
  expect(made?.children?.[3]).toEqual({
    code: 'one',
    zh: '便签',
    en: 'Note',
    path: '/note/one',
    icon: 'list',
    roles: ['admin'],
    buttons: [
      ['view', '查看', 'View', ['admin', 'auditor']],
      ['add', '新增', 'Add', ['admin']],
      ['edit', '编辑', 'Edit', ['admin']],
      ['pin', '置顶', 'Pin', ['admin']],
    ],
  })
})

test('[20.5] a menu that is to stand nowhere, or is given to a role that nobody has, stops the start', () => {
  expect(() => withDeclared([desk], [note('one', { under: 'moon', roles: ['admin'] })])).toThrow('one (under moon)')
  expect(() => withDeclared([desk], [note('one', { under: 'desk', roles: ['astronaut'] })])).toThrow('there is no role astronaut')
})
