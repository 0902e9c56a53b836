import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundle, childProgram } from './bundle-server.mjs'

const root = join(import.meta.dirname, '..')
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaopu-bundle-'))
  for (const name of ['built.mjs', 'built-lines.mjs', 'main.mjs']) {
    mkdirSync(join(folder, 'server/src'), { recursive: true })
    cpSync(join(root, 'server/src', name), join(folder, 'server/src', name))
  }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const build = (...commands: readonly string[]): Promise<readonly string[]> =>
  bundle(
    join(folder, 'server/src/built.mjs'),
    join(folder, 'server/dist'),
    commands.map(path => join(folder, path)),
  )
const run = (program = 'main'): string =>
  execFileSync(process.execPath, [join(folder, `server/dist/${program}.mjs`)], { encoding: 'utf8', cwd: tmpdir() })

test('[S11.1] the built program reads what lies beside its sources, keeps its Chinese, and its errors name the sources', async () => {
  write('server/src/beside.txt', 'beside')
  write(
    'server/src/deep/fails.ts',
    `// 中文
export interface Asked { readonly name: string }

export const fails = ({ name }: Asked): never => {
  throw new Error(\`没有 \${name}\`)
}
`,
  )
  write(
    'server/src/program.ts',
    `import { readFileSync } from 'node:fs'
import { fails } from './deep/fails.ts'

console.log(readFileSync(new URL('./beside.txt', import.meta.url), 'utf8'))
try {
  fails({ name: '准考证😀' })
} catch (error) {
  console.log((error as Error).stack)
}
`,
  )
  await build()
  const [beside, headline, first, second] = run().split('\n')
  expect({ beside, headline }).toEqual({ beside: 'beside', headline: 'Error: 没有 准考证😀' })
  expect(first).toMatch(/^ {4}at fails \(.*server\/src\/deep\/fails\.ts:5\)$/)
  expect(second).toMatch(/^ {4}at .*server\/src\/program\.ts:6\b/)
})

test('what the program starts as a process of its own is one file beside it, and what that starts too', async () => {
  const started = (name: string) => `import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const out = execFileSync(process.execPath, [fileURLToPath(new URL('./${name}-child.ts', import.meta.url))], { encoding: 'utf8' })
`
  write('server/src/program.ts', `${started('first')}console.log(out.trim())`)
  write('server/src/words.ts', "export const word: string = '中文'")
  write(
    'server/src/first-child.ts',
    `${started('second')}import { word } from './words.ts'
console.log(word + out.trim())`,
  )
  write('server/src/second-child.ts', 'const mark: string = "!"\nconsole.log(mark)')
  const files = await build()
  expect(files.filter(name => name.endsWith('-child.mjs'))).toEqual(['first-child.mjs', 'second-child.mjs'])
  // No source is needed any more.
  rmSync(join(folder, 'server/src'), { recursive: true })
  expect(run()).toBe('中文!\n')
})

test('what a thread draws with is built beside it, may draw, and shares its classes with what starts it', async () => {
  write('node_modules/pdfkit/package.json', '{"name":"pdfkit","type":"module","exports":"./index.js"}')
  write('node_modules/pdfkit/index.js', 'export const page = 1')
  write('server/src/error.ts', 'export class Missing extends Error {}')
  write(
    'server/src/templates/letter.ts',
    "import { page } from 'pdfkit'\nimport { Missing } from '../error.ts'\nexport const render = (): never => { throw new Missing(String(page)) }",
  )
  write(
    'server/src/thread.ts',
    `import { parentPort, workerData } from 'node:worker_threads'
import { Missing } from './error.ts'
const { render } = (await import(workerData as string)) as { render: () => never }
try { render() } catch (error) { parentPort?.postMessage(error instanceof Missing ? 'same' : 'another') }`,
  )
  write(
    'server/src/program.ts',
    `import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
const workerData = new URL('./templates/letter.ts', import.meta.url).href
const [said] = await once(new Worker(new URL('./thread.ts', import.meta.url), { workerData }), 'message')
console.log(said)`,
  )
  await build()
  rmSync(join(folder, 'server/src'), { recursive: true })
  expect(run()).toBe('same\n')
})

