import { api } from './api.ts'
import { ApiError } from './api-error.ts'
import { encrypt } from './cipher.ts'
import { translate } from './i18n/index.ts'
import type { Answer, Through } from './request.ts'
import { type SessionKey, sealCall } from './sealed-text.ts'
import { onForget, useSession } from './session.ts'
import * as settings from './settings.ts'

/** Encrypted calls (S9.19). It comes with the first of them, see `sealed.ts`. */

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
/** 128 bits in 22 letters that need no escape. */
const newNumber = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .slice(0, 22)

/** Only in the memory of the page: a page that is loaded anew agrees on another one. */
let agreed: Promise<SessionKey> | null = null
onForget(() => {
  agreed = null
})
const agree = async (): Promise<SessionKey> => {
  const key = hexOf(crypto.getRandomValues(new Uint8Array(32)))
  const { handle } = await api.call('POST /blade-auth/oauth/crypto-key', async () => ({ key: await encrypt(key) }))
  return { handle, key }
}
const keyOfSession = (): Promise<SessionKey> => {
  agreed ??= agree().catch((error: unknown) => {
    agreed = null
    throw error
  })
  return agreed
}

const isText = (type: string): boolean => type.startsWith('text/plain')
const isKeyUnknown = (answer: Answer, json: string): boolean => answer.status === 400 && json.includes('"kernel/crypto-key"')

/** Sends a call encrypted, its answer too; a key that the server does not know any more is agreed on anew, once. */
export const sendSealed: Through = async (request, idempotencyKey, send) => {
  const plain = typeof request.body === 'function' ? await (request.body as () => unknown)() : request.body
  if (plain instanceof FormData || plain instanceof URLSearchParams || plain instanceof Blob)
    throw new TypeError('files and forms cannot be sent encrypted')
  const once = async (): Promise<{ answer: Answer; isLost: boolean }> => {
    const sealed = sealCall(
      await keyOfSession(),
      {
        method: request.method,
        path: `${settings.apiBase}${request.path}`,
        token: useSession.getState().token ?? '',
        query: request.query,
        body: plain,
        idempotencyKey: idempotencyKey ?? '',
      },
      newNumber(),
    )
    const answer = await send(
      {
        ...request,
        query: sealed.data === '' ? undefined : { data: sealed.data },
        body: sealed.body === '' ? undefined : new Blob([sealed.body], { type: 'text/plain' }),
        headers: { ...request.headers, ...sealed.headers },
      },
      idempotencyKey,
    )
    if (!isText(answer.type)) {
      // Refused before it was opened, or a file, which travels as it is.
      const json = answer.type.includes('json') ? await answer.body.text() : ''
      return { answer, isLost: isKeyUnknown(answer, json) }
    }
    try {
      const json = sealed.open(answer.status, await answer.body.text(), answer.sign)
      return { answer: { ...answer, type: 'application/json', body: new Blob([json], { type: 'application/json' }) }, isLost: false }
    } catch (cause) {
      throw new ApiError({ code: 0, status: 0, message: translate('error.network'), cause })
    }
  }
  const first = await once()
  if (!first.isLost) return first.answer
  agreed = null
  return (await once()).answer
}
