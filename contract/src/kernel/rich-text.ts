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

/** What a block may say of its look: where its lines stand, and that its first line stands in by two characters. */
export const richBlocks: ReadonlySet<string> = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'div', 'td', 'th', 'li'])
export const richAligns = ['center', 'right'] as const
export type RichLook = { readonly 'data-align'?: (typeof richAligns)[number]; readonly 'data-indent'?: '2' }

/** The look of a block out of its attributes, our own or those of a word processor; styles themselves are not kept. */
export const richLookOf = (attributes: Readonly<Record<string, string | undefined>>): RichLook => {
  const style = attributes['style'] ?? ''
  const wanted = attributes['data-align'] ?? /text-align\s?:\s?([a-z]{1,10})/i.exec(style)?.[1] ?? attributes['align']
  const align = richAligns.find(each => each === wanted?.toLowerCase())
  const indent = /text-indent\s?:\s?([\d.]{1,10})(?:pt|px|em|cm|mm|in)/i.exec(style)?.[1]
  return {
    ...(align === undefined ? {} : { 'data-align': align }),
    ...(attributes['data-indent'] === '2' || Number(indent ?? 0) > 0 ? { 'data-indent': '2' } : {}),
  }
}

const conditional = /(?:<|&lt;)!(?:--)?\[(?:if[^\]<>]{0,80}|endif)\](?:--)?(?:>|&gt;)/gi
const markerOfList =
  /(?:<|&lt;)!(?:--)?\[if !supportLists\](?:--)?(?:>|&gt;)((?:(?!(?:<|&lt;)!(?:--)?\[)[\s\S]){0,2000})(?:<|&lt;)!(?:--)?\[endif\](?:--)?(?:>|&gt;)/gi
const listItem = /<p\b[^<>]{0,2000}mso-list\s?:\s?l\d[^<>]{0,2000}>((?:(?!<\/?p\b)[\s\S]){0,50000})<\/p>/gi
const wordsOf = (html: string): string => html.replace(/<[^<>]{0,2000}>|&nbsp;|\s/g, '')

interface OfficeItem {
  readonly at: number
  readonly end: number
  readonly marker: string
  readonly text: string
}
/** Neighbouring paragraphs with marks of one kind are a list; numbers that begin elsewhere, or are written otherwise, stay as they are written. */
const listOf = (items: readonly OfficeItem[]): string => {
  const tag = items.every(({ marker }) => !/[\d一-鿿]|^\w\W/.test(marker))
    ? 'ul'
    : items.every(({ marker }, index) => marker === `${index + 1}.`)
      ? 'ol'
      : undefined
  return tag === undefined
    ? items.map(({ marker, text }) => `<p>${marker}${/\w$/.test(marker) ? ' ' : ''}${text}</p>`).join('')
    : `<${tag}>${items.map(({ text }) => `<li>${text}</li>`).join('')}</${tag}>`
}

/**
 * What a word processor writes for itself: paragraphs of its lists become lists, its conditional comments go, also where an earlier cleaning has kept
 * them as text.
 */
export const tidyOffice = (html: string): string => {
  const groups: OfficeItem[][] = []
  for (const match of html.matchAll(listItem)) {
    const inner = match[1] ?? ''
    const marker = [...inner.matchAll(markerOfList)].map(([, words = '']) => wordsOf(words)).join('')
    if (marker === '') continue
    const item = { at: match.index, end: match.index + match[0].length, marker, text: inner.replace(markerOfList, '').trim() }
    const last = groups.at(-1)
    if (last && html.slice(last.at(-1)?.end, item.at).trim() === '') last.push(item)
    else groups.push([item])
  }
  let tidied = ''
  let from = 0
  for (const items of groups) {
    tidied += html.slice(from, items[0]?.at) + listOf(items)
    from = items.at(-1)?.end ?? from
  }
  return (tidied + html.slice(from)).replace(conditional, '')
}
