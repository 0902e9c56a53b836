import type { Resource } from '../kernel/resource.ts'

export const payResources: readonly Resource[] = []
