import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { moduleOrder } from './boundaries.ts'

const root = join(import.meta.dirname, '..')

const aliases = Object.entries(
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { imports: Record<string, string> }).imports,
).map(([name, target]) => [name.slice(0, -1), target.slice(2, -1)] as const)
/** The file of the project that an import means; undefined = a package or a part of Node. */
const targetOf = (from: string, request: string): string | undefined => {
  if (request.startsWith('.')) return posix.join(posix.dirname(from), request)
  const alias = aliases.find(([prefix]) => request.startsWith(prefix))
  return alias && alias[1] + request.slice(alias[0].length)
}

const known = new Map<string, string[]>()
const importsOf = (path: string): string[] => {
  const before = known.get(path)
  if (before !== undefined) return before
  const source = readFileSync(join(root, path), 'utf8')
  const { module } = parseSync(path, source)
  const targets = [
    ...module.staticImports.map(one => one.moduleRequest.value),
    ...module.staticExports.flatMap(one => one.entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
    ...module.dynamicImports.map(({ moduleRequest }) => source.slice(moduleRequest.start + 1, moduleRequest.end - 1)),
  ].flatMap(request => targetOf(path, request) ?? [])
  known.set(path, targets)
  return targets
}

const foldersOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => entry.name)
const filesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map(name => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter(path => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))

/** Rooms in the order in which they are drawn, and for each the rooms that its files import. */
interface Plan {
  readonly rooms: readonly string[]
  readonly uses: ReadonlyMap<string, ReadonlySet<string>>
  /** What is said of a room in a column on the right. */
  readonly notes?: ReadonlyMap<string, string>
  readonly notesHead?: string
}

const usesOf = (files: readonly string[], roomOf: (path: string) => string | undefined): Map<string, Set<string>> => {
  const uses = new Map<string, Set<string>>()
  for (const path of files) {
    const room = roomOf(path)
    if (room === undefined) continue
    const used = uses.get(room) ?? new Set()
    for (const target of importsOf(path).map(roomOf)) if (target !== undefined && target !== room) used.add(target)
    uses.set(room, used)
  }
  return uses
}

/** Who is used stands before who uses it; of rooms that use each other the one that needs fewer comes first. */
const byUse = (uses: Plan['uses']): string[] => {
  const placed: string[] = []
  const missing = (room: string) => [...(uses.get(room) ?? [])].filter(other => !placed.includes(other)).length
  while (placed.length < uses.size) {
    const left = [...uses.keys()].filter(room => !placed.includes(room)).sort()
    placed.push(left.reduce((best, room) => (missing(room) < missing(best) ? room : best)))
  }
  return placed
}

const inFolder =
  (base: string, rooms: readonly string[]) =>
  (path: string): string | undefined =>
    rooms.find(room => path.startsWith(`${base}/${room}/`))

/** Where else a context has a folder of its name. */
const places = { contract: 'contract/src', web: 'web/src/features', flows: 'server/test/flows' } as const
const contexts = (): Plan => ({
  rooms: moduleOrder,
  uses: usesOf(filesOf('server/src/modules'), inFolder('server/src/modules', moduleOrder)),
  notesHead: 'folder of its name also in',
  notes: new Map(
    moduleOrder.map(room => [
      room,
      Object.entries(places)
        .flatMap(([place, folder]) => (foldersOf(folder).includes(room) ? [place] : []))
        .join(' · '),
    ]),
  ),
})
const pages = (): Plan => {
  const uses = usesOf(filesOf('web/src'), inFolder('web/src', foldersOf('web/src')))
  return { rooms: byUse(uses), uses }
}
/** The project in its parts: the folders of the server, the contract's kernel apart from its contexts, and the web as one. */
const parts = (): Plan => {
  const partOf = (path: string): string | undefined => {
    if (path.startsWith('web/src/')) return 'web'
    if (path.startsWith('contract/src/')) return path.startsWith('contract/src/kernel/') ? 'contract/kernel' : 'contract'
    if (path.startsWith('server/seed/')) return 'server/seed'
    const [, folder] = /^server\/src\/(?:([^/]+)\/)?/.exec(path) ?? []
    return path.startsWith('server/src/') ? `server/${folder ?? 'src'}` : undefined
  }
  const uses = usesOf(['contract/src', 'server/src', 'server/seed', 'web/src'].flatMap(filesOf), partOf)
  return { rooms: byUse(uses), uses }
}

const cell = 34
const boxHeight = 26
/** Wide enough for the letters of a system font at 16 pixels. */
const widthOf = (text: string): number => Math.ceil(text.length * 9.4) + 24

const againstOrder = ({ rooms, uses }: Plan, room: string): string => {
  const later = rooms.slice(rooms.indexOf(room) + 1).filter(other => uses.get(room)?.has(other))
  return later.length === 0 ? '' : `also ${later.join(', ')}`
}
/** Where the column of notes begins: right of everything else. */
const notesAt = (plan: Plan): number =>
  Math.max(...plan.rooms.map((room, at) => at * cell + widthOf(room) + widthOf(againstOrder(plan, room)))) + 12
