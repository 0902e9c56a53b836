import { channel } from 'node:diagnostics_channel'

// What happens deep inside and is counted or logged elsewhere: whoever makes it happen needs to know neither.

/** A call that left this server, once it is over. */
export interface ProviderCall {
  /** What for: `sms`, `pay`. */
  readonly purpose: string
  readonly host: string
  readonly method: string
  /** `ok`, `http_4xx`, `http_5xx`, or why there is no answer (`OutboundFailure`). */
  readonly outcome: string
  readonly durationMs: number
}

const providerCalls = channel('kaopu:provider-call')
const smsFailures = channel('kaopu:sms-failure')

export const publishProviderCall = (call: ProviderCall): void => providerCalls.publish(call)
/** @param kind - why a text message failed for good */
export const publishSmsFailure = (kind: string): void => smsFailures.publish(kind)

const listen = <T>(at: ReturnType<typeof channel>, hear: (event: T) => void): (() => void) => {
  const heard = (event: unknown): void => hear(event as T)
  at.subscribe(heard)
  return () => void at.unsubscribe(heard)
}
/** @returns ends it */
export const onProviderCall = (hear: (call: ProviderCall) => void): (() => void) => listen(providerCalls, hear)
/** @returns ends it */
export const onSmsFailure = (hear: (kind: string) => void): (() => void) => listen(smsFailures, hear)
