import { posix } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'

/** One broken rule: where, what was found, and what to do instead. */
export interface Finding {
  readonly path: string
  readonly line: number
  readonly found: string
  readonly advice: string
}

/** Each module may use the ones before it; news travels backward as outbox events. */
export const moduleOrder = [
  'log',
  'file',
  'transfer',
  'message',
  'auth',
  'reference',
  'access',
  'tenancy',
  'organisation',
  'oversight',
  'flow',
  'job',
  'develop',
  'school',
  'exam',
  'pay',
  'signup',
  'reduction',
  'ticket',
  'result',
  'news',
  'selection',
  'report',
  'statistics',
  'person',
  'installation',
] as const

const aliases: readonly (readonly [prefix: string, folder: string])[] = [
  ['#contract/', 'contract/src/'],
  ['#kernel/', 'server/src/kernel/'],
  ['#modules/', 'server/src/modules/'],
  ['#server/', 'server/src/'],
  ['#web/', 'web/src/'],
]

/** The file an import means, from the root of the project; undefined = a package or a part of Node. */
const resolveImport = (from: string, request: string): string | undefined => {
  if (request.startsWith('.')) return posix.join(posix.dirname(from), request)
  const alias = aliases.find(([prefix]) => request.startsWith(prefix))
  return alias && alias[1] + request.slice(alias[0].length)
}

const moduleOf = (path: string): string | undefined => /^server\/src\/modules\/([^/]+)\//.exec(path)?.[1]
const isContractKernel = (path: string): boolean => path.startsWith('contract/src/kernel/')
const isContract = (path: string): boolean => path.startsWith('contract/src/')
const isKernel = (path: string): boolean => path.startsWith('server/src/kernel/')
const isWeb = (path: string): boolean => path.startsWith('web/src/')
const inWeb = (path: string, ...folders: string[]): boolean => folders.some(folder => path.startsWith(`web/src/${folder}/`))

const sqlFile = 'server/src/kernel/db/sql.ts'
const isData = (path: string): boolean => /^server\/src\/modules\/[^/]+\/data\//.test(path)

const mayHoldSql = (path: string): boolean => moduleOf(path) === undefined || isData(path)
const sqlAdvice = 'SQL lives in data/<noun>.repo.ts: give the statement a name there and call that.'

/** A rule of ARCHITECTURE.md: who it is about, what it lets through, and what to do instead. */
interface Layer {
  readonly name: string
  readonly owns: (path: string) => boolean
  /** `target` is a file of the project. */
  readonly mayUse: (target: string, from: string) => boolean
  /** `name` is a package, or a part of Node with its `node:`. */
  readonly mayImport: (name: string) => boolean
  readonly advice: string
}

const isTypeBox = (name: string): boolean => name === 'typebox' || name.startsWith('typebox/')
const isNode = (name: string): boolean => name.startsWith('node:')
const isSurface = (target: string): boolean => /^server\/src\/modules\/[^/]+\/index\.ts$/.test(target)
/** What a module is composed by; others see no more of it than its surface. */
const isFactory = (target: string): boolean => /^server\/src\/modules\/[^/]+\/module\.ts$/.test(target)
/** Pure functions over the cells of a workbook, for whoever judges what comes in by one. */
const isSheetReading = (target: string): boolean => target.startsWith('server/src/modules/transfer/domain/')
/** Routes of a module: `http.ts`, `http-review.ts`, `user.http.ts`. */
const isHttp = (path: string): boolean => /^server\/src\/modules\/.*(\/http[\w-]*|\.http)\.ts$/.test(path)
const isOwn = (target: string, from: string): boolean => moduleOf(target) === moduleOf(from)
/** Who makes pools and servers; modules get scopes and services handed in. */
const isKernelInside = (target: string): boolean => /^server\/src\/kernel\/(db\/(pool|embedded[\w-]*|migrate)|secrets)\.ts$/.test(target)

/** Names the address a page stands at; the screens of declared nouns ask it, as all pages do. */
const pageContext = 'web/src/shell/page-context.tsx'
/** The pages of the console, and what one of them is. */
const pageList = 'web/src/console/pages.ts'
const pageEntry = 'web/src/console/page-entry.ts'
/** The programs of the web, each with all that it imports. */
const programs: readonly string[] = ['login', 'portal', 'console', 'site'].map(name => `web/src/${name}/entry.tsx`)