const widthOfPlan = (plan: Plan): number =>
  notesAt(plan) + Math.max(...[plan.notesHead ?? '', ...(plan.notes?.values() ?? [])].map(widthOf))

/**
 * A staircase: rooms from above to below, each may use those above it. An arrow goes from a room to the left and, at the dot, up into the room that it
 * uses; no two arrows share a dot, so nothing is tangled. What stands against the order is said in words.
 */
const staircase = ({ rooms, uses, notes, notesHead = '' }: Plan, [x, y]: readonly [number, number], name: string): string => {
  const left = (at: number) => x + at * cell
  const middle = (at: number) => y + at * cell + cell / 2
  const column = (at: number) => left(at) + cell / 2
  const lines: string[] = []
  const dots: string[] = []
  const boxes: string[] = []
  rooms.forEach((room, at) => {
    const used = rooms.flatMap((_, other) => (uses.get(room)?.has(rooms[other] ?? '') ? [other] : []))
    const above = used.filter(other => other < at)
    const users = rooms.flatMap((other, user) => (user > at && uses.get(other)?.has(room) ? [user] : []))
    if (above[0] !== undefined) lines.push(`<path d="M${left(at)} ${middle(at)}H${column(above[0])}"/>`)
    const last = users.at(-1)
    if (last !== undefined)
      lines.push(`<path d="M${column(at)} ${middle(last)}V${middle(at) + boxHeight / 2 + 3}" marker-end="url(#tip)"/>`)
    dots.push(...above.map(other => `<circle cx="${column(other)}" cy="${middle(at)}" r="5"/>`))
    boxes.push(
      `<rect x="${left(at)}" y="${middle(at) - boxHeight / 2}" width="${widthOf(room)}" height="${boxHeight}" rx="5"/>`,
      `<text x="${left(at) + 11}" y="${middle(at) + 5.5}">${room}</text>`,
    )
    const against = againstOrder({ rooms, uses }, room)
    if (against !== '') boxes.push(`<text class="against" x="${left(at) + widthOf(room) + 8}" y="${middle(at) + 5.5}">${against}</text>`)
    const note = notes?.get(room) ?? ''
    if (note !== '') boxes.push(`<text class="note" x="${x + notesAt({ rooms, uses })}" y="${middle(at) + 5.5}">${note}</text>`)
  })
  return `<g aria-label="${name}">
<text class="head" x="${x}" y="${y - 14}">${name}</text>
${notesHead === '' ? '' : `<text class="note" x="${x + notesAt({ rooms, uses })}" y="${y - 14}">${notesHead}</text>\n`}<g class="line">${lines.join('\n')}</g>
<g class="dot">${dots.join('\n')}</g>
<g class="box">${boxes.join('\n')}</g>
</g>`
}

/** The picture of ARCHITECTURE.md: it names rooms and who uses whom, so it changes when the house does and not with every file. */
export const houseSvg = (): string => {
  const [whole, inServer, inWeb] = [parts(), contexts(), pages()]
  const margin = 24
  const top = 112
  const second = margin + widthOfPlan(whole) + 24
  const below = top + Math.max(whole.rooms.length, inWeb.rooms.length) * cell + 66
  const width = Math.max(second + widthOfPlan(inWeb), margin + widthOfPlan(inServer)) + margin
  const height = below + inServer.rooms.length * cell + margin
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">Which part of Kaopu uses which, drawn from the imports of its files</title>
<style>
text { font: 16px system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; fill: #1b2530 }
.head { font-weight: 700; font-size: 18px }
.against { fill: #a3360c }
.note { fill: #5a6878 }
.paper { fill: #ffffff }
.line path { fill: none; stroke: #8b98a8; stroke-width: 1.5 }
.tip { fill: #8b98a8 }
.dot circle { fill: #1d5fad }
.box rect { fill: #e6effa; stroke: #1d5fad }
@media (prefers-color-scheme: dark) {
  text { fill: #e8edf3 }
  .against { fill: #ffab87 }
  .note { fill: #a9b5c3 }
  .paper { fill: #12171d }
  .line path { stroke: #7d8b9c }
  .tip { fill: #7d8b9c }
  .dot circle { fill: #7db4f5 }
  .box rect { fill: #1c2b3d; stroke: #7db4f5 }
}
</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>
<rect class="paper" width="${width}" height="${height}" rx="8"/>
<text x="${margin}" y="40">From a box go left to a dot and then up: the box there is used by the one you came from.</text>
<text x="${margin}" y="64">Each uses only boxes above it; what stands against that is in red.</text>
${staircase(whole, [margin, top], 'The parts')}
${staircase(inWeb, [second, top], 'web/src')}
${staircase(inServer, [margin, below], 'Contexts: server/src/modules')}
</svg>
`
}

// `npm run house` writes docs/house.svg; a test compares it.
if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(join(root, 'docs/house.svg'), houseSvg())
