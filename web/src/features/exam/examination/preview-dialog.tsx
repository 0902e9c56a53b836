import { endBeside } from '#contract/kernel/when.ts'
import { endMinuteOf, minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { useExam } from '../calls.ts'
import { PhonePreview } from '../edit/phone-preview.tsx'
import { examTexts } from '../texts.ts'

/** The examination as a candidate will meet it: the form on a phone beside the times. */
export const PreviewDialog = ({ examId, onClose }: { readonly examId: string; readonly onClose: () => void }) => {
  const t = useT(examTexts)
  const exam = useExam(examId)
  return (
    <ActionDialog title={t('preview.title')} size="two" onClose={onClose}>
      <Loaded query={exam} skeletonRows={6}>
        {of => (
          <div className="exam-preview">
            <PhonePreview name={of.examName} items={of.signitems} files={of.signfiles} />
            <Facts
              items={[
                { key: 'code', label: t('exam.code'), value: of.examCode },
                {
                  key: 'sign',
                  label: t('exam.sign'),
                  value: of.signBegin === null ? '' : `${minuteOf(of.signBegin)} – ${endMinuteOf(of.signEnd)}`,
                },
                ...of.examitems.map(paper => ({
                  key: paper.itemCode,
                  label: paper.itemName,
                  value: `${minuteOf(paper.startTime)} – ${endBeside(paper.startTime, paper.endTime)}`,
                })),
              ]}
            />
          </div>
        )}
      </Loaded>
    </ActionDialog>
  )
}
