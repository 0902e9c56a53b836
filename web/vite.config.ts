import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Writes `.br` and `.gz` beside each text file, so that the server only has to pick one. */
const precompress = (): Plugin => {
  let outDir = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: config => {
      outDir = join(config.root, config.build.outDir)
    },
    writeBundle: () => {
      for (const file of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
        const path = join(outDir, file)
        if (!/\.(js|css|html|svg|json)$/.test(file) || statSync(path).size < 600) continue
        const text = readFileSync(path)
        writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }))
        writeFileSync(`${path}.br`, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
      }
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

export default defineConfig({
  root: import.meta.dirname,
  publicDir: 'public',
  plugins: [browserCrypto(), react(), precompress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|zustand)[\\/]/, priority: 30 },
            { name: 'query', test: /node_modules[\\/]@tanstack[\\/](react-query|query-core)[\\/]/, priority: 30 },
            {
              name: 'kernel',
              test: /web[\\/]src[\\/]kernel[\\/](?!sm2|query|theme[\\/](?:themes|derive|contrast|choose|look))/,
              priority: 20,
            },
          ],
        },
      },
    },
  },
  server: { port: 7301, proxy: { '/api': 'http://127.0.0.1:7300', '/demo': 'http://127.0.0.1:7300' } },
})
