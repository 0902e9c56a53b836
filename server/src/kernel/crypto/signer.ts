import { createECDH, createPrivateKey, hkdfSync, sign } from 'node:crypto'

/** Half of a key pair that anybody may have, as browsers read it. */
export interface PublicKey {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
}
/** Signs texts that leave the server and are looked at again where it cannot be asked. */
export interface Signer {
  readonly publicKey: PublicKey
  /** ECDSA over P-256 and SHA-256 in the form that browsers check, base64. */
  readonly sign: (text: string) => string
}

const coordinateBytes = 32

/**
 * @param secret a key of the installation
 * @param purpose what is signed: each has a key of its own
 */
export const createSigner = (secret: Buffer, purpose: string): Signer => {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, coordinateBytes)))
  const point = pair.getPublicKey()
  const publicKey = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 1 + coordinateBytes).toString('base64url'),
    y: point.subarray(1 + coordinateBytes).toString('base64url'),
  } as const
  const key = createPrivateKey({ key: { ...publicKey, d: pair.getPrivateKey().toString('base64url') }, format: 'jwk' })
  return { publicKey, sign: text => sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64') }
}
