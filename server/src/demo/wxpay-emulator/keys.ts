import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { randomBytes, randomDigits, randomText } from '#kernel/random.ts'
import { keyPairOf } from '../key-pair.ts'
import { makeCertificate } from './certificate.ts'

/** A shop that banks with the emulator; the private key is here because nobody else could hand it to the tenant. */
export type EmulatorMerchant = {
  readonly tenantId: string
  readonly mchid: string
  readonly appid: string
  readonly serial: string
  readonly privateKeyPem: string
  readonly publicKeyPem: string
  readonly apiV3Key: string
}

export type EmulatorKeys = {
  readonly platform: {
    readonly publicKeyId: string
    readonly publicKeyPem: string
    readonly publicKeyPrivatePem: string
    readonly certificateSerial: string
    readonly certificatePem: string
    readonly certificatePrivatePem: string
    readonly certificateFrom: string
    readonly certificateTo: string
  }
  readonly merchants: readonly EmulatorMerchant[]
}

/** Serial numbers are 20 bytes; the top bit stays clear so that the number is positive. */
const makeSerial = (): string => `4${randomBytes(20).toString('hex').slice(1)}`.toUpperCase()

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'

/** @param nth - which of the merchants of its book it is */
const makeMerchant = (tenantId: string, nth: number): EmulatorMerchant => ({
  tenantId,
  mchid: `16${randomDigits(8)}`,
  appid: `wx${randomBytes(8).toString('hex')}`,
  serial: makeSerial(),
  ...keyPairOf(`wxpay merchant ${nth}`),
  apiV3Key: randomText(32, LETTERS),
})

const TEN_YEARS_MS = 3650 * 24 * 60 * 60 * 1000

/** @param now - certificates are valid from a year before, so that a clock that goes back still finds them valid */
export const makeEmulatorKeys = (tenantIds: readonly string[], now: Date): EmulatorKeys => {
  const byKey = keyPairOf('wxpay by key')
  const byCertificate = keyPairOf('wxpay by certificate')
  const certificateSerial = makeSerial()
  const validFrom = new Date(now.getTime() - TEN_YEARS_MS / 10)
  const validTo = new Date(now.getTime() + TEN_YEARS_MS)
  return {
    platform: {
      publicKeyId: `PUB_KEY_ID_0${randomDigits(33)}`,
      publicKeyPem: byKey.publicKeyPem,
      publicKeyPrivatePem: byKey.privateKeyPem,
      certificateSerial,
      certificatePem: makeCertificate({
        commonName: 'Kaopu payment emulator',
        serial: certificateSerial,
        privateKeyPem: byCertificate.privateKeyPem,
        validFrom,
        validTo,
      }),
      certificatePrivatePem: byCertificate.privateKeyPem,
      certificateFrom: validFrom.toISOString(),
      certificateTo: validTo.toISOString(),
    },
    merchants: tenantIds.map(makeMerchant),
  }
}

const readKeys = async (file: string): Promise<EmulatorKeys | undefined> => {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as EmulatorKeys
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** The keys of this data folder: made at the first start, with a merchant added for each tenant that has none yet. Mode 0600. */
export const loadOrMakeEmulatorKeys = async (file: string, tenantIds: readonly string[], now: Date): Promise<EmulatorKeys> => {
  const known = await readKeys(file)
  const missing = tenantIds.filter(tenantId => !known?.merchants.some(merchant => merchant.tenantId === tenantId))
  if (known !== undefined && missing.length === 0) return known
  const added = missing.map((tenantId, at) => makeMerchant(tenantId, (known?.merchants.length ?? 0) + at))
  const keys = known === undefined ? makeEmulatorKeys(tenantIds, now) : { ...known, merchants: [...known.merchants, ...added] }
  await mkdir(dirname(file), { recursive: true })
  await writeFile(`${file}.new`, JSON.stringify(keys, null, 2), { mode: 0o600 })
  await rename(`${file}.new`, file)
  return keys
}

export const findMerchant = (keys: EmulatorKeys, tenantId: string): EmulatorMerchant => {
  const merchant = keys.merchants.find(candidate => candidate.tenantId === tenantId)
  if (merchant === undefined) throw new Error(`the payment emulator has no merchant for tenant ${tenantId}`)
  return merchant
}
