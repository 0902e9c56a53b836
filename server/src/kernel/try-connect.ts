import { connect } from 'node:net'

const limitMs = 3_000

/**
 * Whether a server that the operator has allowed takes connections. Nothing is sent to it.
 * @param server - an origin, or `host:port`
 */
export const tryConnect = (server: string): Promise<boolean> => {
  const url = new URL(/^https?:/.test(server) ? server : `tcp://${server}`)
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  return new Promise(done => {
    const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port, timeout: limitMs })
    const end = (isOpen: boolean): void => {
      socket.destroy()
      done(isOpen)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}
