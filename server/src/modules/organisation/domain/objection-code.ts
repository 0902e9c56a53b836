import { type Subject, subjectOf } from '#contract/kernel/proposals.ts'
import { type ObjectionKind, objectionKinds } from '#contract/person/objection.routes.ts'

/** Keyed digests of a text, in hexadecimal digits, the newest key first. */
interface Digests {
  readonly blindIndexes: (tenantId: string, purpose: 'objection', value: string) => readonly string[]
}

/** Letters and digits that nobody confuses when they read a code aloud (Crockford). */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
/** Characters of five bits each: nobody guesses forty-five bits, and with a number of eighteen digits and the longest number of a tenant it stays within what providers take. */
const keyLength = 9

const ofBits = (value: bigint, length = 1): string => {
  let left = value
  let text = ''
  while (left > 0n || text.length < length) {
    text = `${alphabet[Number(left % 32n)] ?? ''}${text}`
    left /= 32n
  }
  return text
}
const toNumber = (text: string): bigint | undefined => {
  let value = 0n
  for (const char of text) {
    const place = alphabet.indexOf(char)
    if (place < 0) return undefined
    value = value * 32n + BigInt(place)
  }
  return value
}

/** Of each key of the installation, the newest first: a code that was sent under a former one opens too. */
export const codesOf = (cipher: Digests, tenantId: string, of: Subject, tenant: string): readonly string[] => {
  const [kind = '', id = '0'] = of.split('-')
  const place = objectionKinds.indexOf(kind as ObjectionKind)
  return cipher
    .blindIndexes(tenantId, 'objection', of)
    .map(digest => ofBits(BigInt(`0x${digest.slice(0, 16)}`) >> 19n, keyLength))
    .map(key => `${alphabet[place] ?? ''}${key}${ofBits(BigInt(id))}${tenant === '' ? '' : `-${tenant}`}`)
}

/** The change that a code opens, and the tenant that it names where its address does not; undefined for what is no code. */
export const readCode = (code: string): { readonly kind: ObjectionKind; readonly id: string; readonly tenant: string } | undefined => {
  const [body = '', tenant = ''] = code.toLowerCase().split('-')
  const kind = objectionKinds[alphabet.indexOf(body.slice(0, 1))]
  const id = toNumber(body.slice(1 + keyLength))
  return kind === undefined || id === undefined || body.length <= 1 + keyLength ? undefined : { kind, id: String(id), tenant }
}

/** The change that a code of this tenant opens; undefined for every other code. Nothing of it is stored. */
export const openCode = (
  cipher: Digests,
  tenantId: string,
  code: string,
): { readonly kind: ObjectionKind; readonly id: string } | undefined => {
  const read = readCode(code)
  if (!read) return undefined
  const { kind, id } = read
  const body = code.toLowerCase().split('-')[0]
  return codesOf(cipher, tenantId, subjectOf(kind, id), '').some(known => known === body) ? { kind, id } : undefined
}
