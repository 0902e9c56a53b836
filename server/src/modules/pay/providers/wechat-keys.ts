import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import type { Clock } from '#kernel/clock.ts'
import type { WechatPayTrust } from '../domain/trust.ts'

export interface WechatPayKeys {
  /** The serial to name in requests, so that answers are signed with the key we hold. */
  readonly preferredSerial: string | undefined
  /** The key behind a serial, downloading certificates when the serial is new; undefined for an unknown one. */
  find(serial: string): Promise<KeyObject | undefined>
}

type Dated = { readonly key: KeyObject; readonly validFrom: Date; readonly validTo: Date }

/** An unknown serial may be a forger's: it must not make us call the provider more often than this. */
const REFRESH_PAUSE_MS = 60_000

/**
 * @param download - platform certificates as PEM, already opened with the merchant's API v3 key; undefined when the call failed
 */
export const createWechatPayKeys = (options: {
  readonly trust: WechatPayTrust
  readonly clock: Clock
  readonly download: () => Promise<readonly string[] | undefined>
}): WechatPayKeys => {
  const { trust, clock } = options
  const fixed = trust.mode === 'publicKey' ? { serial: trust.keyId, key: createPublicKey(trust.publicKeyPem) } : undefined
  const usesCertificates = trust.mode === 'certificate' || trust.alsoCertificates === true
  const certificates = new Map<string, Dated>()
  let lastTryAt: Date | undefined
  let underway: Promise<void> | undefined

  const refresh = async (): Promise<void> => {
    for (const pem of (await options.download()) ?? []) {
      const certificate = new X509Certificate(pem)
      certificates.set(certificate.serialNumber.toUpperCase(), {
        key: certificate.publicKey,
        validFrom: certificate.validFromDate,
        validTo: certificate.validToDate,
      })
    }
  }
  const valid = (serial: string): KeyObject | undefined => {
    const found = certificates.get(serial.toUpperCase())
    const now = clock.now()
    return found !== undefined && found.validFrom <= now && now < found.validTo ? found.key : undefined
  }

  return {
    preferredSerial: fixed?.serial,
    async find(serial) {
      if (serial === fixed?.serial) return fixed.key
      if (!usesCertificates || !/^[0-9A-Fa-f]{8,64}$/.test(serial)) return undefined
      const known = valid(serial)
      if (known !== undefined) return known
      const now = clock.now()
      const mayTry = lastTryAt === undefined || Math.abs(now.getTime() - lastTryAt.getTime()) >= REFRESH_PAUSE_MS
      if (underway === undefined && mayTry) {
        lastTryAt = now
        underway = refresh().finally(() => {
          underway = undefined
        })
      }
      await underway
      return valid(serial)
    },
  }
}
