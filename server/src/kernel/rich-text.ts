import type sanitize from 'sanitize-html'
import {
  isRichLink,
  isRichPicture,
  richAligns,
  richBlocks,
  richLinkSchemes,
  richLookOf,
  richTags,
  tidyOffice,
} from '#contract/kernel/rich-text.ts'
import { lazily } from './lazy.ts'

const sanitizer = lazily<typeof sanitize>('sanitize-html')

const look = [
  { name: 'data-align', values: [...richAligns] },
  { name: 'data-indent', values: ['2'] },
]
const cell = ['colspan', 'rowspan']
/** What office programs put into a text for themselves, read by nobody. */
const unread = ['script', 'style', 'textarea', 'option', 'xml', 'title', 'template']

/**
 * The part of an HTML text that may be stored (security 3.3: cleaned on write and, by the reader's browser, on read): the tags of
 * the contract without style, class or handlers, blocks with where their lines stand; the texts of all other tags stay, those of scripts and styles go.
 *
 * @param pictures whether the text may show pictures that are kept here
 */
export const cleanRichText = (html: string, { pictures = false }: { readonly pictures?: boolean } = {}): string =>
  sanitizer()(tidyOffice(html), {
    allowedTags: pictures ? [...richTags, 'img'] : [...richTags],
    allowedAttributes: {
      ...Object.fromEntries([...richBlocks].map(tag => [tag, look])),
      a: ['href', 'rel', 'target'],
      td: [...cell, ...look],
      th: [...cell, ...look],
      img: ['src', 'alt'],
    },
    nonTextTags: unread,
    allowedSchemes: [...richLinkSchemes],
    allowProtocolRelative: false,
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !isRichPicture(attribs['src'] ?? ''),
    transformTags: {
      '*': (tagName, { style, align, 'data-align': wanted, 'data-indent': indent, ...attribs }) => ({
        tagName,
        attribs: {
          ...attribs,
          ...richLookOf({ style, align, 'data-align': wanted, 'data-indent': indent }),
        },
      }),
      a: (tagName, { href = '' }) => ({
        tagName,
        attribs: isRichLink(href.trim())
          ? { href: href.trim(), ...(href.trim().startsWith('/') ? {} : { rel: 'noopener noreferrer', target: '_blank' }) }
          : ({} as Record<string, string>),
      }),
    },
  }).trim()