/** The first layer that owns a file counts. */
const layers: readonly Layer[] = [
  {
    name: 'contract/kernel',
    owns: isContractKernel,
    mayUse: isContractKernel,
    mayImport: isTypeBox,
    advice: 'The contract kernel knows nothing but TypeBox and itself: move the word to a context of the contract.',
  },
  {
    name: 'contract',
    owns: isContract,
    mayUse: isContract,
    mayImport: isTypeBox,
    advice: 'The contract is pure and runs in the browser too: take what you need as an argument.',
  },
  {
    name: 'server/kernel',
    owns: isKernel,
    mayUse: target => isKernel(target) || isContractKernel(target),
    mayImport: () => true,
    advice: 'The kernel has no domain word: let the module hand in a function or a value.',
  },
  {
    name: 'modules/*/domain',
    owns: path => /^server\/src\/modules\/[^/]+\/domain\//.test(path),
    mayUse: (target, from) => isContract(target) || isSheetReading(target) || (isOwn(target, from) && target.includes('/domain/')),
    mayImport: () => false,
    advice: 'A decision is a pure function over facts: let the command gather them and pass them in.',
  },
  {
    name: 'modules/*/data',
    owns: isData,
    mayUse: (target, from) =>
      isContract(target) || (isKernel(target) && !isKernelInside(target)) || (isOwn(target, from) && /\/(data|domain)\//.test(target)),
    mayImport: isTypeBox,
    advice: 'A repository takes a scoped handle: ask for a TenantDb instead of the pool, and another module through its index.ts.',
  },
  {
    name: 'modules/*/http.ts',
    owns: isHttp,
    mayUse: (target, from) =>
      isContract(target) ||
      (isKernel(target) && !isKernelInside(target) && target !== 'server/src/kernel/db/sql.ts') ||
      isOwn(target, from) ||
      isSurface(target) ||
      target === 'server/src/services.ts',
    mayImport: name => isNode(name) || isTypeBox(name),
    advice:
      'Routes parse, call and present: SQL lives in data/, rules in domain/ and commands/, third parties in server/src/kernel, other modules behind their index.ts.',
  },
  {
    name: 'modules/*/index.ts',
    owns: isSurface,
    mayUse: (target, from) => isOwn(target, from) && !isHttp(target),
    mayImport: () => false,
    advice: 'A surface says what others may use, and no more: the types of module.ts and functions of the module, never its routes.',
  },
  {
    name: 'modules/*/module.ts',
    owns: isFactory,
    mayUse: (target, from) =>
      isContract(target) ||
      (isKernel(target) && !isKernelInside(target)) ||
      isOwn(target, from) ||
      isSurface(target) ||
      target === 'server/src/services.ts',
    mayImport: name => isNode(name) || isTypeBox(name),
    advice: 'A module is composed of its own parts: third parties live in server/src/kernel, other modules behind their index.ts.',
  },
  {
    name: 'modules',
    owns: path => moduleOf(path) !== undefined,
    mayUse: (target, from) =>
      isContract(target) ||
      (isKernel(target) && !isKernelInside(target)) ||
      (isOwn(target, from) && !isHttp(target)) ||
      isSurface(target) ||
      target === 'server/src/services.ts',
    mayImport: name => isNode(name) || isTypeBox(name),
    advice: 'Use another module through its index.ts, a third party through a file of server/src/kernel, and never the routes.',
  },
  ...(['demo', 'evidence'] as const).map(folder => ({
    name: `server/${folder}`,
    owns: (path: string) => path.startsWith(`server/src/${folder}/`),
    mayUse: (target: string) =>
      isContract(target) ||
      isKernel(target) ||
      isSurface(target) ||
      target.startsWith(`server/src/${folder}/`) ||
      /^server\/(src\/[^/]+\.ts$|seed\/)/.test(target),
    mayImport: isNode,
    advice: `The ${folder} uses modules as other modules do: through their index.ts.`,
  })),
  {
    name: 'server',
    owns: path => /^server\/src\/[^/]+\.ts$/.test(path),
    mayUse: target =>
      isContract(target) ||
      isKernel(target) ||
      isSurface(target) ||
      isFactory(target) ||
      /^server\/(src\/((demo|evidence)\/|[^/]+\.ts$)|seed\/)/.test(target),
    mayImport: name => isNode(name) || isTypeBox(name),
    advice: 'Composition uses module.ts and index.ts of the modules; a third party belongs in server/src/kernel.',
  },
  {
    name: 'web/ui',
    owns: path => inWeb(path, 'ui'),
    mayUse: target => inWeb(target, 'ui', 'kernel') || isContractKernel(target),
    mayImport: name => !isNode(name),
    advice: 'A control knows no domain word: take labels and values as properties.',
  },
  {
    name: 'web/kernel',
    owns: path => inWeb(path, 'kernel'),
    mayUse: target => isContract(target) || inWeb(target, 'kernel'),
    mayImport: name => !isNode(name),
    advice: 'The kernel of the web is below everything else of it: let the caller hand in what it draws or asks.',
  },
  {
    name: 'web/resource',
    owns: path => inWeb(path, 'resource'),
    mayUse: target => isContract(target) || inWeb(target, 'kernel', 'ui', 'resource') || target === pageContext,
    mayImport: name => !isNode(name),
    advice: 'The screens of declared nouns know no page of their own: let the feature hand it in.',
  },
  {
    name: 'web/shell',
    owns: path => inWeb(path, 'shell'),
    mayUse: target => isContract(target) || inWeb(target, 'kernel', 'ui', 'shell') || target === pageList || target === pageEntry,
    mayImport: name => !isNode(name),
    advice: 'The shell draws whatever page the list of pages (console/pages.ts) finds: it knows none by name.',
  },
  {
    name: 'web/features',
    owns: path => inWeb(path, 'features'),
    mayUse: (target, from) => {
      const feature = /^web\/src\/features\/[^/]+\//
      return (
        isContract(target) ||
        inWeb(target, 'kernel', 'ui', 'resource', 'shell') ||
        target === pageEntry ||
        (feature.exec(from)?.[0] ?? ' ') === feature.exec(target)?.[0]
      )
    },
    mayImport: name => !isNode(name),
    advice: 'Features do not know each other: move what both need to web/src/resource or the contract.',
  },
  {
    name: 'web/console',
    owns: path => inWeb(path, 'console'),
    mayUse: target =>
      isContract(target) || inWeb(target, 'kernel', 'ui', 'resource', 'shell', 'console') || target === 'web/src/boot/first-calls.ts',
    mayImport: name => !isNode(name),
    advice: 'The console finds its pages by their lists (features/**/pages.ts) and knows neither them nor the other programs.',
  },
  {
    name: 'web/login',
    owns: path => inWeb(path, 'login'),
    mayUse: target =>
      isContract(target) ||
      inWeb(target, 'kernel', 'ui', 'login') ||
      target === 'web/src/shell/status-pages.tsx' ||
      // Fetched ahead while somebody types.
      programs.includes(target),
    mayImport: name => !isNode(name),
    advice: 'The page of the log-in comes alone and at once: of the other programs it may name the entry, nothing inside.',
  },
  {
    name: 'web/portal',
    owns: path => inWeb(path, 'portal'),
    mayUse: target => isContract(target) || inWeb(target, 'kernel', 'portal'),
    mayImport: name => !isNode(name) && !/^(antd|@ant-design\/|@tanstack\/react-router)/.test(name),
    advice: 'The portal is small: no antd, no control that stands on it, nothing of the console (decision 2.13).',
  },
  {
    name: 'web/site',
    owns: path => inWeb(path, 'site'),
    mayUse: target => isContract(target) || inWeb(target, 'kernel', 'site'),
    mayImport: name => !isNode(name) && !/^(antd|@ant-design\/|@tanstack\/)/.test(name),
    advice: 'The pages of the examination day open without a network on a phone: no antd, nothing of the other programs.',
  },
  {
    name: 'web/boot',
    owns: path => inWeb(path, 'boot'),
    mayUse: target => inWeb(target, 'kernel', 'boot') || programs.includes(target) || target === 'web/src/portal/wide.css',
    mayImport: name => !isNode(name),
    advice: 'The start chooses one of the programs by its entry and knows nothing inside of it.',
  },
  {
    name: 'web',
    owns: isWeb,
    mayUse: () => false,
    mayImport: () => false,
    advice: 'Put the file into one of the folders of web/src, or give the new folder its floor (tools/boundaries.ts).',
  },
]

const banAdvice = {
  'process.env': 'Settings are read once in server/src/config.ts and passed down.',
  'Date.now()': 'Take the instant from the Clock that is handed in (#kernel/clock.ts).',
  'new Date()': 'Take the instant from the Clock that is handed in (#kernel/clock.ts).',
  'Math.random()': 'Randomness comes from #kernel/random.ts, or is handed in.',
  'export default': 'Export by name, so that one thing has one name everywhere.',
  'an effect that gives something back':
    'React calls what an effect gives back when the part leaves the page; many functions of the browser give a promise now. Write `void call()` or braces.',
  'a hint to the pipeline':
    'How statements are sent and planned is the business of data/<noun>.repo.ts (send, leave, last, planOnce, planAnew): a command says what is read and written.',
  'a route with a body':
    'A route is one line, `handle(route, call => command(…))`: move what it does to commands/ and what it decides to domain/.',
  'a URL put together':
    'Whoever searches for a URL finds where it is declared: write the whole path in quotes here, or where the builder of this route is called.',
  'a promise in domain': 'A decision is synchronous: let the command await and pass the facts in.',
} as const
type Ban = keyof typeof banAdvice

/** Modules whose routes are one line each. */
const cleanSlices: readonly string[] = ['pay', 'signup', 'ticket', 'result']

const isExempt = (path: string, ban: Ban): boolean => {
  if (ban === 'a promise in domain') return !/^server\/src\/modules\/[^/]+\/domain\//.test(path)
  if (ban === 'a hint to the pipeline') return mayHoldSql(path)
  if (ban === 'a route with a body') return !cleanSlices.some(slice => isHttp(path) && moduleOf(path) === slice)
  if (ban === 'an effect that gives something back') return !isWeb(path)
  if (ban === 'a URL put together') return !/^contract\/src\/.*\.routes\.ts$/.test(path)
  if (ban === 'export default') return /(^|[./])config\.ts$/.test(path)
  return !/^(contract|server|web)\/src\//.test(path) || isKernel(path) || inWeb(path, 'kernel') || path === 'server/src/config.ts'
}

const isMember = (node: { type: string }, object: string, property: string): boolean => {
  const { object: left, property: right } = node as {
    object?: { type: string; name?: string }
    property?: { name?: string; value?: unknown }
  }
  return (
    node.type === 'MemberExpression' &&
    left?.type === 'Identifier' &&
    left.name === object &&
    (right?.name === property || right?.value === property)
  )
}

/** What the handle of a transaction offers beside statements (kernel/db/scope.ts). */
const pipelineHints = ['send', 'leave', 'last', 'planOnce', 'planAnew'] as const

/** Functions of ours whose answer is what ends the effect. */
const givesCleanup: ReadonlySet<string> = new Set(['guardTab', 'onPreference', 'subscribe'])
/** Name of what a call calls: `focus` for `heading.current?.focus()`. */
const calledName = (callee: object): string | undefined => {
  const { name, property } = callee as { name?: string; property?: { name?: string } }
  return name ?? property?.name
}
/** `useEffect(() => call())`: the answer of the call becomes the cleanup of the effect. */
const givesBack = ({ callee, arguments: [effect] }: { callee: object; arguments: readonly object[] }): boolean => {
  if (!/^use(Layout)?Effect$/.test(calledName(callee) ?? '')) return false
  const { type, body } = (effect ?? {}) as { type?: string; body?: { type: string; expression?: { callee?: object }; callee?: object } }
  if (type !== 'ArrowFunctionExpression' || body === undefined) return false
  const call = body.type === 'ChainExpression' ? body.expression?.callee : body.callee
  return call !== undefined && !givesCleanup.has(calledName(call) ?? '')
}

interface Value {
  readonly type: string
  readonly start: number
  readonly value?: unknown
  readonly object?: Value
  readonly elements?: readonly (Value | null)[]
}
/** A path in quotes, or one that the function around the route was given. */
const isWhole = ({ type, value, object }: Value): boolean =>
  type === 'Literal' ? typeof value === 'string' : type === 'Identifier' || (type === 'MemberExpression' && object?.type === 'Identifier')
/** Paths of a route's declaration that are not written out: its own and those it also answers under. */
const composedPaths = (route: object | undefined): readonly Value[] =>
  ((route ?? {}) as { properties?: readonly { key?: { name?: string }; value?: Value }[] }).properties?.flatMap(({ key, value }) => {
    if (value === undefined) return []
    if (key?.name === 'path') return isWhole(value) ? [] : [value]
    if (key?.name !== 'also') return []
    return value.type === 'ArrayExpression'
      ? ((value.elements ?? []).filter(one => one !== null && one.type !== 'Literal') as Value[])
      : [value]
  }) ?? []

interface Spotted {
  readonly offset: number
  readonly ban: Ban
}

const spot = (program: Parameters<Visitor['visit']>[0]): Spotted[] => {
  const spotted: Spotted[] = []
  const add = (ban: Ban, node: { start: number }): void => void spotted.push({ ban, offset: node.start })
  const asynchronous = (node: { async: boolean; start: number }): void => void (node.async && add('a promise in domain', node))
  new Visitor({
    MemberExpression: node => {
      if (isMember(node, 'process', 'env')) add('process.env', node)
      if (isMember(node, 'Date', 'now')) add('Date.now()', node)
      if (isMember(node, 'Math', 'random')) add('Math.random()', node)
      if (pipelineHints.some(hint => isMember(node, 'db', hint))) add('a hint to the pipeline', node)
    },
    NewExpression: node => {
      if (node.callee.type === 'Identifier' && node.callee.name === 'Date' && node.arguments.length === 0) add('new Date()', node)
    },
    CallExpression: node => {
      if (node.callee.type === 'Identifier' && node.callee.name === 'Date') add('new Date()', node)
      if (calledName(node.callee) === 'defineRoute') for (const value of composedPaths(node.arguments[0])) add('a URL put together', value)
      if (givesBack(node)) add('an effect that gives something back', node)
    },
    ExportDefaultDeclaration: node => add('export default', node),
    FunctionDeclaration: asynchronous,
    FunctionExpression: asynchronous,
    ArrowFunctionExpression: node => {
      asynchronous(node)
      if (node.async || node.body.type === 'BlockStatement') add('a route with a body', node)
    },
    Identifier: node => void (node.name === 'Promise' && add('a promise in domain', node)),
  }).visit(program)
  return spotted
}

/** @param names - what is taken of it; `*` stands for all of it. */
const checkImport = (layer: Layer, from: string, request: string, names: readonly string[]): string | undefined => {
  const target = resolveImport(from, request)
  if (target === undefined) return layer.mayImport(request) ? undefined : layer.advice
  const [own, other] = [moduleOf(from), moduleOf(target)]
  if (request.startsWith('.') && own !== undefined && other !== own) return 'Relative paths stay inside a module; use the # alias.'
  if (!layer.mayUse(target, from)) return layer.advice
  if (target === sqlFile && !mayHoldSql(from) && names.some(name => name === 'sql' || name === '*')) return sqlAdvice
  if (own === undefined || other === undefined || own === other) return undefined
  const order: readonly string[] = moduleOrder
  if (!order.includes(own) || !order.includes(other)) return 'Give the new module its place in moduleOrder (tools/boundaries.ts).'
  return order.indexOf(other) < order.indexOf(own)
    ? undefined
    : `${own} comes before ${other}: let ${own} write an outbox event that ${other} listens to, or hand the function in.`
}

/** Silencing a checker needs a reason on the same line; switching the type check off is never right. */
const silencers: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/@ts-(ignore|nocheck)/, 'Use @ts-expect-error -- reason, so that it goes when the cause goes.'],
  [/@ts-expect-error(?! -- \S)/, 'Say why: @ts-expect-error -- reason'],
  [/biome-ignore(?:-\w+)? [\w/]+(?!.*: \S)/, 'Say why: biome-ignore lint/group/rule: reason'],
  [/(oxlint|eslint)-disable(?!.* -- \S)/, 'Say why: oxlint-disable-next-line rule -- reason'],
]

