import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { crudRoutes } from '#contract/kernel/crud-routes.ts'
import { nounProblems } from '#contract/noun-problems.ts'
import { isResource, refTargets } from '#contract/nouns.ts'
import { withDeclared } from '../server/seed/base/declared-menus.ts'
import { filesOf, wishProblems } from './new-resource.ts'

const root = join(import.meta.dirname, '..')
const wish = { context: 'ticket', noun: 'door-sign', zh: '门贴', en: "Door's sign", under: 'tickets', roles: 'exam_admin, site' } as const
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaopu-new-'))
  mkdirSync(join(folder, 'server/migrations'), { recursive: true })
  cpSync(join(root, 'contract/src/kernel'), join(folder, 'contract/src/kernel'), { recursive: true })
  mkdirSync(join(folder, 'contract/src/ticket'))
  writeFileSync(join(folder, 'server/migrations/0661_last.sql'), '')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), readFileSync(join(root, 'package.json')))
})
afterEach(() => rmSync(folder, { recursive: true }))

const run = (...args: readonly string[]): { readonly code: number; readonly said: string } => {
  try {
    const said = execFileSync(process.execPath, [join(root, 'tools/new-resource.ts'), ...args, '--root', folder], {
      encoding: 'utf8',
      stdio: 'pipe',
    })
    return { code: 0, said }
  } catch (error) {
    const { status, stderr } = error as { status: number; stderr: string }
    return { code: status, said: stderr }
  }
}
const flags = ['--zh', wish.zh, '--en', wish.en, '--under', wish.under, '--roles', wish.roles]

test.each([[[]], [['--within', 'examination']]])(
  '[20.6] it writes a declaration and a table that fit what the program asks of a noun: %j',
  async extra => {
    const { code, said } = run('ticket', 'door-sign', ...flags, ...extra)
    expect([code, said.trim().split('\n')]).toEqual([
      0,
      ['contract/src/ticket/door-sign.resource.ts', 'server/migrations/0670_door_sign.sql'],
    ])
    const module = (await import(join(folder, 'contract/src/ticket/door-sign.resource.ts'))) as Record<string, unknown>
    const resource = module['doorSign']
    if (!isResource(resource)) throw new Error('it declares no noun')
    const routes = Object.values(crudRoutes(resource))
    expect(nounProblems({ resources: [resource], targets: refTargets, routes })).toEqual([])
    const [menu] = withDeclared([{ code: 'tickets', zh: '准', en: 'T', path: '/ticket', icon: 'ticket', roles: [] }], [resource])
    expect(menu?.children).toMatchObject([
      { code: 'doorsign', zh: '门贴', en: "Door's sign", path: '/ticket/doorSign', roles: ['exam_admin', 'site'] },
    ])
    const table = readFileSync(join(folder, 'server/migrations/0670_door_sign.sql'), 'utf8')
    for (const name of Object.keys(resource.fields))
      expect(table).toContain(` ${name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)} `)
    expect(table.includes("narrow_with_exam('door_sign')")).toBe(extra.length > 0)
  },
)

test('[20.6] nothing is written over, and a wish that cannot be is said in both languages', () => {
  expect(run('ticket', 'door-sign', ...flags).code).toBe(0)
  const again = run('ticket', 'door-sign', ...flags)
  expect([again.code, again.said]).toEqual([
    1,
    expect.stringContaining('已存在 / is there already: contract/src/ticket/door-sign.resource.ts'),
  ])
  expect(run('ticket').code).toBe(2)
  expect(wishProblems({ ...wish, context: 'moon', noun: 'Door_Sign', roles: '', under: 'cellar' }, ['ticket'], [], ['tickets'])).toEqual([
    '没有上下文 moon / there is no context moon: ticket',
    '名称须为小写字母、数字和连字符，如 ticket-remark / the noun is lower case with hyphens, as ticket-remark: Door_Sign',
    '没有菜单 cellar / there is no menu cellar: tickets',
    '请给出 --roles / --roles is missing',
  ])
  expect(wishProblems({ ...wish, roles: 'exam_admin, nobody' }, ['ticket'], [], [wish.under])).toEqual([
    expect.stringMatching(/^没有角色 nobody \/ there is no role nobody: .*exam_admin/),
  ])
  expect(filesOf(wish, 670).map(({ path }) => path)).toEqual([
    'contract/src/ticket/door-sign.resource.ts',
    'server/migrations/0680_door_sign.sql',
  ])
})
