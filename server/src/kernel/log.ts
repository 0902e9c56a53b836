import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import { currentTrace } from './trace.ts'

export type Log = Logger

/** An id number or a phone that a message of the database quotes from what somebody typed. */
const withoutNumbers = (text: string): string => text.replace(/\d{11,}X?/gi, '[hidden]')
const told = ['code', 'constraint', 'table', 'column', 'routine', 'syscall'] as const

/** What broke and where. A database names the whole failing row in `detail` and `where`, so those stay behind. */
const errorOf = (error: unknown): unknown => {
  if (!(error instanceof Error)) return typeof error === 'string' ? withoutNumbers(error) : error
  const { type, message, stack } = stdSerializers.err(error)
  const marks = Object.fromEntries(told.flatMap(key => (key in error ? [[key, (error as Error & Record<string, unknown>)[key]]] : [])))
  return { type, message: withoutNumbers(message), stack: withoutNumbers(stack), ...marks }
}

/** Structured logs on stderr. Only allow-listed fields are ever passed in: no body, token, id number, phone or file name. */
export const createLog = (level: string, destination?: DestinationStream): Log =>
  pino(
    {
      level,
      base: null,
      // Names, as every tool that reads logs knows them.
      formatters: { level: label => ({ level: label }) },
      mixin: () => {
        const traceId = currentTrace()
        return traceId === undefined ? {} : { traceId }
      },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: errorOf },
      redact: {
        paths: ['password', 'token', 'phone', 'idCard', 'authorization', '*.password', '*.token', '*.phone', '*.idCard'],
        censor: '[hidden]',
      },
    },
    destination ?? pino.destination(2),
  )

/** What a tap hears of a line: its level, its fields and its sentence. */
export type LogTap = (level: 'warn' | 'error', fields: Readonly<Record<string, unknown>>, message: string) => void

/** The same log, whose warnings and errors are heard elsewhere too, whatever level is written. */
export const tapLog = (log: Log, tap: LogTap): Log => {
  const tapped =
    (level: 'warn' | 'error') =>
    (fields: Readonly<Record<string, unknown>>, message = ''): void => {
      log[level](fields, message)
      tap(level, fields, message)
    }
  return Object.assign(Object.create(log) as Log, { warn: tapped('warn'), error: tapped('error') })
}
