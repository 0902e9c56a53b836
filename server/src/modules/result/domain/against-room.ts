import type { Label } from '#contract/kernel/label.ts'

/** What the room knows of somebody: there, absent, or a violation that was confirmed. */
export type Seen = 'there' | 'absent' | 'violation'

const [absent, disciplined] = [2, 3]

/** What the room says where a result says otherwise: no error by itself, but somebody has to look again. */
export const roomObjects = (resultState: number, seen: Seen | undefined): readonly Label[] => [
  ...(seen === 'absent' && resultState !== absent ? [{ zh: '考场登记为缺考', en: 'The room has this person as absent' }] : []),
  ...(seen !== undefined && seen !== 'absent' && resultState === absent
    ? [{ zh: '考场登记为到考', en: 'The room has this person as present' }]
    : []),
  ...(seen === 'violation' && resultState !== disciplined
    ? [{ zh: '考场违纪已认定', en: 'A violation of this person was confirmed' }]
    : []),
]
