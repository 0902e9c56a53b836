// Finds a Chromium for the browser suite: plain JavaScript that runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './install.mjs'

const usualPaths = [
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
  const packages = ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-noto-cjk']
  if ((await get(packages)) !== 0 && ((await get(['update'])) !== 0 || (await get(packages)) !== 0)) return undefined
  return installed()
}

/** Made for a machine that serves one page at a time; a test opens several, and one process for all of them crashes. */
const unwanted = new Set(['--single-process', '--no-zygote'])

const fromPackage = node => {
  const script = `const { default: chromium } = await import('@sparticuz/chromium')
    console.log(JSON.stringify({ path: await chromium.executablePath(), args: chromium.args }))`
  const { status, stdout, stderr } = spawnSync(node, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' })
  if (status !== 0) {
    console.error(stderr.split('\n').slice(0, 5).join('\n'))
    return undefined
  }
  const { path, args } = JSON.parse(stdout.trim().split('\n').at(-1))
  return { path, args: args.filter(argument => !unwanted.has(argument)) }
}

/**
 * The environment of the browser suite: CHROME_PATH, and CHROME_ARGS as a JSON array.
 * @param node the Node that comes with the packages.
 */
export const findBrowser = async (node, { onlyPackage = false } = {}) => {
  const named = process.env.CHROME_PATH
  const path = onlyPackage ? undefined : (named ?? installed() ?? (await fromDebian()))
  // Chromium's own sandbox refuses root and needs kernel rights that containers lack.
  if (path !== undefined) return { CHROME_PATH: path, CHROME_ARGS: process.env.CHROME_ARGS ?? JSON.stringify(['--no-sandbox']) }
  if (!existsSync(join(root, 'node_modules', '@sparticuz', 'chromium'))) return undefined
  const found = fromPackage(node)
  return found && { CHROME_PATH: found.path, CHROME_ARGS: JSON.stringify(found.args) }
}
