import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What package-lock.json says of one folder of node_modules. */
export interface LockEntry {
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}
export type Lock = Readonly<Record<string, LockEntry>>

export const readLock = (): Lock =>
  (JSON.parse(readFileSync(fileURLToPath(new URL('../package-lock.json', import.meta.url)), 'utf8')) as { readonly packages: Lock })
    .packages

/** `node_modules/a/node_modules/b` → `b` */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** The entry that `name` means inside `from`: the nearest node_modules that has it, as Node looks for it. */
const resolve = (lock: Lock, from: string, name: string): string | undefined => {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/')))) {
    const path = `${place === '' ? '' : `${place}/`}node_modules/${name}`
    if (lock[path]) return path
    if (place === '' || !place.includes('node_modules/')) return undefined
  }
}

const needsOf = ({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: LockEntry): readonly string[] => [
  ...Object.keys({ ...dependencies, ...optionalDependencies }),
  ...Object.keys(peerDependencies ?? {}).filter(name => peerDependenciesMeta?.[name]?.optional !== true),
]

/**
 * All entries that are reached, from the lock file alone: the same list on every platform.
 * @param names - packages to begin with; without them all dependencies of the product
 * @param isWanted - leaves entries out, and what only they need
 */
export const reachedFrom = (
  lock: Lock,
  names: readonly string[] = needsOf(lock[''] ?? {}),
  isWanted: (entry: LockEntry) => boolean = () => true,
): readonly string[] => {
  const reached = new Set<string>()
  const add = (from: string, needs: readonly string[]): void => {
    for (const name of needs) {
      const found = resolve(lock, from, name)
      const entry = found === undefined ? undefined : lock[found]
      if (found !== undefined && entry !== undefined && isWanted(entry)) reached.add(found)
    }
  }
  add('', names)
  // The set grows while it is gone through.
  for (const path of reached) add(path, needsOf(lock[path] ?? {}))
  return [...reached]
}

const fits = (list: readonly string[] | undefined, value: string): boolean =>
  list === undefined || list.includes(value) || (list[0]?.startsWith('!') === true && !list.includes(`!${value}`))

/** Whether a package is for Linux with the usual C library on this processor. */
export const isForLinux =
  (cpu: string) =>
  (entry: LockEntry): boolean =>
    fits(entry.os, 'linux') && fits(entry.cpu, cpu) && fits(entry.libc, 'glibc')
