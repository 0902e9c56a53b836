import type { Resource } from '../kernel/resource.ts'

export const examResources: readonly Resource[] = []
