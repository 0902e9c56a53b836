import type { Resource } from '#contract/kernel/resource.ts'
import { resources } from '#contract/nouns.ts'

/** Every plain noun by the menu path of its screen: one without a page of its own gets `ResourcePage`. */
export const resourcesByPath: ReadonlyMap<string, Resource> = new Map(resources.map(resource => [resource.menuPath, resource]))
