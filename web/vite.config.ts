import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { holdCalls } from './hold-calls.ts'
import { firstParts } from './parts.ts'

const [asBrotli, asGzip] = [promisify(brotliCompress), promisify(gzip)]

/** Writes `.br` and `.gz` beside each text file, so that the server only has to pick one. Node's own threads do it side by side. */
const precompress = (): Plugin => {
  let outDir = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: config => {
      outDir = join(config.root, config.build.outDir)
    },
    writeBundle: async () => {
      const compress = async (file: string): Promise<void> => {
        const path = join(outDir, file)
        if (!/\.(js|css|html|svg|json|webmanifest)$/.test(file) || statSync(path).size < 256) return
        const text = readFileSync(path)
        const [gz, br] = await Promise.all([
          asGzip(text, { level: 9 }),
          asBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
        ])
        writeFileSync(`${path}.gz`, gz)
        writeFileSync(`${path}.br`, br)
      }
      await Promise.all(readdirSync(outDir, { recursive: true, encoding: 'utf8' }).map(compress))
    },
  }
}

/** sm-crypto-v2 asks Node for random bytes where the browser offers none; every browser that runs this page does. */
const browserCrypto = (): Plugin => ({
  name: 'browser-crypto',
  enforce: 'pre',
  resolveId: id => (id === 'crypto' ? '\0browser-crypto' : null),
  load: id => (id === '\0browser-crypto' ? 'export const webcrypto = globalThis.crypto' : null),
})

/**
 * Writes the worker of a program: with the files of this build that the program may need, and a version that changes with any of
 * them. The login and the console have none: they are no use without a server.
 */
const worker = (program: 'portal' | 'site', fileName: string, prefix: string): Plugin => ({
  name: `${program}-worker`,
  apply: 'build',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const needed = new Set<string>()
    const visit = (file: string) => {
      const chunk = bundle[file]
      if (needed.has(file) || chunk?.type !== 'chunk') return
      needed.add(file)
      for (const sheet of chunk.viteMetadata?.importedCss ?? []) needed.add(sheet)
      for (const imported of [...chunk.imports, ...(chunk.isEntry ? [] : chunk.dynamicImports)]) visit(imported)
    }
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk' && (chunk.isEntry || chunk.name === program)) visit(chunk.fileName)
    const root = import.meta.dirname
    const asIs = ['favicon.svg', 'manifest.webmanifest', 'icon-192.png']
    const hash = createHash('sha256')
    for (const file of ['index.html', 'boot.js']) hash.update(readFileSync(join(root, file)))
    for (const file of asIs) hash.update(readFileSync(join(root, 'public', file)))
    const files = ['/', ...asIs.map(file => `/${file}`), ...[...needed].sort().map(file => `/${file}`)]
    const version = hash.update(files.join('\n')).digest('hex').slice(0, 12)
    const source = readFileSync(join(root, 'sw.js'), 'utf8')
      .replace('__VERSION__', version)
      .replace('__PREFIX__', prefix)
      .replace('__FILES__', JSON.stringify(files))
    this.emitFile({ type: 'asset', fileName, source })
  },
})

/** Every page starts with the helper of lazy imports, so ours does no more than our browsers need. */
const leanPreload = (): Plugin => ({
  name: 'lean-preload',
  apply: 'build',
  enforce: 'pre',
  load: id => (id === '\0vite/preload-helper.js' ? readFileSync(join(import.meta.dirname, 'preload.js'), 'utf8') : null),
})

/** Where `npm run dev` has put the server. */
const devServer = process.env['KAOPU_DEV_SERVER'] ?? 'http://127.0.0.1:7301'
const ofServer = ['/api', '/demo'] as const

