import { randomText } from '#kernel/random.ts'

/** No letter or digit that is read as another; 20 of them are 97 bits. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 4

/** A password for its own change only: shown once, never chosen by anybody. */
export const oneTimePassword = (): string => Array.from({ length: groups }, () => randomText(5, alphabet)).join('-')

/** Hours that it opens, where the tenant's parameter `account.oneTimeHours` does not say otherwise. */
export const oneTimeHours = 72
