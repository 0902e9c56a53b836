import { useMemo } from 'react'
import { RowDialog } from '#web/resource/row-dialog.tsx'
import { examInputs, scopedTo } from '#web/resource/within.tsx'
import { resourceAt } from '../resource-at.ts'
import { chargedFor } from '../scoped.tsx'
import { useAskFreePost } from './ask-free-post.ts'
import { conditionInputs } from './conditions.tsx'
import { byPost, postForm } from './post-form.ts'
import { unitInputs } from './unit-input.tsx'

/** A post that is typed: what it cannot do without first, its conditions and the rest on pages of their own. */
export const NewPost = ({
  examId,
  feeMode,
  onClose,
}: {
  readonly examId: string
  readonly feeMode: number | undefined
  readonly onClose: () => void
}) => {
  const resource = useMemo(
    () => postForm(chargedFor(scopedTo(resourceAt('/exam/typeCode'), examId), feeMode === byPost), 'add'),
    [examId, feeMode],
  )
  const inputs = useMemo(() => ({ ...examInputs, ...unitInputs, ...conditionInputs(examId) }), [examId])
  const ask = useAskFreePost(feeMode)
  return <RowDialog resource={resource} opened={{ kind: 'add' }} inputs={inputs} beforeSave={ask} onClose={onClose} />
}
