// Starts Kaopu from a clean clone on any Node from 20.19 on: installs, builds, then hands over to the Node that comes with the packages.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build, install, pinnedNode, root, seconds, serverProgram, Trouble } from './tools/install.mjs'

const readyLine = 'Kaopu is ready at '

const readProfile = () => {
  const args = process.argv.slice(2)
  if (args.length === 0) return {}
  if (args.length === 2 && args[0] === '--profile') return { KAOPU_PROFILE: args[1] }
  throw new Trouble(`Unknown arguments: ${args.join(' ')}. Known: --profile demo|test|production`)
}

/**
 * The process that started this one, and where that is a shell, the one that started the shell: npm runs a script by a shell, passes few signals
 * on, and leaves both behind when it is killed.
 */
const startedBy = () => {
  const parent = process.ppid
  try {
    const [, name, before] = /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${parent}/stat`, 'utf8'))
    return ['sh', 'dash', 'bash', 'ash', 'busybox'].includes(name) ? `${parent} ${before}` : String(parent)
  } catch {
    return String(parent)
  }
}

const lookAgainMs = 250

/** Calls once when npm has gone. A start without npm is left alone: who starts it in the background may go and let it run. */
const whenNpmEnds = call => {
  if (process.env.npm_lifecycle_event === undefined) return
  const before = startedBy()
  const timer = setInterval(() => {
    if (startedBy() === before) return
    clearInterval(timer)
    call()
  }, lookAgainMs)
  timer.unref()
}

const serve = (node, profile, report) =>
  new Promise((done, fail) => {
    const began = performance.now()
    const flags = JSON.parse(readFileSync(join(root, 'server', 'node-flags.json'), 'utf8'))
    const child = spawn(node, [...flags, serverProgram], {
      env: { ...process.env, ...profile },
      // The channel tells the server when this process is killed outright.
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
    whenNpmEnds(() => child.kill('SIGTERM'))
    createInterface({ input: child.stdout }).on('line', line => {
      if (line.startsWith(readyLine)) console.log(report(performance.now() - began))
      console.log(line)
    })
    child.on('error', fail)
    child.on('exit', (code, signal) => done(signal ? 1 : (code ?? 1)))
  })

// Whoever reads the output may go away; the server stays.
process.stdout.on('error', () => {})

try {
  const profile = readProfile()
  const installMs = await install()
  const node = pinnedNode()
  const buildMs = await build(node)
  process.exitCode = await serve(
    node,
    profile,
    startMs =>
      `Install ${seconds(installMs)}, build ${seconds(buildMs)}, start ${seconds(startMs)}: ready after ${seconds(installMs + buildMs + startMs)}`,
  )
} catch (error) {
  if (!(error instanceof Trouble)) throw error
  console.error(error.message)
  process.exitCode = 1
}
