/** Windows are half-open: what arrives at the closing instant is late (domain 0). A side that is not set does not limit. */
export const isWithin = (now: Date, from: Date | null, to: Date | null): boolean =>
  (from === null || now >= from) && (to === null || now < to)

/** Until when a returned sign-up may be mended: the examination's day for it, or what this person was given beyond that. */
export const correctionsEnd = (
  exam: { readonly signEnd: Date | null; readonly modifyEnd: Date | null },
  extendUntil: Date | null | undefined,
): Date | null => {
  const end = exam.modifyEnd ?? exam.signEnd
  return end && extendUntil && extendUntil > end ? extendUntil : end
}
