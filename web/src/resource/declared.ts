import type { Resource } from '#contract/kernel/resource.ts'

const files = import.meta.glob<Record<string, unknown>>(
  ['../../../contract/src/*/*.resource.ts', '../../../contract/src/*/*.resources.ts'],
  { eager: true },
)

const isResource = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && 'basePath' in value && 'menuPath' in value && 'fields' in value

/** Every plain noun of the contract by the menu path of its screen: one without a page of its own gets `ResourcePage`. */
export const resourcesByPath: ReadonlyMap<string, Resource> = new Map(
  Object.values(files)
    .flatMap(file => Object.values(file).flat().filter(isResource))
    .map(resource => [resource.menuPath, resource]),
)
