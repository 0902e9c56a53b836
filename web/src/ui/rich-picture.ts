import { Node } from '@tiptap/core'
import { isRichPicture } from '#contract/kernel/rich-text.ts'

/** A picture that the server keeps; others are no part of a text. */
export const RichPicture = Node.create({
  name: 'picture',
  group: 'block',
  draggable: true,
  addAttributes: () => ({ src: { default: null }, alt: { default: '' } }),
  parseHTML: () => [
    {
      tag: 'img[src]',
      getAttrs: element => (isRichPicture(element.getAttribute('src') ?? '') ? null : false),
    },
  ],
  renderHTML: ({ HTMLAttributes }) => ['img', HTMLAttributes],
})

const sources = /<img\b[^>]*?\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))[^>]*>/gi
const dataPicture = /^data:(image\/(?:png|jpeg));base64,([\w+/=\s]+)$/i

const fileOf = (address: string, index: number): File | undefined => {
  const [, type = '', text = ''] = dataPicture.exec(address) ?? []
  if (type === '') return undefined
  const bytes = Uint8Array.from(atob(text.replace(/\s/g, '')), char => char.charCodeAt(0))
  return new File([bytes], `picture-${index + 1}.${type.endsWith('png') ? 'png' : 'jpg'}`, { type })
}

/**
 * What was pasted, its pictures kept by the server where they came along. A word processor often names files of its own disk instead, which no browser
 * may read: they are counted, so that somebody can insert them.
 */
export const withKeptPictures = async (
  html: string,
  keep: (file: File) => Promise<string>,
): Promise<{ readonly html: string; readonly lost: number }> => {
  let lost = 0
  let kept = html
  for (const [index, match] of [...html.matchAll(sources)].entries()) {
    const address = match[1] ?? match[2] ?? match[3] ?? ''
    if (isRichPicture(address)) continue
    const file = fileOf(address, index)
    const own = file && (await keep(file).catch(() => undefined))
    if (own === undefined) lost += 1
    kept = kept.replace(match[0], () => (own === undefined ? '' : `<img src="${own}" alt="">`))
  }
  return { html: kept, lost }
}
