/** A variable of a template: `${exam}`. */
const variable = /\$\{([A-Za-z][A-Za-z0-9_]{0,29})\}/g

/** The variables of a text in the order in which they first stand there. */
export const variablesOf = (text: string): readonly string[] => [...new Set([...text.matchAll(variable)].map(found => found[1] ?? ''))]

export const fillWording = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(variable, (whole, name: string) => (Object.hasOwn(values, name) ? values[name] : undefined) ?? whole)

/** What looks like a variable and is none: `{exam}`, `${考试}`, `${exam`. Undefined where all are well written. */
export const miswritten = (text: string): string | undefined => /\$?\{[^{}]{0,30}\}?|\$\{|\}/.exec(text.replace(variable, ''))?.[0]

/** Parts that a text is billed as: 70 characters alone, 67 each when longer. */
export const smsSegments = (text: string): number => {
  // Providers count UTF-16 units: a rare character of a name is two.
  const length = text.length
  return length <= 70 ? 1 : Math.ceil(length / 67)
}

/** Addresses on the web and in the network as people type them, with or without `https://`. */
const address =
  /(?:[a-z][a-z0-9+.-]*:\/\/)?(?:(?:[a-z0-9-]+\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)|(?:\d{1,3}\.){3}\d{1,3}|[\p{Script=Han}a-z0-9-]+\.(?:中国|公司|网络|政务|公益|网址|在线))(?::\d+)?/giu

/**
 * Addresses in a text that lead elsewhere than to these hosts, in the order in which they stand there. The text is read as a phone reads it: full-width letters, dots
 * and slashes count as plain ones.
 */
export const foreignLinks = (text: string, hosts: readonly string[]): readonly string[] =>
  [
    ...text
      .normalize('NFKC')
      .replace(/[。．｡]/g, '.')
      .matchAll(address),
  ].flatMap(([found]) => {
    const host = found.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').toLowerCase()
    return hosts.some(own => host === own || host === own.replace(/:\d+$/, '')) ? [] : [found]
  })
