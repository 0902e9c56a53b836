import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { lazyPart } from '#web/kernel/lazy-part.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Loaded, PageSkeleton } from '#web/ui/states.tsx'
import { workTexts } from './texts.ts'

const FlowCanvas = lazyPart(async () => (await import('#web/shell/flow/canvas.tsx')).FlowCanvas)

/** How a process goes, before it is started. */
export const ImageDialog = ({
  processDefinitionId,
  name,
  onClose,
}: {
  readonly processDefinitionId: string
  readonly name: string
  readonly onClose: () => void
}) => {
  const t = useT(workTexts)
  const [broken, setBroken] = useState(false)
  const view = useQuery({
    queryKey: ['flow-definition-view', processDefinitionId],
    queryFn: () => api.call('GET /blade-flow/process/model-view', { processDefinitionId }, { quiet: true }),
  })
  return (
    <ActionDialog title={name} size="three" onClose={onClose}>
      <Loaded query={view} skeletonRows={4}>
        {({ xml }) =>
          broken ? (
            <p className="field-error" role="alert">
              {t('progress.broken')}
            </p>
          ) : (
            <Suspense fallback={<PageSkeleton rows={4} />}>
              <FlowCanvas xml={xml} onBroken={() => setBroken(true)} />
            </Suspense>
          )
        }
      </Loaded>
    </ActionDialog>
  )
}
