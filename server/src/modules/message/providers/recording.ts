import type { SmsProvider } from './provider.ts'

/** Delivers nothing beyond the message log, which the demo page shows; used while no service is on. */
export const recordingProvider: SmsProvider = {
  name: 'log',
  send: async ({ requestId }) => ({ ok: true, id: requestId }),
  // It never leaves the machine: what was given to it is recorded.
  ask: async ({ requestId }) => ({ state: 'accepted', id: requestId }),
}
