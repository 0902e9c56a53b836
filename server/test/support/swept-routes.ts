import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Resource } from '#contract/kernel/resource.ts'
import type { Route } from '#contract/kernel/route.ts'
import { resources } from '#contract/nouns.ts'
import { allRoutes } from '#contract/registry.ts'

/** The context that this run is about (`npm test -- --context pay`); without one it is about everything. */
const context = process.env['KAOPU_CONTEXT']

/** Whether every route is swept. What a sweep must have found at least holds for all of them only. */
export const isWhole = context === undefined

/** Everything that the files of a context export, lists taken apart. */
const declaredIn = async (folder: string): Promise<ReadonlySet<unknown>> => {
  const files = globSync('*.ts', { cwd: folder }).filter(name => !name.endsWith('.test.ts'))
  const modules = await Promise.all(files.map(name => import(pathToFileURL(join(folder, name)).href) as Promise<object>))
  return new Set(modules.flatMap(module => Object.values(module).flat()))
}

const routesOf = async (name: string): Promise<readonly Route[]> => {
  const declared = await declaredIn(fileURLToPath(new URL(`../../../contract/src/${name}`, import.meta.url)))
  const nouns = resources.filter(resource => declared.has(resource))
  // The calls of a plain noun are made from its declaration, anew each time they are asked for.
  const isOfNoun = ({ path }: Route): boolean => nouns.some(({ basePath }) => path.startsWith(`${basePath}/`))
  return allRoutes().filter(route => declared.has(route) || isOfNoun(route))
}

/** What the sweeps call: every route, or those that the context of this run declares. */
export const sweptRoutes: readonly Route[] = context === undefined ? allRoutes() : await routesOf(context)

const sweptPaths = new Set(sweptRoutes.map(route => route.path))
/** Whether the calls of a plain noun are swept. */
export const isSwept = (resource: Resource): boolean => resource.verbs.some(verb => sweptPaths.has(`${resource.basePath}/${verb}`))
