import { createHash } from 'node:crypto'

// MD5 and RC4 are what PDF's older encryption is made of (ISO 32000-1 7.6.3); nothing is kept secret by them here.

const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')

const md5 = (...parts: readonly Buffer[]): Buffer => {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const rc4 = (key: Buffer, data: Buffer): Buffer => {
  const state = Array.from({ length: 256 }, (_, i) => i)
  const at = (i: number): number => state[i % 256] ?? 0
  const swap = (i: number, j: number): void => {
    const kept = at(i)
    state[i] = at(j)
    state[j] = kept
  }
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) % 256
    swap(i, j)
  }
  let i = 0
  let j = 0
  return data.map(byte => {
    i = (i + 1) % 256
    j = (j + at(i)) % 256
    swap(i, j)
    return byte ^ at(at(i) + at(j))
  }) as Buffer
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** The string that begins at `at`: `(…)` with escapes and nested parentheses, or `<hex>`. */
const stringAt = (text: string, at: number): Buffer | undefined => {
  if (text[at] === '<') {
    const end = text.indexOf('>', at)
    return end < 0 ? undefined : Buffer.from(text.slice(at + 1, end).replace(/\s/g, ''), 'hex')
  }
  if (text[at] !== '(') return undefined
  let out = ''
  let depth = 1
  for (let i = at + 1; i < text.length; i++) {
    const char = text[i] ?? ''
    if (char === '\\') {
      const octal = /^[0-7]{1,3}/.exec(text.slice(i + 1, i + 4))?.[0]
      const next = text[i + 1] ?? ''
      if (octal !== undefined) out += String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
      else if (next !== '\n' && next !== '\r') out += escapes[next] ?? next
      i += octal?.length ?? (next === '\r' && text[i + 2] === '\n' ? 2 : 1)
      continue
    }
    if (char === '(') depth++
    if (char === ')' && --depth === 0) return Buffer.from(out, 'latin1')
    out += char
  }
  return undefined
}
const stringOf = (dictionary: string, key: string): Buffer | undefined => {
  const found = new RegExp(`/${key}\\s*(?=[<(])`).exec(dictionary)
  return found ? stringAt(dictionary, found.index + found[0].length) : undefined
}
const numberOf = (dictionary: string, key: string): number | undefined => {
  const found = new RegExp(`/${key}\\s+(-?\\d+)`).exec(dictionary)?.[1]
  return found === undefined ? undefined : Number(found)
}

/** The dictionary of a file's encryption: named by its trailer, or standing there. */
const encryptionOf = (text: string): string | undefined => {
  const named = /\/Encrypt\s+(\d+)\s+(\d+)\s+R\b/.exec(text)
  if (!named) {
    const at = text.search(/\/Encrypt\s*<</)
    return at < 0 ? undefined : text.slice(at, at + 4_096)
  }
  const at = text.search(new RegExp(`(?:^|[\\r\\n\\s])${named[1]}\\s+${named[2]}\\s+obj\\b`))
  return at < 0 ? undefined : text.slice(at, at + 4_096)
}

/** Revisions 2 to 4 (ISO 32000-1, algorithms 4 to 6). */
const opensByMd5 = (dictionary: string, text: string, revision: number): boolean | undefined => {
  const [owner, user, permissions] = [stringOf(dictionary, 'O'), stringOf(dictionary, 'U'), numberOf(dictionary, 'P')]
  const idAt = /\/ID\s*\[\s*/.exec(text)
  const id = (idAt && stringAt(text, idAt.index + idAt[0].length)) ?? Buffer.alloc(0)
  if (!owner || owner.length < 32 || !user || user.length < 16 || permissions === undefined) return undefined
  const rights = Buffer.alloc(4)
  rights.writeInt32LE(permissions | 0)
  const open = revision >= 4 && /\/EncryptMetadata\s+false\b/.test(dictionary) ? Buffer.alloc(4, 0xff) : Buffer.alloc(0)
  // Revision 4 has 128 bits; the lengths in its dictionary are those of its filters too.
  const lengths = { 2: 5, 4: 16 } as const
  const length = lengths[revision as keyof typeof lengths] ?? Math.min(16, Math.max(5, (numberOf(dictionary, 'Length') ?? 40) >> 3))
  let key = md5(padding, owner.subarray(0, 32), rights, id, open)
  if (revision >= 3) for (let i = 0; i < 50; i++) key = md5(key.subarray(0, length))
  key = key.subarray(0, length)
  if (revision === 2) return rc4(key, padding).equals(user.subarray(0, 32))
  let made = rc4(key, md5(padding, id))
  for (let i = 1; i <= 19; i++) made = rc4(key.map(byte => byte ^ i) as Buffer, made)
  return made.equals(user.subarray(0, 16))
}

/** Revision 5, that of Acrobat 9 (algorithm 3.2a of its supplement). */
const opensBySha = (dictionary: string): boolean | undefined => {
  const user = stringOf(dictionary, 'U')
  if (!user || user.length < 40) return undefined
  return createHash('sha256').update(user.subarray(32, 40)).digest().equals(user.subarray(0, 32))
}

/**
 * Whether a PDF asks for a password before it shows anything. Many that are protected against changes, such as certificates of state offices, open
 * without one and are fine. What is not understood, as revision 6, counts as open: a reader will tell.
 */
export const asksForPassword = (text: string): boolean => {
  const dictionary = encryptionOf(text)
  if (dictionary === undefined || !/\/Filter\s*\/Standard\b/.test(dictionary)) return false
  const revision = numberOf(dictionary, 'R')
  if (revision === undefined) return false
  if (revision >= 2 && revision <= 4) return opensByMd5(dictionary, text, revision) === false
  return revision === 5 && opensBySha(dictionary) === false
}
