import type { OpenRoom } from './sittings.ts'

/** The address of the room to practise in, and what its marks are kept under: no room of an examination is named so. */
export const practiceKey = 'practice'

const seats = ['01', '02', '03', '04', '05', '06'] as const

/** What the room to practise in is called and who sits there, in the reader's language. */
export interface PracticeWords {
  readonly site: string
  readonly paper: string
  readonly person: (seatNo: string) => string
}

/** A room of nobody: its people are made up on the device, so the registration can be tried on any day, without a network and without anybody's data. */
export const practiceRoom = (words: PracticeWords): OpenRoom => ({
  key: practiceKey,
  pack: {
    ...{ examId: '', examName: words.paper, itemId: '', itemName: words.paper, siteCode: '00', siteName: words.site },
    // It has no time: one practises at any.
    ...{ startTime: '', endTime: '', lateMinutes: 0, roomNo: '000', roomName: '' },
    ...{ userId: '', issuedAt: 0, expiresAt: 0, voidCodes: [], clauses: [] },
    people: seats.map(seatNo => ({
      ...{ ticketId: `${practiceKey}-${seatNo}`, ticketNo: `9900000000${seatNo}`, name: words.person(seatNo), seatNo },
      ...{ idCardMask: '—', code: '', photo: '', help: seatNo === '06' ? ['time'] : [], extraMinutes: seatNo === '06' ? 30 : 0 },
    })),
  },
})
