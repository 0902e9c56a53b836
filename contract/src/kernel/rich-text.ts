/**
 * What rich text may hold (domain 3.1): the server keeps these tags when it stores, the browser draws no other. Everything else
 * becomes its text. Pictures are not among them: a stored text must not make a reader's browser fetch anything.
 */
export const richTags = [
  ...['p', 'br', 'h1', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'blockquote', 'hr', 'div', 'span'],
  ...['strong', 'b', 'em', 'i', 'u', 's'],
  ...['table', 'thead', 'tbody', 'tr', 'td', 'th', 'a'],
] as const

/** Where a link may lead: a page of our own, or these. */
export const richLinkSchemes = ['http', 'https', 'mailto', 'tel'] as const

export const isRichLink = (address: string): boolean =>
  /^\/(?![/\\])/.test(address) || richLinkSchemes.some(scheme => address.toLowerCase().startsWith(`${scheme}:`))