test('a command is a program where it is started and a module where another imports it, and its errors name the sources', async () => {
  write('server/src/program.ts', "import { word } from './verify.ts'\nconsole.log('server', word)")
  write('server/src/verify.ts', "export const word: string = '中文'\nif (import.meta.main) console.log('verify', word)")
  write(
    'server/src/acknowledge.ts',
    "import { word } from './verify.ts'\nif (import.meta.main) console.log('acknowledge', word, new Error('x').stack)",
  )
  await build('server/src/verify.ts', 'server/src/acknowledge.ts')
  expect(run()).toBe('server 中文\n')
  expect(run('verify')).toBe('verify 中文\n')
  const [said, place] = run('acknowledge').split('\n')
  expect(said).toBe('acknowledge 中文 Error: x')
  const [, path = '', line] = /^ {4}at (.*):(\d+)$/.exec(place ?? '') ?? []
  expect([join(root, path), line]).toEqual([join(folder, 'server/src/acknowledge.ts'), '2'])
})

test('two sources that would be built to one file end the build', async () => {
  write('server/src/program.ts', "console.log(new URL('./a/same.ts', import.meta.url), new URL('./b/same.ts', import.meta.url))")
  write('server/src/a/same.ts', 'export {}')
  write('server/src/b/same.ts', 'export {}')
  await expect(build()).rejects.toThrow(/a\/same\.ts and .*b\/same\.ts would be built to the same file/)
})

test('what a source reads of the sources is read when the server is built', async () => {
  write('server/src/beside.txt', '中文 "beside"')
  write(
    'server/src/read-at-build.ts',
    "import { readFileSync } from 'node:fs'\nexport const beside = (): string => readFileSync(new URL('beside.txt', import.meta.url), 'utf8')",
  )
  write('server/src/program.ts', "import { beside } from './read-at-build.ts'\nconsole.log(beside())")
  await build()
  rmSync(join(folder, 'server/src'), { recursive: true })
  expect(run()).toBe('中文 "beside"\n')
})

test('every source of the server that is named as such a program is started by an address that the build knows', () => {
  const named = globSync('server/src/**/*-child.ts', { cwd: root }).map(path => basename(path, '.ts'))
  const started = globSync('server/src/**/*.ts', { cwd: root }).flatMap(path =>
    [...readFileSync(join(root, path), 'utf8').matchAll(childProgram)].map(([, name]) => name),
  )
  expect(started.sort()).toEqual(named.sort())
  expect(named).toContain('read-child')
})

test('a place that no table knows stays the one in the built file', async () => {
  write('server/src/program.ts', 'console.log(new Error("x").stack)')
  const files = await build()
  for (const name of files.filter(one => one.endsWith('.lines'))) rmSync(join(folder, 'server/dist', name))
  expect(run()).toMatch(/^Error: x\n {4}at .*dist\/program-[\w-]+\.mjs:\d+:\d+/)
})

test.each(['__dirname', 'import.meta.dirname', "require.resolve('./x.js')", 'require(name)'])(
  'a package that would look for files beside the built file (%s) ends the build, by its name',
  async beside => {
    write('node_modules/reads-beside/package.json', '{"name":"reads-beside","type":"module","exports":"./index.js"}')
    write('node_modules/reads-beside/index.js', `export const where = name => ${beside}`)
    write('server/src/program.ts', "import { where } from 'reads-beside'\nconsole.log(where('x'))")
    await expect(build()).rejects.toThrow(/reads-beside\/index\.js looks for files beside itself/)
  },
)

test('a source that asks for its place by another name than the one that is kept ends the build', async () => {
  write('server/src/program.ts', 'console.log(import.meta.dirname)')
  await expect(build()).rejects.toThrow(/server\/src\/program\.ts uses import\.meta\.dirname/)
})

test('raw text that is not ASCII ends the build, since escapes would change it', async () => {
  write('server/src/program.ts', 'console.log(String.raw`准考证`)')
  await expect(build()).rejects.toThrow('Raw text cannot be written in ASCII: String.raw`准考证`')
})

test('a library that draws ends the build: the server leaves it to the threads that do', async () => {
  write('node_modules/pdfkit/package.json', '{"name":"pdfkit","type":"module","exports":"./index.js"}')
  write('node_modules/pdfkit/index.js', 'export const page = 1')
  write('server/src/page.ts', "export { page } from 'pdfkit'")
  write('server/src/program.ts', "import { page } from './page.ts'\nconsole.log(page)")
  await expect(build()).rejects.toThrow(/pdfkit is loaded by .*server\/src\/page\.ts/)
})
