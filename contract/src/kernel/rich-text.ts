/**
 * What rich text may hold (domain 3.1): the server keeps these tags when it stores, the browser draws no other. Everything else
 * becomes its text. A picture stands in it by its address here, where the noun has pictures: a stored text must not make a reader's browser
 * fetch anything from elsewhere.
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

/** Where pictures of rich texts are; the last part is the id of the file. */
export const richPictureBase = '/api/rich-text/picture/'
const richPicture = /^\/api\/rich-text\/picture\/(\d{1,19})$/
export const isRichPicture = (address: string): boolean => richPicture.test(address)

/** Ids of the files that a cleaned text shows, each once. */
export const picturesOf = (html: string): string[] => [
  ...new Set([...html.matchAll(/<img [^>]*?src="\/api\/rich-text\/picture\/(\d{1,19})"/g)].flatMap(([, id]) => id ?? [])),
]
