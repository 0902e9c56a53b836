/** What is known of a file that a call names. */
export interface NamedFile {
  readonly userId: string
  readonly purpose: string
  readonly ext: string
  readonly ownerKind: string | null
  readonly ownerId: string | null
}

interface Use {
  /** What a file of this use belongs to once it is taken. */
  readonly owner: string
  /** What it was uploaded for. */
  readonly purposes: readonly string[]
  /** Shown as a picture. */
  readonly isPicture?: true
}

/** Every use that a field of a call may name an uploaded file for. */
export const fileUses = {
  avatar: { owner: 'account', purposes: ['avatar', 'image'], isPicture: true },
  examCover: { owner: 'exam-cover', purposes: ['image'], isPicture: true },
  formSample: { owner: 'sample', purposes: ['document', 'image', 'workbook'] },
  signature: { owner: 'signup', purposes: ['image'], isPicture: true },
  answerPicture: { owner: 'signup', purposes: ['image'], isPicture: true },
  signupFile: { owner: 'signup', purposes: ['photo', 'document', 'image'] },
  changeProof: { owner: 'verified-change', purposes: ['document', 'image', 'photo'] },
  cutApproval: { owner: 'post-reduction', purposes: ['document', 'image'] },
  notice: { owner: 'notice', purposes: ['document', 'image', 'workbook'] },
  news: { owner: 'news', purposes: ['document', 'image'] },
  attachment: { owner: 'attach', purposes: ['attach', 'document', 'image', 'workbook', 'avatar'] },
} as const satisfies Readonly<Record<string, Use>>
export type FileUse = keyof typeof fileUses

const pictures: readonly string[] = ['jpg', 'png']

/**
 * Whether somebody may name this file for a use: they have uploaded it for that, and nothing else has taken it. The pictures of an account, as an identity
 * card, are taken by the account.
 *
 * @param of - the caller, and what the file may belong to already; without an id anything of that kind of theirs
 */
export const isFor = (
  use: FileUse,
  file: NamedFile | undefined,
  of: { readonly userId: string | undefined; readonly ownerId?: string | undefined },
): boolean => {
  if (file === undefined || file.userId !== of.userId) return false
  const { owner, purposes, isPicture }: Use = fileUses[use]
  if (!purposes.includes(file.purpose) || (isPicture && !pictures.includes(file.ext))) return false
  if (file.ownerKind === null) return true
  if (use === 'avatar' && file.purpose !== 'avatar') return false
  return file.ownerKind === owner && (of.ownerId === undefined || file.ownerId === of.ownerId)
}
