import { createElement, Fragment, type ReactNode } from 'react'
import { emptyTags, parseRich, type RichNode, wordsOf } from './rich-html.ts'
import { readStored } from './storage.ts'
import './rich-text.css'

/** A picture is asked for without headers: the tenant of whoever is not logged in stands in its address. */
export const pictureOf = (address: string): string => {
  const tenant = readStored<string>('tenant')
  return tenant ? `${address}?tenantId=${encodeURIComponent(tenant)}` : address
}

/** A page has its own h1. */
const lowered: Readonly<Record<string, string>> = { h1: 'h3', h2: 'h3', h3: 'h4', b: 'strong', i: 'em' }

/** Numbers, codes and names of people: broken over lines they are misread. */
const isShort = (node: RichNode): boolean => {
  const words = wordsOf(node).trim()
  return /^[\d\w.*%:/+-]{1,24}$/.test(words) || words.length <= 4
}

const draw = (node: RichNode | string, key: number): ReactNode => {
  if (typeof node === 'string') return node
  const children = node.children.map(draw)
  if (node.tag === 'root') return <Fragment key={key}>{children}</Fragment>
  const outside = node.tag === 'a' && !node.attributes.href?.startsWith('/')
  const element = createElement(
    lowered[node.tag] ?? node.tag,
    {
      key,
      ...node.attributes,
      ...((node.tag === 'td' || node.tag === 'th') && isShort(node) ? { className: 'is-short' } : {}),
      ...(node.tag === 'img' ? { src: pictureOf(node.attributes.src ?? ''), alt: node.attributes.alt ?? '', loading: 'lazy' } : {}),
      ...(outside ? { rel: 'noreferrer', target: '_blank' } : {}),
    },
    ...(emptyTags.has(node.tag) ? [] : children),
  )
  return node.tag === 'table' ? (
    <div key={key} className="rich-table">
      {element}
    </div>
  ) : (
    element
  )
}

/** A stored rich text as its readers see it, in the portal and in the console alike. */
export const RichText = ({ html }: { readonly html: string }) => <div className="rich-read">{draw(parseRich(html), 0)}</div>