interface Request {
  readonly value: string
  readonly start: number
  /** What is taken of it; `*` stands for all of it. */
  readonly names: readonly string[]
}
/** All that a file asks for: by import and export, of values and of types, at once and later. */
const requestsOf = ({ program, module }: Pick<ReturnType<typeof parseSync>, 'program' | 'module'>, source: string): Request[] => {
  const types: Request[] = []
  new Visitor({
    // `typeof import('…')`
    TSImportType: ({ source: { value, start } }) => void types.push({ value, start, names: ['*'] }),
  }).visit(program)
  return [
    ...types,
    ...module.staticImports.map(one => ({ ...one.moduleRequest, names: one.entries.map(({ importName }) => importName.name ?? '*') })),
    ...module.staticExports.flatMap(one =>
      one.entries.flatMap(({ moduleRequest, importName }) => (moduleRequest ? { ...moduleRequest, names: [importName.name ?? '*'] } : [])),
    ),
    ...module.dynamicImports.map(one => ({
      start: one.moduleRequest.start,
      names: ['*'],
      value: source.slice(one.moduleRequest.start + 1, one.moduleRequest.end - 1),
    })),
  ]
}

/** Patterns of `import.meta.glob`, which the build turns into imports. */
const globsOf = (program: Parameters<Visitor['visit']>[0]): string[] => {
  const patterns: string[] = []
  new Visitor({
    CallExpression: ({ callee, arguments: [first] }) => {
      if (callee.type !== 'MemberExpression' || callee.object.type !== 'MetaProperty') return
      const given = first?.type === 'ArrayExpression' ? first.elements : [first]
      for (const one of given) if (one?.type === 'Literal' && typeof one.value === 'string') patterns.push(one.value)
    },
  }).visit(program)
  return patterns
}

