/** Good enough to send to: one address, no display name, no list. */
export const isEmail = (text: string): boolean => /^[^\s@<>"',;]+@[^\s@<>"',;]+\.[^\s@<>"',;.]+$/.test(text)
