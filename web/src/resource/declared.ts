import type { RefTarget } from '#contract/kernel/ref-target.ts'
import type { Resource } from '#contract/kernel/resource.ts'
import { refTargets, resources } from '#contract/nouns.ts'

/** Every plain noun by the menu path of its screen: one without a page of its own gets `ResourcePage` or `WithinPage`. */
export const resourcesByPath: ReadonlyMap<string, Resource> = new Map(resources.map(resource => [resource.menuPath, resource]))

/** What a field points at; the program does not start with one that points at nothing. */
export const refTarget = (name: string | undefined): RefTarget | undefined => (name === undefined ? undefined : refTargets.get(name))
