import { sign, verify } from 'node:crypto'

/** What is signed: everything that is not empty, by name, as it was before it was encoded for its way. */
const textToSign = (fields: Readonly<Record<string, string>>, leftOut: readonly string[]): string =>
  Object.keys(fields)
    .filter(name => fields[name] !== '' && !leftOut.includes(name))
    .sort()
    .map(name => `${name}=${fields[name]}`)
    .join('&')

/**
 * The body of a call, signed with RSA2 (SHA-256 with RSA).
 *
 * @see https://opendocs.alipay.com/common/02mse7
 */
export const signedForm = (fields: Readonly<Record<string, string>>, privateKeyPem: string): string => {
  const signature = sign('sha256', Buffer.from(textToSign(fields, ['sign'])), privateKeyPem).toString('base64')
  return new URLSearchParams({ ...fields, sign: signature }).toString()
}

const isSigned = (text: string, signature: string, publicKeyPem: string): boolean =>
  verify('sha256', Buffer.from(text), publicKeyPem, Buffer.from(signature, 'base64'))

/** Whether the other side has signed a call; `sign_type` takes part. */
export const isSignedCall = (fields: Readonly<Record<string, string>>, publicKeyPem: string): boolean =>
  isSigned(textToSign(fields, ['sign']), fields['sign'] ?? '', publicKeyPem)

/** Whether Alipay has signed a notice; unlike in calls `sign_type` takes no part. */
export const isSignedNotice = (fields: Readonly<Record<string, string>>, publicKeyPem: string): boolean =>
  isSigned(textToSign(fields, ['sign', 'sign_type']), fields['sign'] ?? '', publicKeyPem)

/** Signs a notice the way Alipay does. */
export const signedNotice = (fields: Readonly<Record<string, string>>, privateKeyPem: string): string => {
  const signature = sign('sha256', Buffer.from(textToSign(fields, ['sign', 'sign_type'])), privateKeyPem).toString('base64')
  return new URLSearchParams({ ...fields, sign: signature }).toString()
}

/** Fields that came twice would leave open which of them was signed. */
export const readForm = (body: string): Readonly<Record<string, string>> | undefined => {
  const entries = [...new URLSearchParams(body)]
  const fields = Object.fromEntries(entries)
  return Object.keys(fields).length === entries.length ? fields : undefined
}

/**
 * The part of an answer that is signed, byte for byte as it came: `{"alipay_trade_query_response":{…},"sign":"…"}`.
 *
 * @returns undefined when the answer has not this shape
 */
const signedPart = (body: string, node: string): { readonly text: string; readonly signature: string } | undefined => {
  const head = `{"${node}":`
  const end = body.lastIndexOf(',"sign":"')
  const signature = /^,"sign":"([A-Za-z0-9+/=]+)"\}\s*$/.exec(body.slice(end))?.[1]
  return body.startsWith(head) && end > head.length && signature !== undefined
    ? { text: body.slice(head.length, end), signature }
    : undefined
}

/** The text of an answer that Alipay has signed; undefined for any other. */
export const readSignedAnswer = (body: string, node: string, publicKeyPem: string): string | undefined => {
  const part = signedPart(body, node)
  return part && isSigned(part.text, part.signature, publicKeyPem) ? part.text : undefined
}

/** An answer as Alipay signs it. */
export const signedAnswer = (node: string, json: object, privateKeyPem: string): string => {
  const text = JSON.stringify(json)
  return `{"${node}":${text},"sign":"${sign('sha256', Buffer.from(text), privateKeyPem).toString('base64')}"}`
}

/** The node of a method's answer: `alipay.trade.query` → `alipay_trade_query_response`. */
export const nodeOf = (method: string): string => `${method.replaceAll('.', '_')}_response`
