import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** A message that the emulator has taken. */
export interface TakenSms {
  /** Its number here: `BizId` of one wire, `SerialNo` of the other. */
  readonly id: string
  readonly account: string
  readonly phone: string
  readonly templateId: string
  readonly content: string
  /** What the sender called it. */
  readonly reference: string
  readonly takenAt: Date
  /** Whether the phone will have it. */
  readonly isDelivered: boolean
}

export interface SmsBook {
  readonly add: (message: TakenSms) => void
  readonly all: () => readonly TakenSms[]
}

export const createMemoryBook = (): SmsBook => {
  const taken: TakenSms[] = []
  return { add: message => void taken.push(message), all: () => taken }
}

/** Lines of a file, which outlive the process and which several processes of a demo share: each appends whole lines and reads those of all. */
export const createFileBook = (path: string): SmsBook => {
  mkdirSync(dirname(path), { recursive: true })
  return {
    add: message => appendFileSync(path, `${JSON.stringify(message)}\n`),
    all: () =>
      existsSync(path)
        ? readFileSync(path, 'utf8')
            .split('\n')
            .filter(line => line.endsWith('}'))
            .map(line => {
              const message = JSON.parse(line) as TakenSms
              return { ...message, takenAt: new Date(message.takenAt) }
            })
        : [],
  }
}
