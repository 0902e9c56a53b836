import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { BlockList, isIP, SocketAddress } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Who makes a call, as far as the network tells. */
export interface Client {
  /** IPv4, or IPv6 in its shortest form; IPv4 within IPv6 is IPv4. Empty where the connection has none. */
  readonly ip: string
  /** How the caller reached the first machine of ours. */
  readonly scheme: 'http' | 'https'
  /** Host and port that the caller asked for. */
  readonly host: string
  /** Who says so: the connection itself, a proxy that is believed, or a `stranger`, who passes calls of others on and is not believed: `ip` is the stranger's own. */
  readonly by: 'connection' | 'proxy' | 'stranger'
}

/** Which headers proxies write: only these are read, since a proxy passes the others on as whoever called has sent them. */
export const proxyHeaders = ['x-forwarded', 'forwarded'] as const
export type ProxyHeader = (typeof proxyHeaders)[number]

/** Proxies that are believed. */
export interface Proxies {
  readonly trusts: (ip: string) => boolean
  readonly header: ProxyHeader
}

/** `::ffff:10.0.0.1` is 10.0.0.1, `2001:DB8:0:0::1` is 2001:db8::1, `[::1]:80` and `10.0.0.1:80` are without their ports; undefined for no address. */
export const plainAddress = (text: string): string | undefined => {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text
  const [withoutZone = ''] = bare.split('%')
  const family = isIP(withoutZone)
  if (family === 0) return undefined
  if (family === 4) return withoutZone
  const { address } = new SocketAddress({ address: withoutZone, family: 'ipv6' })
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  return mapped ?? address
}

/**
 * @param list - addresses and networks, comma between them: `10.0.0.5,192.168.0.0/16,fd00::/8`
 * @throws Error naming the first entry that is neither
 */
export const parseProxies = (list: string, header: ProxyHeader = 'x-forwarded'): Proxies => {
  // A list for each family: in one, the blocks of IPv6 would take in IPv4 as mapped addresses.
  const known = { 4: new BlockList(), 6: new BlockList() } as const
  for (const entry of list.split(',').flatMap(part => (part.trim() === '' ? [] : [part.trim()]))) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address)
    const most = family === 4 ? 32 : 128
    const length = prefix === undefined ? most : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1
    if (family === 0 || length < 0 || length > most || entry.split('/').length > 2)
      throw new Error(`"${entry}" is neither an address nor a network like 10.0.0.0/8 or fd00::/8`)
    known[family === 4 ? 4 : 6].addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6')
  }
  return {
    header,
    trusts: ip => {
      const family = isIP(ip)
      return family === 4 ? known[4].check(ip, 'ipv4') : family === 6 && known[6].check(ip, 'ipv6')
    },
  }
}

/** One machine on the way, as the next one saw it. */
interface Hop {
  readonly ip: string | undefined
  readonly scheme: string | undefined
  readonly host: string | undefined
}

const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  (typeof value === 'string' ? value : (value ?? []).join(','))
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')

/** Elements and pairs of RFC 7239; commas and semicolons within quotes part nothing. */
const elementsOf = (value: string): readonly (readonly (readonly [name: string, value: string])[])[] =>
  (value.match(/(?:"(?:\\.|[^"\\])*"|[^,"])+/g) ?? []).map(element =>
    (element.match(/(?:"(?:\\.|[^"\\])*"|[^;"])+/g) ?? []).flatMap(pair => {
      const [, name = '', quoted, token] = /^\s*([!#$%&'*+.^_`|~\w-]+)=(?:"((?:\\.|[^"\\])*)"|([^\s"]*))\s*$/.exec(pair) ?? []
      return name === '' ? [] : [[name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? token ?? ''] as const]
    }),
  )

/** From the first machine to the last. */
const hopsOf = (headers: IncomingHttpHeaders, header: ProxyHeader): readonly Hop[] => {
  if (header === 'forwarded') {
    const value = headers['forwarded']
    return elementsOf(value ?? '').map(pairs => {
      const of = (wanted: string): string | undefined => pairs.find(([name]) => name === wanted)?.[1]
      return { ip: plainAddress(of('for') ?? ''), scheme: of('proto'), host: of('host') }
    })
  }
  const addresses = listOf(headers['x-forwarded-for'])
  const schemes = listOf(headers['x-forwarded-proto'])
  const hosts = listOf(headers['x-forwarded-host'])
  // Proxies that write one value for the whole way are usual; then it is the last one's word.
  const at = (values: readonly string[], i: number): string | undefined => (values.length === addresses.length ? values[i] : values.at(-1))
  const hops = addresses.map((address, i) => ({ ip: plainAddress(address), scheme: at(schemes, i), host: at(hosts, i) }))
  return hops.length > 0 ? hops : [{ ip: undefined, scheme: schemes.at(-1), host: hosts.at(-1) }]
}

const host = /^[\w.-]+(?::\d{1,5})?$|^\[[0-9a-f:.]+\](?::\d{1,5})?$/i
const isForwarded = (headers: IncomingHttpHeaders): boolean =>
  headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined || headers['x-real-ip'] !== undefined

/**
 * Who calls: the other end of the connection, or, where that is a proxy that is believed, the last address in its headers that is no such proxy.
 * What stands before it in the headers was written by nobody we know.
 */
export const readClient = (message: Pick<IncomingMessage, 'headers' | 'socket'>, proxies: Proxies): Client => {
  const { headers, socket } = message
  const peer = plainAddress(socket.remoteAddress ?? '') ?? ''
  let client: Client = {
    ip: peer,
    scheme: 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http',
    host: headers.host ?? '',
    by: 'connection',
  }
  if (!proxies.trusts(peer)) return isForwarded(headers) ? { ...client, by: 'stranger' } : client
  for (const hop of [...hopsOf(headers, proxies.header)].reverse()) {
    client = {
      ip: hop.ip ?? client.ip,
      scheme: hop.scheme?.toLowerCase() === 'https' ? 'https' : hop.scheme?.toLowerCase() === 'http' ? 'http' : client.scheme,
      host: hop.host !== undefined && host.test(hop.host) ? hop.host : client.host,
      by: 'proxy',
    }
    // An address that is hidden or none at all ends the way: what stands before it is as good as anybody's word.
    if (hop.ip === undefined || !proxies.trusts(hop.ip)) break
  }
  return client
}

/** For what fails before it is a request: nobody's word is believed. */
const noProxies: Proxies = { header: 'x-forwarded', trusts: () => false }
const clients = new WeakMap<IncomingMessage, Client>()

/**
 * Reads once for each request who makes it. Must stand before everything that asks `clientOf`.
 * @param onStranger - called with the address of the first peer that passes calls on and is not listed
 */
export const noteClients = (app: FastifyInstance, proxies: Proxies, onStranger: (peer: string) => void): void => {
  let isSaid = false
  app.addHook('onRequest', async request => {
    const client = readClient(request.raw, proxies)
    clients.set(request.raw, client)
    if (client.by !== 'stranger' || isSaid) return
    isSaid = true
    onStranger(client.ip)
  })
}

/** The only way to a caller's address, scheme and host: nothing else may read them from a request (`tools/client-address.test.ts`). */
export const clientOf = ({ raw }: Pick<FastifyRequest, 'raw'>): Client => clients.get(raw) ?? readClient(raw, noProxies)
