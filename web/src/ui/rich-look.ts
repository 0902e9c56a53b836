import { Extension } from '@tiptap/core'
import { richLookOf } from '#contract/kernel/rich-text.ts'

const blocks = ['paragraph', 'heading', 'tableCell', 'tableHeader']
const marked = (name: 'data-align' | 'data-indent') => ({
  default: null,
  parseHTML: (element: HTMLElement) =>
    richLookOf(Object.fromEntries([...element.attributes].map(attribute => [attribute.name, attribute.value])))[name] ?? null,
  renderHTML: (attributes: Record<string, unknown>) => (attributes[name] == null ? {} : { [name]: attributes[name] }),
})

/** Where the lines of a block stand, kept as marks of our own instead of styles. */
export const RichLook = Extension.create({
  name: 'look',
  addGlobalAttributes: () => [{ types: blocks, attributes: { 'data-align': marked('data-align'), 'data-indent': marked('data-indent') } }],
})
