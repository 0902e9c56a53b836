import { type RefTarget, refTargetOf } from './kernel/ref-target.ts'
import type { Resource } from './kernel/resource.ts'
import { nounFiles } from './noun-files.ts'

export const isResource = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && 'basePath' in value && 'menuPath' in value && 'fields' in value

const isTarget = (value: unknown): value is RefTarget =>
  typeof value === 'object' && value !== null && 'view' in value && 'table' in value && 'title' in value

const declared = nounFiles.flatMap(file => Object.values(file))

/** Every plain noun there is: each `*.resource.ts` of the contract declares one, and nothing else names it. */
export const resources: readonly Resource[] = declared.filter(isResource)
/** Those whose declaration is all there is. */
export const plainResources: readonly Resource[] = resources.filter(({ ownRules }) => !ownRules)

/** Every noun that a field may point at, by its name: the plain ones, and those that a `*.target.ts` describes. */
export const refTargets: ReadonlyMap<string, RefTarget> = new Map(
  [...resources.map(refTargetOf), ...declared.filter(isTarget)].map(target => [target.name, target]),
)
