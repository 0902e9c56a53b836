import { isApiError } from '#web/kernel/api-error.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { Callout } from '../kit/page-ui.tsx'
import { Link } from '../kit/router.tsx'
import { appealTexts } from './appeal-texts.ts'

export interface Refused {
  readonly message: string
  readonly link: string
}

/** A refusal because somebody else has the number (`data.appeal`); null for every other failure. */
export const appealOf = (error: unknown): Refused | null => {
  if (!isApiError(error) || typeof error.data !== 'object' || error.data === null) return null
  const place = (error.data as { appeal?: { link?: unknown } }).appeal
  return typeof place?.link === 'string' ? { message: error.message, link: place.link } : null
}

/** What was said, and the way to say that the number is one's own. */
export const AppealNote = ({ refused }: { readonly refused: Refused }) => {
  const t = useT(appealTexts)
  return (
    <Callout tone="danger" live>
      <strong>{refused.message}</strong>
      <p>
        <Link href={refused.link}>{t('appeal.go')}</Link>
      </p>
    </Callout>
  )
}
