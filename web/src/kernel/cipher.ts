import { api } from './api.ts'

interface PublicKey {
  readonly keyId: string
  /** 130 hex digits from `04`. */
  readonly publicKey: string
}

let key: { readonly value: Promise<PublicKey>; readonly atMs: number } | null = null
const keyLifeMs = 5 * 60_000

const publicKey = (): Promise<PublicKey> => {
  if (key === null || Date.now() - key.atMs > keyLifeMs) {
    const value = api.request<PublicKey>({ method: 'GET', path: '/blade-auth/oauth/public-key' })
    value.catch(() => {
      key = null
    })
    key = { value, atMs: Date.now() }
  }
  return key.value
}

/** C1C3C2, which our client sends (decision 2.11). */
const cipherMode = 1

/**
 * Encrypts a password or a phone for its way to the server by SM2. A ciphertext is good for one use: call again for each try.
 * The library (21 KB) and the key come with the first call; `prepareCipher` fetches them early.
 */
export const encrypt = async (plain: string): Promise<string> => {
  const [sm, { publicKey: hex }] = await Promise.all([import('./sm2.ts'), publicKey()])
  return sm.encryptHex(plain, hex, cipherMode)
}

export const prepareCipher = (): void => {
  void Promise.allSettled([import('./sm2.ts'), publicKey()])
}
