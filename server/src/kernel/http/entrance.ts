import type { FastifyReply } from 'fastify'
import { refuse } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import { waitText } from '#contract/kernel/wait-text.ts'
import type { Account, Cookie, Entrance, Waiting } from '../admission/gate.ts'

const pair = /^\s*([^=;\s]+)=([^;]*?)\s*$/

/** The cookies of a header by name; the first of several. */
export const cookiesIn = (header: string | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (header ?? '')
      .split(';')
      .map(text => pair.exec(text))
      .flatMap(found => (found === null ? [] : [[found[1] ?? '', found[2] ?? ''] as const]))
      .reverse(),
  )

/** What the gate looks at, from the headers of a call. */
export const entranceOf = (headers: Readonly<Record<string, string | readonly string[] | undefined>>, session?: Account): Entrance => {
  const text = (name: string): string | undefined => {
    const value = headers[name]
    return typeof value === 'string' ? value : value?.[0]
  }
  return { cookies: cookiesIn(text('cookie')), userAgent: text('user-agent') ?? '', session }
}

export const setPlaceCookies = (reply: FastifyReply, cookies: readonly Cookie[], isSecure: boolean): void => {
  for (const { name, value, maxAgeSeconds } of cookies)
    reply.header('Set-Cookie', `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${isSecure ? '; Secure' : ''}`)
}

/** What a call that has to wait is answered. */
export const waitingRefusal = ({ standing }: Waiting): Refusal => {
  const { position, waitSeconds, askAgainMs } = standing
  const wait: Label = { zh: waitText(waitSeconds, 'zh'), en: waitText(waitSeconds, 'en') }
  return refuse(
    'kernel/waiting-room',
    { ahead: position - 1, wait },
    { data: { position, waitSeconds: waitSeconds ?? null, askAgainMs }, retryAfterSeconds: Math.ceil(askAgainMs / 1_000) },
  )
}
