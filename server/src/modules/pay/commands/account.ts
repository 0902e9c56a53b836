import { createPrivateKey, createPublicKey } from 'node:crypto'
import { refuseField } from '#contract/kernel/errors.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { payChannels } from '#contract/pay/channel.ts'
import { refusePay } from '#contract/pay/pay.errors.ts'
import type { saveAlipayAccount, saveNontaxAccount, savePayAccount } from '#contract/pay/pay.routes.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { findAccountShown, findAlipayShown, findNontaxShown } from '../data/account.repo.ts'
import type { PayKit } from '../deps.ts'
import type { WechatPayTrust } from '../domain/trust.ts'
import { notifyUrlOf } from './pay-qrcode.ts'

/** The merchant account as staff may see it: numbers, never a key. */
export const viewAccount = async (kit: PayKit, db: TenantDb) => {
  // An emulator becomes the account of a demo at its first use; candidates are offered all of them from the first moment.
  if (kit.deps.gateway.makeAccount !== undefined) for (const channel of payChannels) await kit.providers.of(db.actor.tenantId, channel)
  const row = await findAccountShown(db)
  const alipay = await findAlipayShown(db)
  const nontax = await findNontaxShown(db)
  return {
    account: row
      ? {
          mchid: row.mchid,
          appid: row.appid,
          merchantSerial: row.merchantSerial,
          trustMode: row.trust.mode,
          hasAppSecret: row.hasAppSecret,
          h5: row.h5 ? 1 : 0,
          publicKeyId: row.trust.mode === 'publicKey' ? row.trust.keyId : null,
          updateTime: toWireTime(row.updatedAt),
          updateUser: row.updateUser,
        }
      : null,
    isDemo: kit.deps.gateway.makeAccount !== undefined,
    notifyUrl: notifyUrlOf(kit, db.actor.tenantId, 'notify'),
    alipay: alipay
      ? {
          appId: alipay.appId,
          sellerId: alipay.sellerId,
          updateTime: toWireTime(alipay.updatedAt),
          updateUser: alipay.updateUser,
        }
      : null,
    alipayNotifyUrl: notifyUrlOf(kit, db.actor.tenantId, 'alipay'),
    nontax: nontax
      ? {
          origin: nontax.origin,
          appId: nontax.appId,
          unitCode: nontax.unitCode,
          itemCode: nontax.itemCode,
          updateTime: toWireTime(nontax.updatedAt),
          updateUser: nontax.updateUser,
        }
      : null,
    nontaxNotifyUrl: notifyUrlOf(kit, db.actor.tenantId, 'nontax'),
  }
}

