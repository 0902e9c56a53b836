import type { OpenRoom } from './sittings.ts'

/** The address of the room to practise in, and what its marks are kept under: no room of an examination is named so. */
export const practiceKey = 'practice'

const seats = ['01', '02', '03', '04', '05', '06'] as const
/** Who came to the wrong door. */
const strayed = '07'

/** What the room to practise in is called and who sits there, in the reader's language. */
export interface PracticeWords {
  readonly site: string
  readonly paper: string
  readonly person: (seatNo: string) => string
  readonly clause: string
}

const room = (words: PracticeWords, key: string, roomNo: string, people: readonly string[]): OpenRoom => ({
  key,
  pack: {
    ...{ examId: '', examName: words.paper, itemId: '', itemName: words.paper, siteCode: '00', siteName: words.site },
    // It has no time: one practises at any.
    ...{ startTime: '', endTime: '', lateMinutes: 0, roomNo, roomName: '' },
    ...{ userId: '', issuedAt: 0, expiresAt: 0, voidCodes: [], clauses: [{ code: practiceKey, zh: words.clause, en: words.clause }] },
    people: people.map(seatNo => ({
      ...{ ticketId: `${practiceKey}-${seatNo}`, ticketNo: `9900000000${seatNo}`, name: words.person(seatNo), seatNo },
      ...{ idCardMask: '—', code: '', photo: '', help: seatNo === '06' ? ['time'] : [], extraMinutes: seatNo === '06' ? 30 : 0 },
    })),
  },
})

/** A room of nobody: its people are made up on the device, so the registration can be tried on any day, without a network and without anybody's data. */
export const practiceRoom = (words: PracticeWords): OpenRoom => room(words, practiceKey, '000', seats)
/** The room next door, with somebody to look for in vain. */
export const practiceBeside = (words: PracticeWords): OpenRoom => room(words, `${practiceKey}-beside`, '001', [strayed])