/** Files that import each other, directly or around others, each group with its imports; by Tarjan's algorithm. @param files - sources by path */
export const findCircles = (files: ReadonlyMap<string, string>): string[][] => {
  const imports = new Map(
    [...files].map(([path, source]) => {
      const parsed = parseSync(path, source)
      const found = globsOf(parsed.program).flatMap(pattern => {
        const glob = resolveImport(path, pattern)
        return glob === undefined ? [] : [...files.keys()].filter(file => file !== path && posix.matchesGlob(file, glob))
      })
      const targets = [...found, ...requestsOf(parsed, source).map(({ value }) => resolveImport(path, value))]
      return [path, [...new Set(targets.filter(target => target !== undefined && files.has(target)))] as string[]] as const
    }),
  )
  const order = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []
  const visit = (path: string): number => {
    const place = order.size
    order.set(path, place)
    open.push(path)
    let lowest = place
    for (const target of imports.get(path) ?? []) {
      if (!order.has(target)) lowest = Math.min(lowest, visit(target))
      else if (open.includes(target)) lowest = Math.min(lowest, order.get(target) ?? lowest)
    }
    if (lowest < place) return lowest
    const circle = open.splice(open.indexOf(path)).sort()
    if (circle.length > 1 || imports.get(path)?.includes(path)) circles.push(circle)
    return lowest
  }
  for (const path of files.keys()) if (!order.has(path)) visit(path)
  return circles.map(circle =>
    circle.map(path => `${path} imports ${(imports.get(path) ?? []).filter(target => circle.includes(target)).join(', ')}`),
  )
}

