import { generateKeyPairSync } from 'node:crypto'

export interface KeyPair {
  readonly privateKeyPem: string
  readonly publicKeyPem: string
}

const made = new Map<string, KeyPair>()

/**
 * The RSA pair of somebody at an emulated counterpart, made when it is first asked for: that takes a twentieth of a second, which a start need not
 * wait for. A process keeps one for each name, so that whoever opens many emulators makes it once: customers are
 * named by their place in the emulator's book, in which no two are the same.
 * @param whose - the counterpart and who it is there, like `alipay merchant 0`
 */
export const keyPairOf = (whose: string): KeyPair => {
  const known = made.get(whose)
  if (known !== undefined) return known
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pair = {
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  }
  made.set(whose, pair)
  return pair
}
