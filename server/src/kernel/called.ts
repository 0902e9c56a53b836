import { existsSync } from 'node:fs'

/** A release has its commands in the program `kaopu`; the sources have them in package.json. */
const isRelease = existsSync(new URL('../../../RELEASE.json', import.meta.url))

/**
 * How an operator calls a command of this installation.
 * @param command - its name in package.json
 * @returns `kaopu restore release` in a release, `npm run restore -- release` in the sources
 */
export const called = (command: string, args = '', inRelease: boolean = isRelease): string =>
  [inRelease ? 'kaopu' : 'npm run', command, ...(args === '' ? [] : inRelease ? [args] : ['--', args])].join(' ')
