import type { Resource } from './kernel/resource.ts'
import { nounFiles } from './noun-files.ts'

const isResource = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && 'basePath' in value && 'menuPath' in value && 'fields' in value

const declared = nounFiles.flatMap(file => Object.values(file))

/** Every plain noun there is: each `*.resource.ts` of the contract declares one, and nothing else names it. */
export const resources: readonly Resource[] = declared.filter(isResource)
/** Those whose declaration is all there is. */
export const plainResources: readonly Resource[] = resources.filter(({ ownRules }) => !ownRules)
