import { existsSync, globSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isSystemRole, systemRoles } from '../contract/src/access/role.ts'
import { menuSeeds } from '../server/seed/base/menus.ts'
import type { NounFile } from '../server/src/modules/develop/domain/model-field.ts'
import { isNoun } from '../server/src/modules/develop/generator/names.ts'
import { nextMigration, nounFiles, type PlannedField } from '../server/src/modules/develop/generator/noun-text.ts'
import { writeNounFiles } from './nouns.ts'

const root = join(import.meta.dirname, '..')

/** Menus that others can stand in. */
const menuCodes: readonly string[] = menuSeeds.filter(({ children = [] }) => children.length > 0).map(({ code }) => code)

/** What is asked about a new noun. */
export interface Wish {
  /** Folder of the contract: `ticket`. */
  readonly context: string
  /** In words of the wire: `ticket-remark`. */
  readonly noun: string
  readonly zh: string
  readonly en: string
  /** Code of the menu it stands in. */
  readonly under: string
  /** Roles that hold its buttons, with commas between. */
  readonly roles: string
  readonly within?: 'examination' | undefined
}

/** What is wrong with a wish, in both languages; empty when nothing is. */
export const wishProblems = (
  wish: Wish,
  contexts: readonly string[],
  tables: readonly string[],
  menus: readonly string[],
): readonly string[] => [
  ...(contexts.includes(wish.context) ? [] : [`没有上下文 ${wish.context} / there is no context ${wish.context}: ${contexts.join(', ')}`]),
  ...(isNoun(wish.noun)
    ? []
    : [`名称须为小写字母、数字和连字符，如 ticket-remark / the noun is lower case with hyphens, as ticket-remark: ${wish.noun}`]),
  ...(tables.includes(wish.noun.replaceAll('-', '_')) ? [`已有表 ${wish.noun} / there is a table of that name: ${wish.noun}`] : []),
  ...(wish.under === '' || menus.includes(wish.under)
    ? []
    : [`没有菜单 ${wish.under} / there is no menu ${wish.under}: ${menus.join(', ')}`]),
  ...wish.roles
    .split(',')
    .map(role => role.trim())
    .filter(role => role !== '' && !isSystemRole(role))
    .map(role => `没有角色 ${role} / there is no role ${role}: ${systemRoles.join(', ')}`),
  ...(['zh', 'en', 'under', 'roles'] as const).flatMap(name =>
    wish[name].trim() === '' ? [`请给出 --${name} / --${name} is missing`] : [],
  ),
]

const examination: PlannedField = {
  name: 'examId',
  kind: 'ref',
  of: 'examination',
  label: { zh: '考试', en: 'Examination' },
  required: true,
  immutable: true,
  search: 'eq',
  list: false,
}
/** What a noun has before somebody says what it is. */
const firstFields: readonly PlannedField[] = [
  { name: 'title', kind: 'text', max: 50, label: { zh: '标题', en: 'Title' }, required: true, search: 'like' },
  { name: 'sort', kind: 'int', label: { zh: '排序', en: 'Order' }, min: 0, max: 9_999, default: 0 },
]

/** The two files of a noun: its declaration and its table. @param last - number of the newest migration */
export const filesOf = ({ zh, en, roles, within, ...wish }: Wish, last: number): readonly NounFile[] =>
  nounFiles(
    {
      ...wish,
      within,
      label: { zh, en },
      roles: roles.split(',').map(role => role.trim()),
      order: 'sort',
      fields: [...(within === undefined ? [] : [examination]), ...firstFields],
    },
    nextMigration(last),
  )

const questions = {
  zh: '中文名称 / Name in Chinese: ',
  en: '英文名称 / Name in English: ',
  under: '所在菜单编号（如 tickets）/ Code of the menu it stands in: ',
  roles: '有权角色，逗号分隔（如 exam_admin）/ Roles, with commas between: ',
} as const

const run = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      zh: { type: 'string' },
      en: { type: 'string' },
      under: { type: 'string' },
      roles: { type: 'string' },
      within: { type: 'string' },
      root: { type: 'string', default: root },
    },
  })
  const [context = '', noun = ''] = positionals
  if (context === '' || noun === '' || (values.within !== undefined && values.within !== 'examination')) {
    console.error(
      "npm run new:resource -- <context> <noun> [--zh 名称] [--en 'Name'] [--under menu] [--roles exam_admin] [--within examination]",
    )
    return 2
  }
  const asked = { zh: values.zh, en: values.en, under: values.under, roles: values.roles }
  if (process.stdin.isTTY) {
    const lines = createInterface({ input: process.stdin, output: process.stdout })
    for (const name of ['zh', 'en', 'under', 'roles'] as const) asked[name] ??= await lines.question(questions[name])
    lines.close()
  }
  const { zh = '', en = '', under = '', roles = '' } = asked
  const wish: Wish = { context, noun, zh, en, under, roles, within: values.within }
  const contexts = readdirSync(join(values.root, 'contract/src'), { withFileTypes: true })
    .filter(entry => entry.isDirectory() && entry.name !== 'kernel')
    .map(({ name }) => name)
  const migrations = globSync('*.sql', { cwd: join(values.root, 'server/migrations') })
  const files = filesOf(wish, Math.max(...migrations.map(name => Number(name.slice(0, 4)))))
  const problems = [
    ...wishProblems(
      wish,
      contexts,
      migrations.map(name => name.slice(5, -4)),
      menuCodes,
    ),
    ...files.filter(({ path }) => existsSync(join(values.root, path))).map(({ path }) => `已存在 / is there already: ${path}`),
  ]
  if (problems.length > 0) {
    console.error(problems.join('\n'))
    return 1
  }
  for (const { path, text } of files) {
    mkdirSync(join(values.root, path, '..'), { recursive: true })
    writeFileSync(join(values.root, path), text)
    console.log(path)
  }
  if (values.root === root) {
    writeNounFiles()
    console.log('contract/src/noun-files.ts')
    console.log('Now: change both files to what the noun is, then npm run docs.')
  }
  return 0
}

// `npm run new:resource -- ticket ticket-remark` writes the declaration and the table of a plain noun.
if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await run()
