/** Where a page lies: its host as browsers write it, in lower case and Chinese names as punycode, and its port where it is not the usual one. */
interface SiteAddress {
  readonly host: string
  readonly port: string
}

/** Of a whole address, or of a host with or without its port; undefined for what is neither. */
const siteAddressOf = (text: string): SiteAddress | undefined => {
  const typed = text.trim()
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `http://${typed}`)
  if (url === null || url.hostname === '' || !/^https?:$/.test(url.protocol)) return undefined
  return { host: url.hostname.replace(/\.$/, ''), port: url.port }
}

/** Whether two addresses, as typed, are one. */
export const isSameSite = (one: string, other: string): boolean => {
  const [left, right] = [siteAddressOf(one), siteAddressOf(other)]
  return left !== undefined && left.host === right?.host && left.port === right.port
}

/** Which of these sites a page belongs to: the one with its host and port, else the one that names its host alone. */
export const siteOf = <T extends { readonly domain: string }>(address: string, sites: readonly T[]): T | undefined => {
  const wanted = siteAddressOf(address)
  if (wanted === undefined) return undefined
  const ofHost = sites.flatMap(site => {
    const at = siteAddressOf(site.domain)
    return at?.host === wanted.host ? [{ site, port: at.port }] : []
  })
  return (ofHost.find(one => one.port === wanted.port) ?? ofHost.find(one => one.port === ''))?.site
}
