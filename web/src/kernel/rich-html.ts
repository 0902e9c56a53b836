import { isRichLink, isRichPicture, richBlocks, richLookOf, richTags } from '#contract/kernel/rich-text.ts'

/**
 * Reads rich text without handing markup to the browser: a small reader turns the allowed tags into a tree and everything else
 * into its text. Whatever is drawn from that tree, nothing in it can run a script.
 */
const allowed: ReadonlySet<string> = new Set([...richTags, 'img'])
/** Tags that hold nothing. */
export const emptyTags: ReadonlySet<string> = new Set(['br', 'hr', 'img'])
const dropped = new Set(['script', 'style', 'title', 'iframe', 'object', 'svg', 'math', 'template', 'noscript', 'textarea'])
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  middot: '·',
  mdash: '—',
  ldquo: '“',
  rdquo: '”',
}

const decode = (text: string): string =>
  text.replace(/&(#x[\da-f]+|#\d+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? whole
    const code = name[1] === 'x' || name[1] === 'X' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })

export interface RichNode {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: (RichNode | string)[]
}

/** Only link targets, the look of blocks, pictures that are kept here and the sizes of cells survive. */
const attributesOf = (tag: string, source: string): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {}
  const look: Record<string, string> = {}
  for (const [, name = '', , double, single, bare] of source.matchAll(/([a-z-]+)\s*(=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/gi)) {
    const value = decode(double ?? single ?? bare ?? '').trim()
    const key = name.toLowerCase()
    if (['style', 'align', 'data-align', 'data-indent'].includes(key)) look[key] = value
    if (tag === 'img' && (key === 'alt' || (key === 'src' && isRichPicture(value)))) found[key] = value
    if (tag === 'a' && key === 'href' && isRichLink(value)) found.href = value
    if ((tag === 'td' || tag === 'th') && (key === 'colspan' || key === 'rowspan') && /^\d{1,2}$/.test(value))
      found[key === 'colspan' ? 'colSpan' : 'rowSpan'] = value
  }
  return richBlocks.has(tag) ? { ...found, ...richLookOf(look) } : found
}

export const parseRich = (html: string): RichNode => {
  const root: RichNode = { tag: 'root', attributes: {}, children: [] }
  const open: RichNode[] = [root]
  const top = (): RichNode => open[open.length - 1] ?? root
  let skipping: string | null = null
  for (const [whole, closing, rawTag, attributes = ''] of html.matchAll(
    /<!--[\s\S]*?(?:-->|$)|<!\[[^<>]{0,80}>|<(\/?)([a-z][a-z0-9]*)((?:"[^"]*"|'[^']*'|[^>"'])*)>|[^<]+|</gi,
  )) {
    const tag = rawTag?.toLowerCase()
    if (skipping !== null) {
      if (tag === skipping && closing === '/') skipping = null
      continue
    }
    if (tag === undefined) {
      if (!whole.startsWith('<!--') && !whole.startsWith('<![')) top().children.push(decode(whole))
      continue
    }
    if (dropped.has(tag)) {
      if (closing !== '/') skipping = tag
      continue
    }
    if (!allowed.has(tag)) continue
    if (closing === '/') {
      const depth = open.findLastIndex(node => node.tag === tag)
      if (depth > 0) open.length = depth
      continue
    }
    const node: RichNode = { tag, attributes: attributesOf(tag, attributes), children: [] }
    if (tag === 'img' && node.attributes.src === undefined) continue
    top().children.push(node)
    if (!emptyTags.has(tag) && open.length < 40) open.push(node)
  }
  return root
}

/** The words of a rich text, without its markup. */
export const wordsOf = (node: RichNode | string): string => (typeof node === 'string' ? node : node.children.map(wordsOf).join(''))
