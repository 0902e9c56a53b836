import type sanitize from 'sanitize-html'
import { isRichLink, isRichPicture, richLinkSchemes, richTags } from '#contract/kernel/rich-text.ts'
import { lazily } from './lazy.ts'

const sanitizer = lazily<typeof sanitize>('sanitize-html')

const cell = ['colspan', 'rowspan']
/** What office programs put into a text for themselves, read by nobody. */
const unread = ['script', 'style', 'textarea', 'option', 'xml', 'title', 'template']

/**
 * The part of an HTML text that may be stored (security 3.3: cleaned on write and, by the reader's browser, on read): the tags of
 * the contract without style, class or handlers; the texts of all other tags stay, those of scripts and styles go.
 *
 * @param pictures whether the text may show pictures that are kept here
 */
export const cleanRichText = (html: string, { pictures = false }: { readonly pictures?: boolean } = {}): string =>
  sanitizer()(html, {
    allowedTags: pictures ? [...richTags, 'img'] : [...richTags],
    allowedAttributes: { a: ['href', 'rel', 'target'], td: cell, th: cell, img: ['src', 'alt'] },
    nonTextTags: unread,
    allowedSchemes: [...richLinkSchemes],
    allowProtocolRelative: false,
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !isRichPicture(attribs['src'] ?? ''),
    transformTags: {
      a: (tagName, { href = '' }) => ({
        tagName,
        attribs: isRichLink(href.trim())
          ? { href: href.trim(), ...(href.trim().startsWith('/') ? {} : { rel: 'noopener noreferrer', target: '_blank' }) }
          : ({} as Record<string, string>),
      }),
    },
  }).trim()
