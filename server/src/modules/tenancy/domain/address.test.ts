import { describe, expect, test } from 'vitest'
import { isSameSite, siteOf } from './address.ts'

const sites = [
  'recruit.example:7300',
  'HTTPS://Recruit.Example/',
  'http://招聘.example',
  'xn--55qx5d.xn--fiqs8s',
  'https://[::1]:8443',
].map(domain => ({ domain }))
const found = (address: string) => siteOf(address, sites)?.domain

describe('[21.10] the tenant of an address', () => {
  test.each([
    ['https://recruit.example:7300/login?x=1#top', 'recruit.example:7300'],
    ['RECRUIT.EXAMPLE:7300', 'recruit.example:7300'],
    ['https://recruit.example:443/', 'HTTPS://Recruit.Example/'],
    ['https://RECRUIT.example.', 'HTTPS://Recruit.Example/'],
    ['recruit.example:9999', 'HTTPS://Recruit.Example/'],
    ['  http://user:word@recruit.example/a/b  ', 'HTTPS://Recruit.Example/'],
    [`https://${new URL('http://招聘.example').hostname}/路径`, 'http://招聘.example'],
    ['招聘.EXAMPLE', 'http://招聘.example'],
    ['https://公司.中国/', 'xn--55qx5d.xn--fiqs8s'],
    ['https://[::1]:8443/', 'https://[::1]:8443'],
  ])('%s', (address, domain) => expect(found(address)).toBe(domain))
  test.each(['', '  ', 'nobody.example', 'ftp://recruit.example', 'https://', '//', '%00', 'a b', 'x.recruit.example', '[::1]:8444'])(
    'none for %j',
    address => expect(found(address)).toBeUndefined(),
  )
  test('two spellings are one', () => {
    const puny = new URL('http://招聘.example').hostname.toUpperCase()
    expect([isSameSite('https://招聘.example:443/', puny), isSameSite('a.example', 'a.example:81'), isSameSite('', '')]).toEqual([
      true,
      false,
      false,
    ])
  })
})
