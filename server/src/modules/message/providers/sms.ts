/** Hands a text to whoever delivers it. `requestId` is ours and stays the same when a task is repeated. */
export interface SmsProvider {
  readonly name: string
  readonly send: (message: {
    phone: string
    content: string
    requestId: string
  }) => Promise<{ ok: true; id: string } | { ok: false; reason: string }>
}

/** Delivers nothing beyond the message log, which the demo page shows; the default until a provider is configured. */
const logProvider: SmsProvider = {
  name: 'log',
  send: async ({ requestId }) => ({ ok: true, id: requestId }),
}
export const smsProviderOf = (): SmsProvider => logProvider
