/** An account at the emulated provider, with what it has registered there. */
export interface EmulatedAccount {
  readonly accessKey: string
  readonly secretKey: string
  /** Tencent's number of an application. */
  readonly appId: string
  readonly signs: readonly string[]
  /** Texts by their numbers: with `${name}` at one wire, with `{1}` at the other. */
  readonly templates: ReadonlyMap<string, string>
}

/** Why a message is not taken, in words of neither wire. */
export type Refused =
  | 'sign'
  | 'template'
  | 'missing-parameter'
  | 'long-parameter'
  | 'phone'
  | 'blacklist'
  | 'day-limit'
  | 'balance'
  | 'internal'

export const longestParameter = 35
/** Numbers for trying a failure in a demo, by their ends: refused at the first message to it; taken and never delivered. */
export const trialRefusedOnce = '94040'
export const trialUndelivered = '94041'
/** Messages to one number in a day. */
export const mostADay = 50

const variable = /\$\{(\w+)\}|\{(\d+)\}/g
/** The text with its parameters; what is refused says which rule it broke. */
export const composeText = (
  account: EmulatedAccount,
  wanted: { readonly sign: string; readonly templateId: string; readonly params: Readonly<Record<string, string>> },
): { readonly text: string } | { readonly refused: Refused } => {
  if (!account.signs.includes(wanted.sign)) return { refused: 'sign' }
  const template = account.templates.get(wanted.templateId)
  if (template === undefined) return { refused: 'template' }
  const names = [...template.matchAll(variable)].map(found => found[1] ?? found[2] ?? '')
  if (names.some(name => (wanted.params[name] ?? '') === '')) return { refused: 'missing-parameter' }
  if (names.some(name => [...(wanted.params[name] ?? '')].length > longestParameter)) return { refused: 'long-parameter' }
  const text = template.replace(variable, (_, name?: string, place?: string) => wanted.params[name ?? place ?? ''] ?? '')
  return { text: `【${wanted.sign}】${text}` }
}
