import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { minifySync, type Plugin, type Rolldown } from 'vite'
import type { Resource } from '../contract/src/kernel/resource.ts'
import { firstCalls, firstCallsOfConsole, firstCallsOfPortal, laterOfConsole } from './src/boot/first-calls.ts'

/** Files of the build and first calls of the server, of a program or of one page. */
interface Part {
  readonly files: readonly string[]
  readonly calls: readonly string[]
  /** Of files that the page shows later: they come when the others are there. */
  readonly later?: readonly string[]
}
interface DeclaredPage {
  readonly path: string
  readonly load?: () => Promise<unknown>
  readonly section?: string
}

const web = import.meta.dirname
const src = join(web, 'src')
const contract = join(web, '..', 'contract', 'src')

const importAll = async (folder: string, pattern: string) =>
  Promise.all(
    globSync(pattern, { cwd: folder })
      .sort()
      .map(async file => ({ file: join(folder, file), module: await import(pathToFileURL(join(folder, file)).href) })),
  )

interface Wanted {
  readonly path: string
  readonly modules: readonly string[]
  readonly calls: readonly string[]
}

/** Pages of the console, with the module that each loads, out of the lists of the features and the plain nouns of the contract. */
const consolePages = async (): Promise<readonly Wanted[]> => {
  const lists = await importAll(src, 'features/**/pages.ts')
  const features = lists.flatMap(({ file, module }) =>
    (module.pages as readonly DeclaredPage[]).flatMap(page => {
      // The screen of a plain noun: below.
      if (page.load === undefined) return []
      const loaded = /import\(\s*['"]([^'"]+)['"]\s*\)/.exec(String(page.load))?.[1]
      if (loaded === undefined) throw new Error(`${file}: what does ${page.path} load?`)
      return { path: page.path, modules: [resolve(dirname(file), loaded)], calls: firstCallsOfConsole[page.path] ?? [] }
    }),
  )
  // Addresses of plain nouns that lead into the workspace of an examination, which asks for itself.
  const framed = new Set(
    lists.flatMap(({ module }) =>
      (module.pages as readonly DeclaredPage[]).flatMap(page => (page.load || !page.section ? [] : [page.path])),
    ),
  )
  const nouns = await importAll(contract, '*/*.resource{,s}.ts')
  const plain = nouns
    .flatMap(({ module }) => Object.values(module).flat())
    .filter((value): value is Resource =>
      ['menuPath', 'basePath', 'fields'].every(name => typeof value === 'object' && value !== null && name in value),
    )
    .map(({ menuPath, basePath, verbs, within, fields }) => ({
      path: menuPath,
      modules: [join(src, 'resource/declared.ts'), join(src, 'resource/resource-page.tsx')],
      // What belongs to an examination is asked for when one is chosen: the examinations come first.
      calls: framed.has(menuPath)
        ? []
        : within !== undefined && fields['examId']?.required
          ? ['/blade-exam/examination/page?current=1&size=200']
          : [`${basePath}/${verbs.includes('page') ? 'page' : 'list'}?current=1&size=10`],
    }))
  const known = new Set(features.map(page => page.path))
  return [...features, ...plain.filter(page => !known.has(page.path))]
}

