/**
 * Where the wrong tries at a door are counted. `account`: on the account, or in a row of their own for a browser that its owner is known by (ADR 0045, 0108).
 * `code`: on the code that was sent. Only the page that asked for it can try it, so whoever guesses uses up the own request and keeps nobody else out; how many
 * codes a number gets bounds the guesses over all browsers (ADR 0343).
 */
type Counter = 'account' | 'code'
interface DoorRule {
  /** What the login log says of a wrong proof: the reason of a refusal. */
  readonly wrong: string
  readonly counter: Counter
}

/** Every place where somebody proves something, under the name that the login log gives it (at most 30 characters). `prove` and `proveByCode` take no other. */
export const doors = {
  password: { wrong: 'auth/invalid-grant', counter: 'account' },
  own_password: { wrong: 'auth/wrong-password', counter: 'account' },
  unlock: { wrong: 'auth/wrong-password', counter: 'account' },
  server_console: { wrong: 'auth/wrong-password', counter: 'account' },
  second_factor: { wrong: 'auth/wrong-code', counter: 'account' },
  /** The id number of somebody who has given the right code already. */
  reset_password: { wrong: 'auth/not-yours', counter: 'account' },
  sms_code: { wrong: 'auth/invalid-sms-code', counter: 'code' },
} as const satisfies Readonly<Record<string, DoorRule>>
type DoorOf<C extends Counter> = { [K in keyof typeof doors]: (typeof doors)[K]['counter'] extends C ? K : never }[keyof typeof doors]
export type AccountDoor = DoorOf<'account'>
export type CodeDoor = DoorOf<'code'>
