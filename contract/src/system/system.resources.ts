import type { Resource } from '../kernel/resource.ts'
import { param } from './param.resource.ts'
import { post } from './post.resource.ts'

/** The plain nouns of system administration: a declaration listed here has its routes, checks, rights and screen. */
export const systemResources: readonly Resource[] = [param, post]