/** Pages of the portal, with their modules, out of its list of routes. */
const portalPages = (): readonly Wanted[] => {
  const file = join(src, 'portal/routes.tsx')
  const text = readFileSync(file, 'utf8')
  const modules = new Map(
    [...text.matchAll(/const (\w+) = page\(\(\) => import\('([^']+)'\)/g)].map(([, name = '', path = '']) => [name, path]),
  )
  const routes = [...text.matchAll(/^ {2}\['(\/[^']*)', .*=> <(\w+)/gm)].map(([, path = '', name = '']) => {
    const module = modules.get(name)
    if (module === undefined) throw new Error(`${file}: what does ${path} load?`)
    return { path, modules: [file, resolve(dirname(file), module)], calls: firstCallsOfPortal[path] ?? [] }
  })
  if (routes.length === 0) throw new Error(`${file} declares no page`)
  return [...['/', '/wel/index'].map(path => ({ path, modules: [], calls: firstCallsOfPortal[path] ?? [] })), ...routes]
}

/** The files that a module needs, what it imports first. */
const filesOf = (bundle: Rolldown.OutputBundle) => {
  const chunks = Object.values(bundle).filter(one => one.type === 'chunk')
  return (modules: readonly string[], without: ReadonlySet<string>): Set<string> => {
    const found = new Set<string>()
    const visit = (chunk: Rolldown.OutputChunk) => {
      if (found.has(chunk.fileName)) return
      found.add(chunk.fileName)
      for (const sheet of chunk.viteMetadata?.importedCss ?? []) found.add(sheet)
      for (const imported of chunk.imports) {
        const next = bundle[imported]
        if (next?.type === 'chunk') visit(next)
      }
    }
    for (const module of modules) {
      const chunk = chunks.find(one => one.moduleIds.includes(module))
      if (chunk === undefined) throw new Error(`no file of the build has ${relative(web, module)}`)
      visit(chunk)
    }
    return found.difference(without)
  }
}

/** What the boot script asks for at once: `programs` stands in it, `pages` is read by the server (server/src/kernel/http/web-page.ts). */
const partsOf = async (bundle: Rolldown.OutputBundle) => {
  const files = filesOf(bundle)
  const base = files([join(src, 'boot/main.ts')], new Set())
  const entries = { login: 'login/entry.tsx', portal: 'portal/entry.tsx', console: 'console/entry.tsx', site: 'site/entry.tsx' } as const
  const programs = Object.fromEntries(
    Object.entries(entries).map(([name, module]) => [
      name,
      { files: [...files([join(src, module)], base)], calls: firstCalls[name as keyof typeof entries] } satisfies Part,
    ]),
  )
  const ofPages = (entry: 'portal' | 'console', pages: readonly Wanted[]) =>
    pages.map(({ path, modules, calls }) => {
      const without = base.union(new Set(programs[entry]?.files))
      const first = files(modules, without)
      const later = entry === 'console' ? laterOfConsole[path] : undefined
      return {
        path,
        entry,
        part: {
          files: [...first],
          calls,
          ...(later === undefined ? {} : { later: [...files([join(src, later)], without.union(first))] }),
        } satisfies Part,
      }
    })
  return { programs, pages: [...ofPages('portal', portalPages()), ...ofPages('console', await consolePages())] }
}

const mark = '<!-- boot -->'
const bootScript = (programs: unknown): string =>
  minifySync('boot.js', readFileSync(join(web, 'boot.js'), 'utf8').replace('__PROGRAMS__', JSON.stringify(programs))).code.trim()

/**
 * Puts the boot script and the first style sheets into the page: nothing is drawn before them, so they must not cost a round. Writes
 * `.vite/pages.json`, by which the server tells the boot script what the page of an address needs.
 */
export const firstParts = (): Plugin => {
  let outDir = ''
  return {
    name: 'first-parts',
    configResolved: config => {
      outDir = join(config.root, config.build.outDir)
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => (bundle === undefined ? html.replace(mark, () => `<script>${bootScript({})}</script>`) : html),
    },
    writeBundle: async (_options, bundle) => {
      const { programs, pages } = await partsOf(bundle)
      const path = join(outDir, 'index.html')
      const html = readFileSync(path, 'utf8')
        .replace(mark, () => `<script>${bootScript(programs)}</script>`)
        .replace(/<link rel="stylesheet"[^>]*href="\/([^"]+)">/g, (_whole, file: string) => {
          const asset = bundle[file]
          if (asset?.type !== 'asset') throw new Error(`no style sheet ${file}`)
          return `<style>${String(asset.source).trim()}</style>`
        })
        .replace(/^\s+/gm, '')
      writeFileSync(path, html)
      mkdirSync(join(outDir, '.vite'), { recursive: true })
      writeFileSync(join(outDir, '.vite', 'pages.json'), JSON.stringify(pages))
    },
  }
}