export default defineConfig({
  root: import.meta.dirname,
  publicDir: 'public',
  // `light-dark()`, which none of our sheets has: each `color-scheme` brought two properties for it. (Features.LightDark of Lightning CSS)
  css: { lightningcss: { exclude: 1 << 20 } },
  plugins: [
    holdCalls(devServer, ofServer),
    browserCrypto(),
    leanPreload(),
    react(),
    worker('portal', 'sw.js', 'kaopu-'),
    worker('site', 'sw-site.js', 'kaopu-site-'),
    firstParts(),
    precompress(),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    modulePreload: {
      // Browsers without it load the same files one by one.
      polyfill: false,
      // What every page has already is not listed again beside each lazy import.
      resolveDependencies: (_file, files, { hostId, hostType }) =>
        hostType === 'html'
          ? files
          : files.filter(
              // The program of the examination day is one file: to load it is to have all of it.
              file =>
                !/(react|kernel|rolldown-runtime|site)-[^/]*$/.test(file) && !(hostId.includes('portal-') && /portal-[^/]*$/.test(file)),
            ),
    },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // Every file that may follow is named in the first ones, and what is random does not compress: seven characters tell releases apart as well.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            { name: 'react', test: /rolldown[\\/]runtime|node_modules[\\/](react|react-dom|scheduler|zustand)[\\/]/, priority: 40 },
            // What every program starts with; the rest of the kernel travels with whoever imports it.
            {
              name: 'kernel',
              test: /web[\\/]src[\\/]kernel[\\/](ahead|api|api-error|boundary|chunk|clock|errors|guard|late-page|i18n[\\/](index|zh)|notify|session|personal|send|settings|start|storage|theme[\\/]theme|wire-time|yuan)\.tsx?$/,
              priority: 30,
            },
            // What pages of all programs share and the portal's first page does without.
            {
              name: 'common',
              test: /contract[\\/]src[\\/](kernel[\\/](label|machine|radicals|when)|person[\\/]mobile|signup[\\/](region|answer-text))\.ts$|web[\\/]src[\\/]kernel[\\/](cipher|field-texts|format|i18n[\\/](list|answer-words)|lazy-part|leave|said|session-acts|title|toaster|upload|with-dates)\.tsx?$/,
              priority: 25,
            },
            // A program in one file, with all that it imports: small ones compress worse, and each costs a round on a slow line.
            {
              name: 'site',
              test: /web[\\/]src[\\/]site[\\/](entry|day|kept|room|sheet|texts)\.tsx?$|contract[\\/]src[\\/]ticket[\\/]exam-day\.ts$/,
              priority: 20,
            },
            { name: 'login', test: /web[\\/]src[\\/]login[\\/]entry\.tsx$/, priority: 20 },
            // Of forms of all three programs, which do not bring the log-in along.
            { name: 'proof', test: /web[\\/]src[\\/]kernel[\\/](password-texts|use-sms-code)\.ts$/, priority: 24 },
            {
              name: 'portal',
              test: /web[\\/]src[\\/]portal[\\/](entry|home[\\/]open|kit[\\/]blocks)\.tsx?$/,
              priority: 20,
            },
            // The console's shell within the settings of the kit of controls, what it shares with its pages, and the styles of what most pages are.
            {
              name: 'console',
              test: /web[\\/]src[\\/](console[\\/]entry|shell[\\/](avatar|go|icons|me|menu|nav-link|notices|page-context|status-pages|tabs|texts)|ui[\\/](antd-provider|dialog|icon|menu-button|states|texts)|kernel[\\/](permission|query)|resource[\\/](export-buttons|export-jobs|texts))\.tsx?$|web[\\/]src[\\/](ui[\\/](chart|data-table)|resource[\\/](choice|crud-page))\.css$|node_modules[\\/](dayjs[\\/]dayjs\.min|use-sync-external-store[\\/])/,
              priority: 15,
            },
            {
              name: 'list',
              test: /contract[\\/]src[\\/](nouns|noun-files|[a-z]+[\\/][a-z-]+\.(resources?|target)|kernel[\\/](field|import-kind|money|permission|resource|when))\.ts$|web[\\/]src[\\/](resource[\\/](crud-page|field-text|fields|list-state|resource-page|search-row|use-dict)|ui[\\/](columns|data-table[a-z-]*|pager|selection|stat(us|e)-tag|tree|use-revealed|use-tree-walk)|kernel[\\/]preferences)\.tsx?$/,
              priority: 10,
            },
            // What pages of figures are made of beside lists: small files each cost a round on a slow line.
            { name: 'figures', test: /web[\\/]src[\\/](resource[\\/](choice|exams)|ui[\\/](chart|stat-card))\.tsx?$/, priority: 5 },
            // What the portal's pages but the first share.
            {
              name: 'pages',
              test: /web[\\/]src[\\/]portal[\\/]((kit[\\/](address|card|field|page-icons|page-ui|sheet))|form[\\/]kept|later-texts|writes)\.tsx?$/,
              priority: 5,
            },
            // What the pages of one sign-up share.
            { name: 'form', test: /web[\\/]src[\\/]portal[\\/]form[\\/](local-copy|model|region-field|texts|uploads)\.tsx?$/, priority: 4 },
          ],
        },
      },
    },
  },
  server: { port: 7300, proxy: Object.fromEntries(ofServer.map(path => [path, devServer])) },
})
