import { jpegEndings, kindOfName } from '#contract/kernel/picture-name.ts'

const mimes: Readonly<Record<string, string>> = { jpg: 'image/jpeg', png: 'image/png', pdf: 'application/pdf', webp: 'image/webp' }
const heic = ['.heic', '.heif', 'image/heic', 'image/heif']

/** Phones of Apple turn their own format into JPEG by themselves, as long as the page does not ask for it. */
const turnsHeicItself = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

/**
 * For the file input. Media types let a phone offer its camera, endings those files that no program gives a type; a HEIC picture can be
 * chosen and is turned here, or said to be one, instead of lying greyed out.
 */
export const acceptOf = (types: readonly string[]): string => {
  const kinds = new Set(types.map(type => kindOfName(`x.${type}`) ?? type))
  const own = [...kinds].flatMap(kind => {
    const mime = mimes[kind]
    return [...(kind === 'jpg' ? jpegEndings : [kind]).map(ending => `.${ending}`), ...(mime === undefined ? [] : [mime])]
  })
  return [...own, ...(kinds.has('jpg') && !turnsHeicItself() ? heic : [])].join(',')
}

/** What a file of a type may be called; `jpeg` and the like are `jpg`. */
export const isOfKind = (name: string, types: readonly string[]): boolean => {
  const kind = kindOfName(name)
  return kind !== undefined && types.some(type => (kindOfName(`x.${type}`) ?? type) === kind)
}
