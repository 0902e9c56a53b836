import { isSealedAnswer as isSealed } from '#contract/signup/answer-text.ts'
import type { FieldCipher } from '#kernel/crypto/field.ts'

/** Where the answers of one form live: the sign-up itself, or an autosave beside it. */
export interface VaultPlace {
  readonly tenantId: string
  readonly table: 'signup' | 'signup_draft'
  readonly rowId: string
}
interface SensitiveItem {
  readonly itemKey: string
  readonly sensitive: number
}

/** Answers of class 2 are sealed one by one, bound to their row and key, so that none can be moved (domain 3.3, P2). */
const sealedKeys = (items: readonly SensitiveItem[]): string[] => items.filter(item => item.sensitive === 2).map(item => item.itemKey)

export const sealContent = (
  cipher: FieldCipher,
  place: VaultPlace,
  items: readonly SensitiveItem[],
  content: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  // No answer has the shape of a sealed one; a draft is kept as it comes, and what only looks sealed could never be opened.
  const out: Record<string, unknown> = Object.fromEntries(Object.entries(content).filter(([, value]) => !isSealed(value)))
  for (const key of sealedKeys(items)) {
    if (out[key] === undefined || out[key] === null || out[key] === '') continue
    out[key] = {
      e: cipher
        .seal(place.tenantId, { table: place.table, column: `content.${key}`, rowId: place.rowId }, JSON.stringify(out[key]))
        .toString('base64'),
    }
  }
  return out
}

export const openContent = (cipher: FieldCipher, place: VaultPlace, content: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(content).map(([key, value]) => [
      key,
      isSealed(value)
        ? JSON.parse(
            cipher.open(
              place.tenantId,
              { table: place.table, column: `content.${key}`, rowId: place.rowId },
              Buffer.from(value.e, 'base64'),
            ),
          )
        : value,
    ]),
  )

/** Puts other answers in the place of those that are there, sealed where the former ones were; keys that the form does not have stay out. */
export const replaceAnswers = (
  cipher: FieldCipher,
  place: VaultPlace,
  content: Readonly<Record<string, unknown>>,
  answers: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const known = Object.entries(answers).filter(([key]) => key in content)
  const sealed = known.filter(([key]) => isSealed(content[key])).map(([itemKey]) => ({ itemKey, sensitive: 2 }))
  return { ...content, ...sealContent(cipher, place, sealed, Object.fromEntries(known)) }
}
