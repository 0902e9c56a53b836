import type sanitize from 'sanitize-html'
import { isRichLink, richLinkSchemes, richTags } from '#contract/kernel/rich-text.ts'
import { lazily } from './lazy.ts'

const sanitizer = lazily<typeof sanitize>('sanitize-html')

const cell = ['colspan', 'rowspan']

/**
 * The part of an HTML text that may be stored (security 3.3: cleaned on write and, by the reader's browser, on read): the tags of
 * the contract without style, class or handlers; the texts of all other tags stay, those of scripts and styles go.
 */
export const cleanRichText = (html: string): string =>
  sanitizer()(html, {
    allowedTags: [...richTags],
    allowedAttributes: { a: ['href', 'rel', 'target'], td: cell, th: cell },
    allowedSchemes: [...richLinkSchemes],
    allowProtocolRelative: false,
    transformTags: {
      a: (tagName, { href = '' }) => ({
        tagName,
        attribs: isRichLink(href.trim())
          ? { href: href.trim(), ...(href.trim().startsWith('/') ? {} : { rel: 'noopener noreferrer', target: '_blank' }) }
          : ({} as Record<string, string>),
      }),
    },
  }).trim()
