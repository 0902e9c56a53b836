const KEPT = new Set(['p', 'br', 'h3', 'h4', 'ul', 'ol', 'li', 'strong', 'em'])
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" }

const escapeHtml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
const decode = (text: string): string => text.replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_whole, name: string) => ENTITIES[name] ?? '')

/**
 * The notice as it is stored: paragraphs, headings, lists and emphasis without attributes; everything else keeps its text only.
 * Plain text becomes paragraphs, a line each.
 */
export const cleanNotice = (content: string): string => {
  if (!/<[a-z/!]/i.test(content))
    return content
      .split(/\r?\n/)
      .map(line => line.trim())
      .filter(line => line !== '')
      .map(line => `<p>${escapeHtml(decode(line))}</p>`)
      .join('')
  const visible = content
    .replace(/<(script|style|iframe|object|template|svg|math)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, '')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
  return visible
    .split(/(<\/?[a-z][^<>]*>)/i)
    .map(piece => {
      const tag = /^<(\/?)([a-z][a-z0-9]*)\b[^<>]*>$/i.exec(piece)
      if (!tag) return escapeHtml(decode(piece))
      const name = (tag[2] ?? '').toLowerCase()
      return KEPT.has(name) ? `<${tag[1]}${name}>` : ''
    })
    .join('')
}

/** The paragraphs of a stored notice as plain text, for paper. */
export const noticeParagraphs = (content: string): string[] =>
  decode(
    content
      .replace(/<li>/g, '\n· ')
      .replace(/<br>|<\/?(?:p|h3|h4|ul|ol|li)>/g, '\n')
      .replace(/<\/?(?:strong|em)>/g, ''),
  )
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
