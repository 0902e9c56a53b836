import type { Label } from '#contract/kernel/label.ts'
import type { SmsProblemKind } from './provider.ts'

/** What codes of both providers say, by what stands in them; the first that fits. */
const known: readonly (readonly [RegExp, Label])[] = [
  [/AMOUNT_NOT_ENOUGH|InsufficientBalance/, { zh: '服务商账户余额不足', en: 'the account has no balance left' }],
  [/SignatureDoesNotMatch|AuthFailure|InvalidAccessKeyId|IncompleteSignature/, { zh: '访问密钥有误', en: 'the access key is wrong' }],
  [/RAM_PERMISSION|UnauthorizedOperation|NoPermission|Forbidden/, { zh: '访问密钥没有发送短信的权限', en: 'the access key may not send' }],
  [/BLACK_KEY|InBlacklist/, { zh: '号码在黑名单中', en: 'the number is on a list of the barred' }],
  [/MOBILE_NUMBER_ILLEGAL|IncorrectPhoneNumber/, { zh: '号码有误', en: 'the number is wrong' }],
  [/BUSINESS_LIMIT|LimitExceeded\.PhoneNumber/, { zh: '该号码接收过于频繁', en: 'the number has had too many' }],
  [/NOT_ON_SERVICE/, { zh: '手机停机或不在服务区', en: 'the phone is off or out of reach' }],
  [/TEMPLATE_MISSING|TEMPLATE_PARAMS|TemplateParam/, { zh: '模板变量与服务商处不一致', en: 'the variables are not those of the template' }],
  [/SIGN(ATURE|_NAME)|Signature/, { zh: '签名未在服务商处审核通过', en: 'the signature is not approved there' }],
  [/TEMPLATE|Template/, { zh: '模板未在服务商处审核通过', en: 'the template is not approved there' }],
]
const byKind: Readonly<Record<SmsProblemKind, Label>> = {
  ours: { zh: '签名、模板或变量与服务商处不一致', en: 'signature, template or variables are not as registered' },
  account: { zh: '服务商账户异常', en: 'the account is in trouble' },
  person: { zh: '该号码不能接收', en: 'the number cannot have it' },
  retry: { zh: '服务商繁忙', en: 'the provider is busy' },
  unknown: { zh: '服务商没有答复', en: 'the provider has not answered' },
}

/** Why a provider did not send, in words, with the provider's code for whoever calls it. */
export const problemText = ({ kind, code }: { readonly kind: SmsProblemKind; readonly code: string }): Label => {
  const { zh, en } = known.find(([form]) => form.test(code))?.[1] ?? byKind[kind]
  return { zh: `${zh}（${code}）`, en: `${en} (${code})` }
}

/** The reason that was stored with a message that failed, in both languages: that of a provider is known by its code. */
export const failureText = (kind: string, reason: string): Label => {
  const [, code] = /（([\w.]+)）$/.exec(reason) ?? []
  if (code !== undefined) return problemText({ kind: Object.hasOwn(byKind, kind) ? (kind as SmsProblemKind) : 'unknown', code })
  return { zh: reason, en: ownReasons.find(([words]) => reason.startsWith(words))?.[1] ?? reason }
}
/** What this program says itself, by the beginning of its words. */
const ownReasons: readonly (readonly [string, string])[] = [
  ['没有启用的短信服务', 'no text message service is on'],
  ['短信含有指向其他地址', 'the text has a link to another address'],
  ['模板 ', 'the words are not registered at the provider as they are here'],
  ['当日短信额度已用完', 'the messages of the day are used up'],
  ['服务商没有收到', 'the provider never got it'],
  ['服务商一直没有答复', 'the provider has not answered'],
]
