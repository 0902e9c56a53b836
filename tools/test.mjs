// Runs every suite one after another: node tools/test.mjs [--only small,medium] [--long]. Plain JavaScript: it runs before the packages are there.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { findBrowser } from './browser.mjs'
import { build, install, pinnedNode, root, run, seconds, Trouble } from './install.mjs'

const results = mkdtempSync(join(tmpdir(), 'kaopu-test-'))
process.on('exit', () => rmSync(results, { recursive: true, force: true }))

const bin = (...parts) => join(root, 'node_modules', ...parts)
const tools = {
  tsc: bin('typescript', 'bin', 'tsc'),
  biome: bin('@biomejs', 'biome', 'bin', 'biome'),
  oxlint: bin('oxlint', 'bin', 'oxlint'),
  vitest: bin('vitest', 'vitest.mjs'),
}

const hasTests = folder =>
  existsSync(join(root, folder)) && readdirSync(join(root, folder), { recursive: true }).some(name => /\.test\.tsx?$/.test(String(name)))

/** Each command counts as one test. They run side by side: each has one core to itself for most of its time. */
const commands = list => async (node, env) => {
  const total = { passed: 0, failed: 0 }
  const one = async ([tool, ...args]) => {
    const code = await run(node, [tools[tool], ...args], { env })
    total[code === 0 ? 'passed' : 'failed'] += 1
    console.log(`  ${code === 0 ? '✓' : '✗'} ${tool} ${args.join(' ')}`)
  }
  await Promise.all(list.map(one))
  return total
}

const vitest =
  (folders, ...args) =>
  async (node, env) => {
    const written = folders.filter(hasTests)
    if (written.length === 0) {
      console.log(`  no tests in ${folders.join(', ')} yet`)
      return { passed: 0, failed: 0, empty: true }
    }
    return resultOf(node, env, args)
  }

let runs = 0
/** Runs vitest once. @returns what passed and failed, and the files that did not pass, with why */
const resultOf = async (node, env, args) => {
  runs += 1
  const file = join(results, `${runs}.json`)
  const code = await run(node, [tools.vitest, 'run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`], {
    env,
  })
  if (!existsSync(file)) return { passed: 0, failed: 1, red: [] }
  const { numPassedTests: passed, numFailedTests: failed, testResults } = JSON.parse(readFileSync(file, 'utf8'))
  const red = testResults
    .filter(one => one.status === 'failed')
    .map(one => {
      const tests = one.assertionResults.filter(test => test.status === 'failed')
      // A file that breaks before its first test has no failed test of its own.
      return {
        name: one.name,
        passed: one.assertionResults.filter(test => test.status === 'passed').length,
        failed: tests.length || 1,
        why: [one.message, ...tests.flatMap(test => test.failureMessages)].filter(Boolean),
      }
    })
  const all = red.reduce((sum, one) => sum + one.failed, 0)
  return { passed, failed: Math.max(failed, all) || (code === 0 ? 0 : 1), red }
}

const browser = async (node, env) => {
  if (!hasTests('e2e')) return vitest(['e2e'])(node, env)
  const found = await findBrowser(node)
  if (found === undefined) throw new Trouble('No browser: set CHROME_PATH to a Chromium or Chrome, or install one.')
  console.log(`  browser: ${found.CHROME_PATH}`)
  await build(node)
  const config = ['--config', 'e2e/vitest.config.ts']
  const browserEnv = { ...env, ...found }
  const first = await resultOf(node, browserEnv, config)
  if (first.red.length === 0 || first.red.length > mostTwice) return first
  return twice(first, name => resultOf(node, browserEnv, [...config, relative(root, name)]))
}

/** More files than that are no accident. */
const mostTwice = 3

/**
 * A browser file that failed is run once more, alone: two of them share two cores with each other. It counts as failed if it fails again, and is
 * else told apart as flaky, with what it said: a fault of the test or of the program that waits to be mended (docs/STATUS.md lists them).
 */
const twice = async (first, again) => {
  let { passed, failed } = first
  for (const { name, passed: passedBefore, failed: failedBefore, why } of first.red) {
    console.log(`\n  once more, alone: ${relative(root, name)}`)
    const { failed: after, passed: now } = await again(name)
    if (after > 0 || now === 0) continue
    failed -= failedBefore
    passed += now - passedBefore
    console.log(
      `  FLAKY ${relative(root, name)}: failed beside another file, passed alone. It had said:\n${why.join('\n').replaceAll(/^/gm, '    ')}`,
    )
  }
  return { passed, failed }
}

const suites = {
  types: commands([
    ['tsc', '-p', 'tsconfig.json', '--noEmit'],
    ['tsc', '-p', 'contract/tsconfig.json', '--noEmit'],
    ['tsc', '-p', 'web/tsconfig.json', '--noEmit'],
  ]),
  lint: commands([
    ['biome', 'ci', '--error-on-warnings'],
    ['oxlint', '--deny-warnings'],
  ]),
  boundaries: vitest(['tools'], 'tools/'),
  small: vitest(['contract/src', 'server/src', 'server/seed', 'web/src'], 'contract/src/', 'server/src/', 'server/seed/', 'web/src/'),
  medium: vitest(['server/test'], '--config', 'server/test/vitest.config.ts'),
  browser,
}

const readArguments = () => {
  let only = Object.keys(suites)
  let long = false
  for (let args = process.argv.slice(2); args.length > 0; args = args.slice(1)) {
    if (args[0] === '--long') long = true
    else if (args[0] === '--only' && args[1]) {
      only = args[1].split(',')
      args = args.slice(1)
    } else throw new Trouble(`Unknown argument ${args[0]}. Known: --only ${Object.keys(suites).join(',')} --long`)
  }
  const unknown = only.filter(name => !(name in suites))
  if (unknown.length > 0) throw new Trouble(`Unknown suite ${unknown.join(', ')}. Known: ${Object.keys(suites).join(', ')}`)
  return { only, long }
}

try {
  const { only, long } = readArguments()
  const began = performance.now()
  await install()
  const node = pinnedNode()
  const env = { ...process.env, ...(long ? { KAOPU_LONG: '1' } : {}) }
  const total = { passed: 0, failed: 0 }
  const broken = []
  for (const name of only) {
    const suiteBegan = performance.now()
    console.log(`\n== ${name}`)
    const { passed, failed, empty } = await suites[name](node, env)
    console.log(`${name}: ${seconds(performance.now() - suiteBegan)}\n${passed} passed, ${failed} failed`)
    total.passed += passed
    total.failed += failed
    if (failed > 0 || (passed === 0 && !empty)) broken.push(name)
  }
  console.log(`\nAll suites: ${seconds(performance.now() - began)}${broken.length > 0 ? `; not in order: ${broken.join(', ')}` : ''}`)
  console.log(`${total.passed} passed, ${total.failed} failed`)
  process.exitCode = broken.length > 0 ? 1 : 0
} catch (error) {
  if (!(error instanceof Trouble)) throw error
  console.error(error.message)
  process.exitCode = 1
}
