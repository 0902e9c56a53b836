import { connect } from 'node:net'
import type { Plugin } from 'vite'

const pauseMs = 100
/** A start takes some seconds; a server that does not come back was ended by an error that stands in the terminal. */
const patienceMs = 20_000

const listens = (port: number, host: string): Promise<boolean> =>
  new Promise(done => {
    const socket = connect({ port, host })
    const end = (is: boolean): void => {
      socket.destroy()
      done(is)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })

/** Resolves when somebody listens at the address, or after so long without. */
export const whenListening = async (address: string, longestMs = patienceMs): Promise<void> => {
  const { hostname, port } = new URL(address)
  const until = performance.now() + longestMs
  while (!(await listens(Number(port), hostname)) && performance.now() < until) await new Promise(next => setTimeout(next, pauseMs))
}

/** Calls that come while the server of the development loop starts anew wait until it listens again; the page in the browser does not notice. */
export const holdCalls = (address: string, paths: readonly string[]): Plugin => ({
  name: 'hold-calls',
  apply: 'serve',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _response, next) => {
      const path = request.url ?? ''
      if (!paths.some(one => path.startsWith(`${one}/`) || path === one)) return next()
      void whenListening(address).then(() => next())
    })
  },
})
