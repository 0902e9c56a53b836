import { join } from 'node:path'
import type { Clock } from '#kernel/clock.ts'
import type { Hold } from '#kernel/hold.ts'
import { createOutbound } from '#kernel/outbound.ts'
import type { SmsGateway } from '#modules/message/index.ts'
import { createFileBook, createMemoryBook } from './sms-emulator/book.ts'
import { type SmsEmulator, startSmsEmulator } from './sms-emulator/emulator.ts'
import { demoAccounts } from './sms-emulator/registered.ts'

/** The providers of text messages of a demo or test: the emulator on a port of this machine. */
export interface DemoSms {
  readonly gateway: SmsGateway
  readonly emulator: () => Promise<SmsEmulator>
  close(): Promise<void>
}

/** Started on first use. What it has taken outlives a demo's process in `<data>/sms`; a test keeps it in memory. */
export const createDemoSms = (parts: {
  readonly hold: Hold
  readonly dataDir: string
  readonly clock: Clock
  readonly isManual: boolean
  /** Address of the installation: part of the texts that it has registered. */
  readonly site: string
}): DemoSms => {
  let running: Promise<SmsEmulator> | undefined
  let origin: string | undefined
  const start = (): Promise<SmsEmulator> => {
    running ??= startSmsEmulator({
      clock: parts.clock,
      book: parts.isManual ? createMemoryBook() : createFileBook(join(parts.dataDir, 'sms', 'book.jsonl')),
      accounts: demoAccounts(parts.site),
    }).then(started => {
      origin = started.url
      return started
    })
    return running
  }
  return {
    gateway: {
      outbound: createOutbound({
        hold: parts.hold,
        purpose: 'sms',
        allowedOrigins: [],
        localOrigins: () => (origin === undefined ? [] : [origin]),
      }),
      origin: async () => (await start()).url,
    },
    emulator: start,
    close: async () => {
      await (await running)?.close()
    },
  }
}
