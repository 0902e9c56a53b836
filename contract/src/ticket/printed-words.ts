import type { Label } from '../kernel/label.ts'

/** What can be printed, in words. */
export const layoutWords: Readonly<Record<string, Label>> = {
  ticket: { zh: '准考证', en: 'Tickets' },
  desk: { zh: '桌贴', en: 'Desk labels' },
  door: { zh: '门贴', en: 'Door sheets' },
  sign: { zh: '签到表', en: 'Signature sheets' },
  photo: { zh: '照片对照表', en: 'Photo lists' },
}

/** What a line of the trail about a printing keeps of it. */
export interface Printed {
  readonly layout: string | null
  /** Name of the paper that was asked for; null for all. */
  readonly paper: string | null
  readonly roomNo: string | null
  readonly people: number | null
}

/** `门贴 · 护理学专业知识 · 第 001 考场 · 28 人` */
export const printedWords = ({ layout, paper, roomNo, people }: Printed): Label => {
  const kind = Object.hasOwn(layoutWords, layout ?? 'ticket') ? layoutWords[layout ?? 'ticket'] : undefined
  const said = (parts: readonly (string | null | false)[]): string =>
    parts.filter(part => part !== null && part !== false && part !== '').join(' · ')
  return {
    zh: said([kind?.zh ?? layout, paper, roomNo !== null && `第 ${roomNo} 考场`, people !== null && `${people} 人`]),
    en: said([
      kind?.en ?? layout,
      paper,
      roomNo !== null && `room ${roomNo}`,
      people !== null && `${people} ${people === 1 ? 'person' : 'people'}`,
    ]),
  }
}
