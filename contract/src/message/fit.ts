import { type SceneVariable, sceneOf } from './scenes.ts'
import { fillWording } from './wording.ts'

/**
 * Characters of a value that a provider takes (Aliyun: 1 to 35 for a notification; of Tencent Cloud’s limits, which go by the account, none of a company is shorter than that of
 * Aliyun). A longer one, and an empty one, is refused with its message.
 */
export const longestValue = 35
/** Characters of a text message with its signature and values. */
export const longestMessage = 500
const longestSign = 32

/** The value as a provider takes it: on one line, with an ellipsis for what is too long, and a dash for nothing. Counted in UTF-16 units, as providers bill. */
export const fitValue = (value: string): string => {
  const line = value.replace(/\s+/g, ' ').trim()
  if (line === '') return '—'
  if (line.length <= longestValue) return line
  const cut = line.slice(0, longestValue - 1)
  // Half of a character is none.
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

const variableOf = (scene: string, name: string): SceneVariable | undefined => sceneOf(scene)?.variables.find(one => one.name === name)

/** Names of the values of an event that are longer than may be and cannot be shortened. */
export const overlong = (scene: string, params: Readonly<Record<string, string>>): readonly string[] =>
  Object.keys(params).filter(name => {
    const whole = variableOf(scene, name)?.whole
    return whole !== undefined && (params[name] ?? '').length > Math.min(whole, longestValue)
  })

/**
 * The values of an event as its provider takes them. What must stay whole is never shortened.
 * @throws Error where such a value is longer than its event declares
 */
export const fitParams = (scene: string, params: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const long = overlong(scene, params)
  if (long.length > 0) throw new Error(`values of the text message ${scene} are longer than declared: ${long.join(', ')}`)
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, fitValue(value)]))
}

export const secretMask = '******'
/** The values as others than the receiver see them; undefined where none is secret. */
export const maskSecrets = (scene: string, params: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined => {
  const secret = sceneOf(scene)?.variables.filter(({ isSecret }) => isSecret) ?? []
  return secret.length === 0 ? undefined : { ...params, ...Object.fromEntries(secret.map(({ name }) => [name, secretMask])) }
}

/** Characters of a message with these words at its longest. */
export const longestText = (scene: string, content: string): number => {
  const variables = sceneOf(scene)?.variables ?? []
  const values = Object.fromEntries(variables.map(({ name, whole }) => [name, '国'.repeat(whole ?? longestValue)]))
  const rest = content.replace(/\$\{(\w+)\}/g, (all, name: string) => values[name] ?? '国'.repeat(longestValue) ?? all)
  return longestSign + fillWording(rest, values).length
}
