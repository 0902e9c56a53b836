import type { Schema } from '@tiptap/pm/model'
import { DOMParser } from '@tiptap/pm/model'
import { parseRich, type RichNode } from '../kernel/rich-html.ts'

const build = (node: RichNode | string): Node => {
  if (typeof node === 'string') return document.createTextNode(node)
  const element = document.createElement(node.tag === 'root' ? 'div' : node.tag)
  for (const [name, value] of Object.entries(node.attributes)) element.setAttribute(name.toLowerCase(), value)
  element.append(...node.children.map(build))
  return element
}

/** An HTML text as a document of the editor, read by our own reader: the browser is never given markup to interpret. */
export const documentOf = (schema: Schema, html: string) =>
  DOMParser.fromSchema(schema)
    .parse(build(parseRich(html)))
    .toJSON()
