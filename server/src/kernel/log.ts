import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** Structured logs on stderr. Only allow-listed fields are ever passed in: no body, token, id number, phone or file name. */
export const createLog = (level: string, destination?: DestinationStream): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: ['password', 'token', 'phone', 'idCard', 'authorization', '*.password', '*.token', '*.phone', '*.idCard'],
        censor: '[hidden]',
      },
    },
    destination ?? pino.destination(2),
  )
