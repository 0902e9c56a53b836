/** What an XML text is made of; names come without their prefix. */
export interface XmlTaker {
  readonly open: (name: string, attributes: string) => void
  readonly close: (name: string) => void
  readonly text: (text: string) => void
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decodeXml = (text: string): string =>
  text.includes('&')
    ? text.replace(
        /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
        (whole, hex: string | undefined, digits: string | undefined, name: string) => {
          if (hex === undefined && digits === undefined) return named[name] ?? whole
          const point = hex === undefined ? Number(digits) : Number.parseInt(hex, 16)
          return point > 0x10ffff ? whole : String.fromCodePoint(point)
        },
      )
    : text

/** Excel writes characters that XML has not as `_xHHHH_` (ECMA-376 part 1, 22.4.2.4). */
export const decodeExcel = (text: string): string =>
  text.includes('_x') ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) : text

/** The value of an attribute by its name without a prefix. */
export const attributeOf = (attributes: string, name: string): string | undefined => {
  for (let at = attributes.indexOf(name); at >= 0; at = attributes.indexOf(name, at + 1)) {
    const before = attributes.charCodeAt(at - 1)
    // Behind white space or the colon of a prefix.
    if (at > 0 && before !== 32 && before !== 58 && before !== 9 && before !== 10 && before !== 13) continue
    const behind = at + name.length
    if (attributes.charCodeAt(behind) === 61 && attributes.charCodeAt(behind + 1) === 34)
      return decodeXml(attributes.slice(behind + 2, attributes.indexOf('"', behind + 2)))
    const found = /^\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(attributes.slice(behind, behind + 8_192))
    if (found) return decodeXml(found[1] ?? found[2] ?? '')
  }
  return undefined
}

export const isOn = (value: string | undefined): boolean => value === '1' || value === 'true' || value === 'on'

const localName = (tag: string): string => {
  const colon = tag.indexOf(':')
  return colon < 0 ? tag : tag.slice(colon + 1)
}

/** The longest tag or comment that is waited for. */
const mostOpenChars = 1024 * 1024

/**
 * Reads XML that comes in pieces. Texts may come in several parts. It knows no document types: a part that has one is refused before
 * (check-archive.ts).
 */
export const scanXml = (taker: XmlTaker): { push(piece: string): void; end(): void } => {
  let rest = ''
  const depth: string[] = []
  /** Where what begins with `<` ends, or -1 when the rest has not come yet. */
  const endOf = (text: string, at: number): number => {
    if (text.startsWith('<!--', at)) return text.indexOf('-->', at + 4) + (text.indexOf('-->', at + 4) < 0 ? 0 : 2)
    if (text.startsWith('<![CDATA[', at)) return text.indexOf(']]>', at + 9) + (text.indexOf(']]>', at + 9) < 0 ? 0 : 2)
    let end = text.indexOf('>', at)
    // A `>` within quotes ends no tag.
    while (end >= 0) {
      const tag = text.slice(at, end)
      if (!tag.includes('"') && !tag.includes("'")) return end
      let quote = ''
      for (const char of tag) if (quote === '' ? char === '"' || char === "'" : char === quote) quote = quote === '' ? char : ''
      if (quote === '') return end
      end = text.indexOf('>', end + 1)
    }
    return -1
  }
  const takeTag = (text: string, at: number, end: number): void => {
    const second = text[at + 1]
    if (second === '?') return
    if (second === '!') {
      if (text.startsWith('<![CDATA[', at)) taker.text(text.slice(at + 9, end - 2))
      return
    }
    if (second === '/') {
      const name = localName(text.slice(at + 2, end).trim())
      if (depth.pop() !== name) throw new Error(`</${name.slice(0, 40)}> closes nothing`)
      taker.close(name)
      return
    }
    const isClosed = text[end - 1] === '/'
    const tag = text.slice(at + 1, isClosed ? end - 1 : end)
    const space = tag.search(/\s/)
    const name = localName(space < 0 ? tag : tag.slice(0, space))
    taker.open(name, space < 0 ? '' : tag.slice(space))
    if (isClosed) taker.close(name)
    else depth.push(name)
  }
  return {
    push: piece => {
      const text = rest + piece
      let at = 0
      for (;;) {
        const open = text.indexOf('<', at)
        if (open < 0) {
          // An entity or a pair of surrogates may come in two pieces.
          const entity = text.lastIndexOf('&')
          const cut = entity >= at && text.length - entity < 16 ? entity : Math.max(at, text.length - 1)
          if (cut > at) taker.text(decodeXml(text.slice(at, cut)))
          rest = text.slice(cut)
          return
        }
        if (open > at) taker.text(decodeXml(text.slice(at, open)))
        const end = endOf(text, open)
        if (end < 0 || (text.startsWith('<!', open) && text.length - open < 9)) {
          rest = text.slice(open)
          if (rest.length > mostOpenChars) throw new Error('a tag without end')
          return
        }
        takeTag(text, open, end)
        at = end + 1
      }
    },
    end: () => {
      if (depth.length > 0 || rest.trim() !== '') throw new Error('the XML has no end')
    },
  }
}

/** All of a small part at once. */
export const scanAll = (xml: string, taker: XmlTaker): void => {
  const scan = scanXml(taker)
  scan.push(xml.charCodeAt(0) === 0xfeff ? xml.slice(1) : xml)
  scan.end()
}
