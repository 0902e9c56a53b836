import { createElement, Fragment, type ReactNode } from 'react'

/**
 * Shows the rich text that the server has cleaned, without handing markup to the browser: a small reader turns the allowed tags
 * into elements and everything else into its text. Nothing here can run a script, and Trusted Types stay on.
 */
const allowed: Readonly<Record<string, true>> = {
  p: true,
  br: true,
  h1: true,
  h2: true,
  h3: true,
  h4: true,
  ul: true,
  ol: true,
  li: true,
  strong: true,
  b: true,
  em: true,
  i: true,
  u: true,
  table: true,
  thead: true,
  tbody: true,
  tr: true,
  td: true,
  th: true,
  a: true,
  img: true,
  blockquote: true,
  hr: true,
  span: true,
  div: true,
}
const empty = new Set(['br', 'hr', 'img'])
const dropped = new Set(['script', 'style', 'title', 'iframe', 'object', 'svg', 'math', 'template', 'noscript', 'textarea'])
/** A page has its own h1. */
const lowered: Readonly<Record<string, string>> = { h1: 'h3', h2: 'h3', h3: 'h4', b: 'strong', i: 'em' }
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

const safeAddress = (address: string, images: boolean): boolean =>
  /^\/(?!\/)/.test(address) || (!images && /^(https?:\/\/|mailto:|tel:)/i.test(address))

/** Only link targets and picture addresses of our own server survive. */
const attributesOf = (tag: string, source: string): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {}
  for (const [, name = '', , double, single, bare] of source.matchAll(/([a-z-]+)\s*(=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/gi)) {
    const value = decode(double ?? single ?? bare ?? '').trim()
    const key = name.toLowerCase()
    if (tag === 'a' && key === 'href' && safeAddress(value, false)) found.href = value
    if (tag === 'img' && key === 'src' && safeAddress(value, true)) found.src = value
    if (tag === 'img' && key === 'alt') found.alt = value
    if ((tag === 'td' || tag === 'th') && (key === 'colspan' || key === 'rowspan') && /^\d{1,2}$/.test(value))
      found[key === 'colspan' ? 'colSpan' : 'rowSpan'] = value
  }
  return found
}

export const parseRich = (html: string): RichNode => {
  const root: RichNode = { tag: 'root', attributes: {}, children: [] }
  const open: RichNode[] = [root]
  const top = (): RichNode => open[open.length - 1] ?? root
  let skipping: string | null = null
  for (const [whole, closing, rawTag, attributes = ''] of html.matchAll(
    /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-z][a-z0-9]*)((?:"[^"]*"|'[^']*'|[^>"'])*)>|[^<]+|</gi,
  )) {
    const tag = rawTag?.toLowerCase()
    if (skipping !== null) {
      if (tag === skipping && closing === '/') skipping = null
      continue
    }
    if (tag === undefined) {
      if (!whole.startsWith('<!--')) top().children.push(decode(whole))
      continue
    }
    if (dropped.has(tag)) {
      if (closing !== '/') skipping = tag
      continue
    }
    if (!allowed[tag]) continue
    if (closing === '/') {
      const depth = open.findLastIndex(node => node.tag === tag)
      if (depth > 0) open.length = depth
      continue
    }
    const node: RichNode = { tag, attributes: attributesOf(tag, attributes), children: [] }
    top().children.push(node)
    if (!empty.has(tag) && open.length < 40) open.push(node)
  }
  return root
}

const draw = (node: RichNode | string, key: number): ReactNode => {
  if (typeof node === 'string') return node
  if (node.tag === 'img' && node.attributes.src === undefined) return null
  const children = node.children.map(draw)
  if (node.tag === 'root') return <Fragment key={key}>{children}</Fragment>
  const outside = node.tag === 'a' && !node.attributes.href?.startsWith('/')
  const element = createElement(
    lowered[node.tag] ?? node.tag,
    {
      key,
      ...(node.tag === 'img' ? { alt: '', loading: 'lazy' } : {}),
      ...node.attributes,
      ...(outside ? { rel: 'noreferrer', target: '_blank' } : {}),
    },
    ...(empty.has(node.tag) ? [] : children),
  )
  return node.tag === 'table' ? (
    <div key={key} className="p-rich-table">
      {element}
    </div>
  ) : (
    element
  )
}

export const RichText = ({ html }: { readonly html: string }) => <div className="p-rich">{draw(parseRich(html), 0)}</div>
