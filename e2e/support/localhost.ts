import dns from 'node:dns'

// Names below localhost are this machine (RFC 6761). Browsers know that, the resolvers of some systems do not: they are asked for localhost itself.
const known = (name: string): string => (name.endsWith('.localhost') ? 'localhost' : name)

const loopback = <Lookup>(lookup: Lookup): Lookup =>
  Object.assign((name: string, ...rest: unknown[]) => (lookup as (...all: unknown[]) => unknown)(known(name), ...rest), lookup) as Lookup

dns.lookup = loopback(dns.lookup)
dns.promises.lookup = loopback(dns.promises.lookup)
