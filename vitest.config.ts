import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { builtChildren } from './tools/built-children.ts'

const include = [
  'contract/src/**/*.test.ts',
  'server/src/**/*.test.ts',
  'server/seed/**/*.test.ts',
  'tools/**/*.test.ts',
  'web/src/**/*.test.ts',
]

/** Files that put doubles in the place of modules, globals or timers. */
const withDoubles = include
  .flatMap(pattern => globSync(pattern))
  .filter(path => /\bvi\.(\w*[mM]ock|stub\w+|useFake\w+)\(/.test(readFileSync(path, 'utf8')))

// Small tests: no input or output, beside the file they prove. Medium tests live in server/test and have a config of their own.
export default defineConfig({
  plugins: [await builtChildren()],
  test: {
    environment: 'node',
    // Style sheets are empty in tests; these are compared with the program that works it out.
    css: { include: [/theme\/(shell-)?tokens\.css/] },
    // Of a test that hangs: one that loads the whole program takes three seconds, and eight times as long where others want the same two cores.
    testTimeout: 60_000,
    // As many as a small machine has cores: left to itself, one of two stays idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      // What files import is loaded once for all of them: that takes longer than their tests.
      { extends: true, test: { name: 'plain', include, exclude: withDoubles, isolate: false } },
      { extends: true, test: { name: 'doubles', include: withDoubles } },
    ],
  },
})
