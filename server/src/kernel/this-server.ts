import { hostname, networkInterfaces } from 'node:os'

/** The address that others reach this machine by; its own where it has no other. */
const outerAddress = (): string => {
  const all = Object.values(networkInterfaces()).flatMap(list => list ?? [])
  return (all.find(one => !one.internal && one.family === 'IPv4') ?? all.find(one => !one.internal))?.address ?? '127.0.0.1'
}

/** How the lines of every log name the machine that wrote them. */
export const thisServer = { host: hostname().slice(0, 80), ip: outerAddress().slice(0, 45) } as const
