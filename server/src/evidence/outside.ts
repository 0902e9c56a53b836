import { request } from 'node:https'
import type { TLSSocket } from 'node:tls'
import type { Outside } from './reading.ts'

const waitMs = 5_000

/**
 * Asks the address that people type, as a browser does.
 * @returns what was agreed on, or why it could not be asked
 */
export const lookFromOutside = (publicUrl: string | undefined): Promise<Outside> => {
  if (publicUrl === undefined) return Promise.resolve({ problem: 'KAOPU_PUBLIC_URL is not set' })
  if (!publicUrl.startsWith('https:')) return Promise.resolve({ problem: `${publicUrl} is not https` })
  return new Promise(done => {
    const call = request(publicUrl, { method: 'GET', timeout: waitMs, agent: false }, answer => {
      const socket = answer.socket as TLSSocket
      const headers = Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
      )
      done({
        protocol: socket.getProtocol() ?? 'none',
        cipher: socket.getCipher().name,
        validTo: socket.getPeerCertificate().valid_to,
        headers,
      })
      answer.resume()
    })
    call.on('timeout', () => call.destroy(new Error(`no answer within ${waitMs / 1_000} s`)))
    call.on('error', error => done({ problem: error.message }))
    call.end()
  })
}
