// The loop of whoever changes the program: node tools/dev.mjs (npm run dev). Database and demo data, a server that starts anew when its files
// change, and pages that change in the open browser, all at one address. Plain JavaScript: it runs before the packages are there.
import { spawn } from 'node:child_process'
import { readFileSync, watch } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { adviceFor, beginAnew } from './dev-data.mjs'
import { install, pinnedNode, root, seconds, Trouble } from './install.mjs'

const webPort = Number(process.env.PORT ?? 7300)
const serverPort = webPort + 1
const inspectPort = 9229
const readyLine = 'Kaopu is ready at '
const watched = ['server/src', 'server/seed', 'server/migrations', 'contract/src']
/** An editor writes several files at once, and some write each of them twice. */
const gatherMs = 80

const say = text => console.log(`\n▸ ${text}`)

/** The server, started anew on each change. A start that fails waits for the next change instead of ending the loop. */
const serve = (node, onReady) => {
  const flags = JSON.parse(readFileSync(join(root, 'server', 'node-flags.json'), 'utf8'))
  let child
  let isStale = false
  let isEnding = false
  let began = 0
  let starts = 0
  const start = () => {
    let isReady = false
    isStale = false
    starts += 1
    began = performance.now()
    child = spawn(node, [...flags, `--inspect=127.0.0.1:${inspectPort}`, join(root, 'server', 'src', 'main.mjs')], {
      cwd: root,
      env: {
        ...process.env,
        // What a restart must not lose: the address that people see is the one of the pages.
        KAOPU_PUBLIC_URL: process.env.KAOPU_PUBLIC_URL ?? `http://localhost:${webPort}`,
        PORT: String(serverPort),
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    createInterface({ input: child.stdout }).on('line', line => {
      // The accounts of the demo are the same after each start.
      if (!line.startsWith(readyLine)) return starts > 1 && !isReady ? undefined : console.log(line)
      isReady = true
      say(`The server is ready after ${seconds(performance.now() - began)}.`)
      onReady()
    })
    let advice
    createInterface({ input: child.stderr }).on('line', line => {
      console.error(line)
      advice ??= adviceFor(line)
    })
    // What it said last is read first.
    child.on('close', (code, signal) => {
      child = undefined
      if (isEnding) return
      if (isStale) start()
      else say(advice ?? `The server ended (${code ?? signal}). It starts again with the next change.`)
    })
  }
  const change = () => {
    if (isEnding) return
    if (child === undefined) return start()
    if (isStale) return
    isStale = true
    child.kill('SIGTERM')
  }
  start()
  return {
    change,
    end: () => {
      isEnding = true
      child?.kill('SIGTERM')
    },
  }
}

try {
  const unknown = process.argv.slice(2).filter(word => word !== '--fresh')
  if (unknown.length > 0) throw new Trouble(`npm run dev knows --fresh (new demo data), not ${unknown.join(' ')}.`)
  if (process.argv.includes('--fresh')) beginAnew(resolve(root, process.env.KAOPU_DATA ?? '.data'), process.env.DATABASE_URL)
  await install()
  const node = pinnedNode()
  let pages
  let isEnding = false
  const server = serve(node, () => {
    if (pages !== undefined) return
    pages = spawn(
      node,
      [
        join(root, 'node_modules', 'vite', 'bin', 'vite.js'),
        '--config',
        join(root, 'web', 'vite.config.ts'),
        '--port',
        String(webPort),
        '--strictPort',
      ],
      { cwd: root, env: { ...process.env, KAOPU_DEV_SERVER: `http://127.0.0.1:${serverPort}` }, stdio: ['ignore', 'ignore', 'inherit'] },
    )
    pages.on('exit', code => {
      if (code && !isEnding) say(`The pages could not be served (${code}); is port ${webPort} taken?`)
    })
    say(
      [
        `Open http://localhost:${webPort}: pages change in the open browser, the server (${serverPort}) starts anew when its files change.`,
        `Debugger: 127.0.0.1:${inspectPort} (chrome://inspect, or "attach" in an editor). Ctrl-C ends everything.`,
      ].join('\n  '),
    )
  })
  let gathering
  for (const folder of watched)
    watch(join(root, folder), { recursive: true }, (_kind, file) => {
      if (!/\.(ts|mjs|sql|json)$/.test(String(file)) || String(file).endsWith('.test.ts')) return
      clearTimeout(gathering)
      gathering = setTimeout(() => {
        say(`${folder}/${file} has changed.`)
        server.change()
      }, gatherMs)
    })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      isEnding = true
      pages?.kill('SIGTERM')
      server.end()
      // The server ends its database before itself; nothing else keeps this process.
      setTimeout(() => process.exit(0), 10_000).unref()
      process.exitCode = 0
    })
} catch (error) {
  if (!(error instanceof Trouble)) throw error
  console.error(error.message)
  process.exitCode = 1
}
