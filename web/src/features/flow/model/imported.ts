let kept = ''

/** A file that was chosen in one window and is opened in the next page. */
export const keepImported = (xml: string): void => {
  kept = xml
}
export const takeImported = (): string => kept
