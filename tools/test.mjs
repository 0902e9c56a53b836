// Runs every suite one after another: node tools/test.mjs [--only small,medium] [--long] [--context pay]. Plain JavaScript: it runs before the packages are there.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { findBrowser } from './browser.mjs'
import { contextsOf, testsOfContext } from './context-tests.mjs'
import { install, pinnedNode, root, run, seconds, Trouble } from './install.mjs'

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

const nothing = where => {
  console.log(`  no tests in ${where}`)
  return { passed: 0, failed: 0, empty: true }
}

/**
 * Runs what lies in some folders.
 * @param config - arguments that name the configuration, where it is not the usual one
 * @param always - folders that belong to every context: their tests narrow themselves to its routes (KAOPU_CONTEXT)
 */
const vitest =
  (folders, { config = [], always = [] } = {}) =>
  async (node, env, context) => {
    if (context === undefined)
      return folders.some(hasTests) ? resultOf(node, env, [...config, ...folders.map(folder => `${folder}/`)]) : nothing(folders.join(', '))
    const files = testsOfContext(root, folders, context)
    return files.length > 0 ? resultOf(node, env, [...config, ...files, ...always]) : nothing(`${folders.join(', ')} about ${context}`)
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

const browser = async (node, env, context) => {
  const files = context === undefined ? [] : testsOfContext(root, ['e2e'], context)
  if (context === undefined ? !hasTests('e2e') : files.length === 0) return nothing(context === undefined ? 'e2e' : `e2e about ${context}`)
  const found = await findBrowser()
  if (found === undefined) throw new Trouble('No browser: set CHROME_PATH to a Chromium or Chrome, or install one.')
  console.log(`  browser: ${found.CHROME_PATH}`)
  const config = ['--config', 'e2e/vitest.config.ts']
  const browserEnv = { ...env, ...found }
  dropTraces()
  const first = await resultOf(node, browserEnv, [...config, ...files])
  if (first.red.length === 0 || first.red.length > mostTwice) return first
  return twice(first, name => resultOf(node, browserEnv, [...config, relative(root, name)]))
}

/** Traces of people whose tests failed (e2e/support/browser.ts); `npx playwright show-trace` shows them. */
const tracesFolder = join(root, 'test-results')
const tracesOf = testFile => {
  const stem = `${basename(testFile).replace(/\.test\.tsx?$/, '')}.`
  return existsSync(tracesFolder) ? readdirSync(tracesFolder).filter(name => name.startsWith(stem) && name.endsWith('.zip')) : []
}
const dropTraces = () => {
  if (!existsSync(tracesFolder)) return
  for (const name of readdirSync(tracesFolder)) if (name.endsWith('.zip')) rmSync(join(tracesFolder, name))
}

/** More files than that are no accident. */
const mostTwice = 3

/**
 * A browser file that failed is run once more, alone: beside others it shares two cores with them. It counts as failed if it fails again, and is
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
    const traces = tracesOf(name).map(trace => `test-results/${trace}`)
    console.log(
      `  FLAKY ${relative(root, name)}: failed beside another file, passed alone. ${traces.length > 0 ? `Trace: ${traces.join(', ')}. ` : ''}It had said:\n${why.join('\n').replaceAll(/^/gm, '    ')}`,
    )
  }
  return { passed, failed }
}

const suites = {
  types: {
    // Left to itself each would begin four threads that check much of the same: twice the work for two cores.
    commands: ['tsconfig.json', 'contract/tsconfig.json', 'web/tsconfig.json'].map(project => [
      'tsc',
      '-p',
      project,
      '--noEmit',
      '--singleThreaded',
    ]),
  },
  lint: {
    commands: [
      ['biome', 'ci', '--error-on-warnings'],
      ['oxlint', '--deny-warnings'],
    ],
  },
  boundaries: { folders: ['tools'] },
  small: { folders: ['contract/src', 'server/src', 'server/seed', 'web/src'] },
  medium: { run: vitest(['server/test'], { config: ['--config', 'server/test/vitest.config.ts'], always: ['server/test/sweeps/'] }) },
  browser: { run: browser },
}

/**
 * What to run one after another. Commands that follow each other run side by side, and so do small tests: each alone leaves a core idle for a third
 * of its time.
 */
const stepsOf = names => {
  const steps = []
  for (const name of names) {
    const { commands = [], folders = [], run } = suites[name]
    const last = steps.at(-1)
    const joins =
      last !== undefined && ((commands.length > 0 && last.commands.length > 0) || (folders.length > 0 && last.folders.length > 0))
    if (joins)
      steps[steps.length - 1] = {
        names: [...last.names, name],
        commands: [...last.commands, ...commands],
        folders: [...last.folders, ...folders],
      }
    else steps.push({ names: [name], commands, folders, run })
  }
  return steps.map(step => ({
    names: step.names,
    run: step.run ?? (step.commands.length > 0 ? commands(step.commands) : vitest(step.folders)),
  }))
}

/** What can be narrowed to a context. */
const narrowing = ['small', 'medium', 'browser']

const readArguments = () => {
  let only
  let long = false
  let context
  for (let args = process.argv.slice(2); args.length > 0; args = args.slice(1)) {
    if (args[0] === '--long') long = true
    else if (args[0] === '--only' && args[1]) {
      only = args[1].split(',')
      args = args.slice(1)
    } else if (args[0] === '--context' && args[1]) {
      context = args[1]
      args = args.slice(1)
    } else throw new Trouble(`Unknown argument ${args[0]}. Known: --only ${Object.keys(suites).join(',')} --long --context <name>`)
  }
  if (context !== undefined && !contextsOf(root).includes(context))
    throw new Trouble(`Unknown context ${context}. Known: ${contextsOf(root).join(', ')}`)
  only ??= context === undefined ? Object.keys(suites) : narrowing
  const whole = context === undefined ? [] : only.filter(name => name in suites && !narrowing.includes(name))
  if (whole.length > 0) throw new Trouble(`${whole.join(', ')} cannot be narrowed to a context. Leave it out, or --context.`)
  const unknown = only.filter(name => !(name in suites))
  if (unknown.length > 0) throw new Trouble(`Unknown suite ${unknown.join(', ')}. Known: ${Object.keys(suites).join(', ')}`)
  return { only, long, context }
}

try {
  const { only, long, context } = readArguments()
  const began = performance.now()
  await install()
  const node = pinnedNode()
  const env = { ...process.env, ...(long ? { KAOPU_LONG: '1' } : {}), ...(context === undefined ? {} : { KAOPU_CONTEXT: context }) }
  const total = { passed: 0, failed: 0 }
  const broken = []
  for (const { names, run: runStep } of stepsOf(only)) {
    const stepBegan = performance.now()
    const title = names.join(', ')
    console.log(`\n== ${title}`)
    const { passed, failed, empty } = await runStep(node, env, context)
    console.log(`${title}: ${seconds(performance.now() - stepBegan)}\n${passed} passed, ${failed} failed`)
    total.passed += passed
    total.failed += failed
    if (failed > 0 || (passed === 0 && !empty)) broken.push(title)
  }
  console.log(`\nAll suites: ${seconds(performance.now() - began)}${broken.length > 0 ? `; not in order: ${broken.join(', ')}` : ''}`)
  console.log(`${total.passed} passed, ${total.failed} failed`)
  process.exitCode = broken.length > 0 ? 1 : 0
} catch (error) {
  if (!(error instanceof Trouble)) throw error
  console.error(error.message)
  process.exitCode = 1
}
