const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** The words of a stored rich text, without its markup. */
export const plainText = (html: string): string =>
  html
    .replace(/<[^>]*>?/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim()

/** How it begins, for lists and for search engines. */
export const summaryOf = (html: string, length = 120): string => {
  // Cells of a table in one line say nothing.
  const chars = [...plainText(html.replace(/<table[\s\S]*?(?:<\/table>|$)/g, ' '))]
  return chars.length <= length ? chars.join('') : `${chars.slice(0, length).join('')}…`
}
