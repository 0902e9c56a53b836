import { createPrivateKey, createPublicKey } from 'node:crypto'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refusePay } from '#contract/pay/pay.errors.ts'
import type { saveAlipayAccount, savePayAccount } from '#contract/pay/pay.routes.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { findAccountShown, findAlipayShown } from '../data/account.repo.ts'
import type { PayKit } from '../deps.ts'
import type { WechatPayTrust } from '../domain/trust.ts'
import { notifyUrlOf } from './pay-qrcode.ts'

/** The merchant account as staff may see it: numbers, never a key. */
export const viewAccount = async (kit: PayKit, db: TenantDb) => {
  const row = await findAccountShown(db)
  const alipay = await findAlipayShown(db)
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
  const privateKeyPem = privateKey
    ? inPem(privateKey, ['PRIVATE KEY', 'RSA PRIVATE KEY']).find(pem => isRsa(() => createPrivateKey(pem)))
    : before?.privateKeyPem
  const publicKeyPem = publicKey ? inPem(publicKey, ['PUBLIC KEY']).find(pem => isRsa(() => createPublicKey(pem))) : before?.publicKeyPem
  if (privateKeyPem === undefined)
    return privateKey
      ? refuseKey('应用私钥不是有效的 RSA 私钥', 'The private key of the app is no RSA key')
      : refuseKey('请填写应用私钥', 'Enter the private key of the app')
  if (publicKeyPem === undefined)
    return publicKey
      ? refuseKey('支付宝公钥不是有效的 RSA 公钥', 'The public key of Alipay is no RSA key')
      : refuseKey('请填写支付宝公钥', 'Enter the public key of Alipay')
  await kit.providers.saveAlipay(db, { appId, sellerId, privateKeyPem, publicKeyPem })
  await audit(db, ctx, {
    action: 'payaccount.saved',
    entity: 'payaccount',
    entityId: null,
    before: before ? { appId: before.appId, sellerId: before.sellerId } : null,
    after: { appId, sellerId, newPrivateKey: Boolean(privateKey), newPublicKey: Boolean(publicKey) },
  })
  return { appId }
}