/** @param path from the root of the project, with forward slashes. */
export const checkFile = (path: string, source: string): Finding[] => {
  const { program, module, comments, errors } = parseSync(path, source)
  const finding = (offset: number, found: string, advice: string): Finding => ({
    path,
    line: source.slice(0, offset).split('\n').length,
    found,
    advice,
  })
  if (errors[0]) return [finding(0, errors[0].message, 'The file must parse.')]
  const isTest = /\.(test|contract)\.tsx?$/.test(path)
  const layer = layers.find(one => one.owns(path))
  const requests = requestsOf({ program, module }, source)
  // A test may look at its subject from anywhere and uses the test tools.
  const imports = isTest || !layer ? [] : requests.map(one => ({ ...one, advice: checkImport(layer, path, one.value, one.names) }))
  return [
    ...imports.flatMap(({ start, value, advice }) =>
      advice === undefined ? [] : [finding(start, `${layer?.name} imports ${value}`, advice)],
    ),
    ...spot(program)
      .filter(({ ban }) => !isExempt(path, ban) && !(isTest && ban !== 'export default'))
      .map(({ ban, offset }) => finding(offset, ban, banAdvice[ban])),
    ...comments.flatMap(({ value, start }) =>
      silencers.filter(([pattern]) => pattern.test(value)).map(([, advice]) => finding(start, value.trim(), advice)),
    ),
  ]
}