const refuseKey = (zh: string, en: string): Refusal => refusePay('pay/account-key', { detail: { zh, en } })
const isRsa = (read: () => { readonly asymmetricKeyType?: string | undefined }): boolean => {
  try {
    return read().asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}

const trustOf = (input: InputOf<typeof savePayAccount>, stored: WechatPayTrust | undefined): WechatPayTrust | Refusal => {
  const { publicKeyId = '', publicKey = '' } = input
  if (publicKeyId === '' && publicKey === '') return { mode: 'certificate' }
  if (publicKey === '')
    return stored?.mode === 'publicKey' && stored.keyId === publicKeyId
      ? stored
      : refuseKey('请填写微信支付公钥，与公钥 ID 配对', 'Enter the public key that belongs to its id')
  if (publicKeyId === '') return refuseKey('请填写微信支付公钥 ID', 'Enter the id of the public key')
  if (!isRsa(() => createPublicKey(publicKey)))
    return refuseKey('微信支付公钥不是有效的 RSA 公钥（PEM）', 'The public key is no RSA key in PEM')
  return { mode: 'publicKey', keyId: publicKeyId, publicKeyPem: publicKey }
}

/** Stores the account; a key that is not given stays. The audit line names numbers only. */
export const saveAccount = async (
  kit: PayKit,
  db: TenantDb,
  ctx: Ctx,
  input: InputOf<typeof savePayAccount>,
): Promise<{ mchid: string } | Refusal> => {
  if (kit.deps.gateway.makeAccount !== undefined) return refusePay('pay/demo-account', {})
  const before = await kit.providers.stored(db)
  const merchantPrivateKeyPem = input.privateKey || before?.merchantPrivateKeyPem
  const apiV3Key = input.apiV3Key || before?.apiV3Key
  if (merchantPrivateKeyPem === undefined) return refuseKey('请填写商户 API 私钥', 'Enter the private key of the merchant')
  if (apiV3Key === undefined) return refuseKey('请填写 APIv3 密钥', 'Enter the APIv3 key')
  if (input.privateKey && !isRsa(() => createPrivateKey(input.privateKey ?? '')))
    return refuseKey('商户 API 私钥不是有效的 RSA 私钥（PEM）', 'The private key is no RSA key in PEM')
  const trust = trustOf(input, before?.trust)
  if (isRefusal(trust)) return trust
  const { mchid, appid, merchantSerial } = input
  await kit.providers.save(db, {
    mchid,
    appid,
    merchantSerial,
    merchantPrivateKeyPem,
    apiV3Key,
    trust,
    appSecret: input.appSecret || before?.appSecret,
    h5: input.h5 === undefined ? before?.h5 === true : input.h5 === 1,
  })
  await audit(db, ctx, {
    action: 'payaccount.saved',
    entity: 'payaccount',
    entityId: null,
    before: before ? { mchid: before.mchid, appid: before.appid, merchantSerial: before.merchantSerial } : null,
    after: {
      mchid,
      appid,
      merchantSerial,
      trust: trust.mode,
      newPrivateKey: Boolean(input.privateKey),
      newApiKey: Boolean(input.apiV3Key),
      newAppSecret: Boolean(input.appSecret),
      ...(input.h5 === undefined ? {} : { h5: input.h5 }),
    },
  })
  return { mchid }
}

/** The consoles of Alipay hand out keys without the lines of PEM. */
const inPem = (key: string, kinds: readonly string[]): readonly string[] =>
  key.includes('-----BEGIN') ? [key] : kinds.map(kind => `-----BEGIN ${kind}-----\n${key.replace(/\s+/g, '')}\n-----END ${kind}-----\n`)

interface KeyWords {
  readonly own: readonly [zh: string, en: string]
  readonly theirs: readonly [zh: string, en: string]
}
const alipayKeys: KeyWords = { own: ['应用私钥', 'private key of the app'], theirs: ['支付宝公钥', 'public key of Alipay'] }
const nontaxKeys: KeyWords = { own: ['应用私钥', 'private key of the app'], theirs: ['平台公钥', 'public key of the platform'] }

/** Both keys, given now or stored before; a refusal names the one that is missing or no key. */
const keysOf = (
  given: { readonly privateKey?: string | undefined; readonly publicKey?: string | undefined },
  before: { readonly privateKeyPem: string; readonly publicKeyPem: string } | undefined,
  { own, theirs }: KeyWords,
): { readonly privateKeyPem: string; readonly publicKeyPem: string } | Refusal => {
  const { privateKey, publicKey } = given
  const privateKeyPem = privateKey
    ? inPem(privateKey, ['PRIVATE KEY', 'RSA PRIVATE KEY']).find(pem => isRsa(() => createPrivateKey(pem)))
    : before?.privateKeyPem
  const publicKeyPem = publicKey ? inPem(publicKey, ['PUBLIC KEY']).find(pem => isRsa(() => createPublicKey(pem))) : before?.publicKeyPem
  if (privateKeyPem === undefined)
    return privateKey
      ? refuseKey(`${own[0]}不是有效的 RSA 私钥`, `The ${own[1]} is no RSA key`)
      : refuseKey(`请填写${own[0]}`, `Enter the ${own[1]}`)
  if (publicKeyPem === undefined)
    return publicKey
      ? refuseKey(`${theirs[0]}不是有效的 RSA 公钥`, `The ${theirs[1]} is no RSA key`)
      : refuseKey(`请填写${theirs[0]}`, `Enter the ${theirs[1]}`)
  return { privateKeyPem, publicKeyPem }
}

/** Stores the application at Alipay; a key that is not given stays. The audit line names numbers only. */
export const saveAlipay = async (
  kit: PayKit,
  db: TenantDb,
  ctx: Ctx,
  input: InputOf<typeof saveAlipayAccount>,
): Promise<{ appId: string } | Refusal> => {
  if (kit.deps.gateway.makeAlipay !== undefined) return refusePay('pay/demo-account', {})
  const before = await kit.providers.storedAlipay(db)
  const { appId, sellerId, privateKey, publicKey } = input
  const keys = keysOf(input, before, alipayKeys)
  if (isRefusal(keys)) return keys
  await kit.providers.saveAlipay(db, { appId, sellerId, ...keys })
  await audit(db, ctx, {
    action: 'payaccount.saved',
    entity: 'payaccount',
    entityId: null,
    before: before ? { appId: before.appId, sellerId: before.sellerId } : null,
    after: { appId, sellerId, newPrivateKey: Boolean(privateKey), newPublicKey: Boolean(publicKey) },
  })
  return { appId }
}

/** Stores the office at the non-tax platform; a key that is not given stays. The audit line names numbers only. */
export const saveNontax = async (
  kit: PayKit,
  db: TenantDb,
  ctx: Ctx,
  input: InputOf<typeof saveNontaxAccount>,
): Promise<{ unitCode: string } | Refusal> => {
  if (kit.deps.gateway.makeNontax !== undefined) return refusePay('pay/demo-account', {})
  const before = await kit.providers.storedNontax(db)
  const { appId, unitCode, itemCode } = input
  const origin = kit.deps.gateway.nontax.find(input.origin)
  if (origin === undefined)
    return refuseField('origin', {
      zh: '平台地址不在允许之列，请联系运维人员加入服务器设置 KAOPU_NONTAX_SERVERS',
      en: 'The address is not on the allow list; ask the operator to add it to the setting KAOPU_NONTAX_SERVERS',
    })
  const keys = keysOf(input, before, nontaxKeys)
  if (isRefusal(keys)) return keys
  await kit.providers.saveNontax(db, { origin, appId, unitCode, itemCode, ...keys })
  await audit(db, ctx, {
    action: 'payaccount.saved',
    entity: 'payaccount',
    entityId: null,
    before: before ? { origin: before.origin, appId: before.appId, unitCode: before.unitCode, itemCode: before.itemCode } : null,
    after: { origin, appId, unitCode, itemCode, newPrivateKey: Boolean(input.privateKey), newPublicKey: Boolean(input.publicKey) },
  })
  return { unitCode }
}
