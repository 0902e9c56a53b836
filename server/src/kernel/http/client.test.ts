import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, test } from 'vitest'
import { type Client, type ProxyHeader, parseProxies, plainAddress, readClient } from './client.ts'

const proxies = '10.0.0.0/8,192.168.1.7,fd00::/8'
const read = (remoteAddress: string, headers: IncomingHttpHeaders, header: ProxyHeader = 'x-forwarded'): Client =>
  readClient({ headers: { host: 'kaopu.internal:7300', ...headers }, socket: { remoteAddress } as never }, parseProxies(proxies, header))
const addressOf = (...of: Parameters<typeof read>): string => read(...of).ip

describe('the address of a caller', () => {
  test.each([
    ['nobody stands between', '203.0.113.9', undefined, '203.0.113.9'],
    ['one proxy', '10.0.0.5', '203.0.113.9', '203.0.113.9'],
    ['two proxies: the last address that is no proxy', '10.0.0.5', '203.0.113.9, 192.168.1.7', '203.0.113.9'],
    ['what a caller wrote stands left of it and is not believed', '10.0.0.5', '1.1.1.1, 2.2.2.2, 203.0.113.9, 10.9.9.9', '203.0.113.9'],
    ['from nobody who is listed', '203.0.113.9', '1.1.1.1', '203.0.113.9'],
    ['a neighbour of a listed address', '192.168.1.8', '1.1.1.1', '192.168.1.8'],
    ['nothing but proxies', '10.0.0.5', '10.1.1.1, 10.2.2.2', '10.1.1.1'],
    ['no address ends the way', '10.0.0.5', '1.1.1.1, unknown, 10.2.2.2', '10.2.2.2'],
    ['with a port', '10.0.0.5', '203.0.113.9:51234', '203.0.113.9'],
    ['IPv6, with brackets, a port and a long form', 'fd00::5', '[2001:DB8:0:0::9]:443', '2001:db8::9'],
    ['IPv4 in IPv6, on both sides', '::ffff:10.0.0.5', '::ffff:203.0.113.9', '203.0.113.9'],
    ['an empty header', '10.0.0.5', '', '10.0.0.5'],
  ])('%s', (_, peer, header, expected) => {
    expect(addressOf(peer, header === undefined ? {} : { 'x-forwarded-for': header })).toBe(expected)
  })

  test.each([
    ['for=203.0.113.9;proto=https;by=10.0.0.5', { ip: '203.0.113.9', scheme: 'https', host: 'kaopu.internal:7300' }],
    [
      'for=1.1.1.1, For="[2001:db8::9]:4711";Proto=HTTPS;host="zp.example.cn", for=10.0.0.9',
      { ip: '2001:db8::9', scheme: 'https', host: 'zp.example.cn' },
    ],
    ['for="1.1.1.1, for=2.2.2.2", for=203.0.113.9', { ip: '203.0.113.9', scheme: 'http', host: 'kaopu.internal:7300' }],
    ['for=1.1.1.1, for=_hidden', { ip: '10.0.0.5', scheme: 'http', host: 'kaopu.internal:7300' }],
  ])('Forwarded: %s', (forwarded, expected) => {
    expect(read('10.0.0.5', { forwarded }, 'forwarded')).toEqual({ ...expected, by: 'proxy' })
  })

  test('of the two kinds of headers only the one that the proxy writes is read: the other is its caller’s', () => {
    const both = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=1.1.1.1' }
    expect([addressOf('10.0.0.5', both), addressOf('10.0.0.5', both, 'forwarded')]).toEqual(['203.0.113.9', '1.1.1.1'])
  })

  test('scheme and host come from a listed proxy alone', () => {
    const headers = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'zp.example.cn' }
    expect([read('10.0.0.5', headers), read('203.0.113.1', headers)]).toEqual([
      { ip: '203.0.113.9', scheme: 'https', host: 'zp.example.cn', by: 'proxy' },
      { ip: '203.0.113.1', scheme: 'http', host: 'kaopu.internal:7300', by: 'stranger' },
    ])
    expect(read('10.0.0.5', { ...headers, 'x-forwarded-proto': 'javascript', 'x-forwarded-host': 'a/b?c' })).toMatchObject({
      scheme: 'http',
      host: 'kaopu.internal:7300',
    })
  })

  test.each(['10.0.0.5', '2001:db8::1', '::1'])('%s is written like this', address => expect(plainAddress(address)).toBe(address))
  test.each(['', 'unknown', '_x', '10.0.0', '10.0.0.256', 'localhost', '[10.0.0.1'])('%j is no address', text =>
    expect(plainAddress(text)).toBeUndefined(),
  )
})

test.each(['10.0.0.0/33', 'fd00::/129', 'proxy.example.cn', '10.0.0.0/8/8', '10.0.0.0/', '/8'])('%s is no list of proxies', list => {
  expect(() => parseProxies(`127.0.0.1,${list}`)).toThrow(`"${list}" is neither an address nor a network like 10.0.0.0/8 or fd00::/8`)
})
