import { createPrivateKey, createPublicKey, sign } from 'node:crypto'

/** DER: tag, length, content. */
const der = (tag: number, ...content: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(content)
  const length = body.length < 0x80 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
const sequence = (...content: readonly Uint8Array[]): Buffer => der(0x30, ...content)
const bitString = (content: Uint8Array): Buffer => der(0x03, Buffer.from([0]), content)

/** sha256WithRSAEncryption, 1.2.840.113549.1.1.11 */
const SHA256_WITH_RSA = sequence(der(0x06, Buffer.from('2a864886f70d01010b', 'hex')), der(0x05))
/** id-at-commonName, 2.5.4.3 */
const COMMON_NAME = der(0x06, Buffer.from('550403', 'hex'))

const name = (commonName: string): Buffer => sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(commonName)))))

/** GeneralizedTime, `20260317020000Z`. */
const time = (at: Date): Buffer => der(0x18, Buffer.from(at.toISOString().replace(/\.\d+/, '').replace(/[-T:]/g, '')))

/**
 * A self-signed X.509 certificate, as small as OpenSSL reads it: enough for a platform certificate of the emulator, whose
 * trust comes from the sealed download and not from a chain.
 *
 * @param serial - 40 hex digits, the first below 8 so that the number is positive
 */
export const makeCertificate = (facts: {
  readonly commonName: string
  readonly serial: string
  readonly privateKeyPem: string
  readonly validFrom: Date
  readonly validTo: Date
}): string => {
  const privateKey = createPrivateKey(facts.privateKeyPem)
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  const version3 = der(0xa0, der(0x02, Buffer.from([2])))
  const serialNumber = der(0x02, Buffer.from(facts.serial, 'hex'))
  const validity = sequence(time(facts.validFrom), time(facts.validTo))
  const subject = name(facts.commonName)
  const content = sequence(version3, serialNumber, SHA256_WITH_RSA, subject, validity, subject, publicKey)
  const certificate = sequence(content, SHA256_WITH_RSA, bitString(sign('sha256', content, privateKey)))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
