/** Zero-width space, marks of direction and the byte order mark: they hide or turn round what stands beside them. Joiners stay, scripts need them. */
const unseen = /[\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g

/** Text without what cannot be seen: it comes along with copied text, and two names that look the same would differ. */
export const withoutUnseen = (text: string): string => text.replace(unseen, '')
